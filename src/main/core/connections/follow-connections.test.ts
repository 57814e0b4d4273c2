import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import { type ConnectionRegistry, createConnectionRegistry } from './connection-registry.ts';
import { type ConnectionStore, createConnectionStore } from './connection-store.ts';
import { followConnections } from './follow-connections.ts';

const document = (name: string) => ({ name, hosts: { voice: 'https://voice.test', upload: 'https://voice.test' } });

let folder: string;
let http: Http;
let databases: DatabaseSync[];
let own: ConnectionStore;
let other: ConnectionStore;
let registry: ConnectionRegistry;
let closing: AbortController;

/** The connections as another process sees them. */
async function open(): Promise<ConnectionStore> {
  const database = await openDatabase(folder);
  databases.push(database);
  return createConnectionStore({
    database,
    secrets: { get: () => Promise.resolve(null) } as Pick<SecretStore, 'get'> as SecretStore,
    clock: systemClock,
    randomId: () => crypto.randomUUID(),
    reservedNames: [],
    onDefect: expect.unreachable,
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-followed-'));
  http = createHttp();
  databases = [];
  own = await open();
  other = await open();
  closing = new AbortController();
});
afterEach(async () => {
  closing.abort();
  for (const database of databases) database.close();
  await http.close();
  await rm(folder, { recursive: true });
});

function follow(store: Pick<ConnectionStore, 'list'> = own): void {
  const [database] = databases;
  registry = createConnectionRegistry(http, own.list());
  if (!database) throw new Error('no database is open');
  const clock = { now: () => 0, sleep: (_ms: number, signal?: AbortSignal) => systemClock.sleep(1, signal) };
  followConnections({ database, store, registry, clock, onDefect: expect.unreachable }, closing.signal);
}
const names = () => registry.list().map(({ name }) => name);

it('a connection that another process adds or removes is here too, and gone', async () => {
  const { id } = other.save(null, document('Studio'));
  follow();
  const added = other.save(null, document('North'));
  await expect.poll(names).toEqual(['Studio', 'North']);
  other.remove(id);
  await expect.poll(names).toEqual(['North']);
  other.remove(added.id);
  await expect.poll(names).toEqual([]);
});

it('a connection that is not stored stays', async () => {
  const file = own.save(null, document('File'));
  own.remove(file.id);
  follow();
  registry.upsert(file);
  other.save(null, document('North'));
  await expect.poll(names).toEqual(['File', 'North']);
});

it('a connection that another process adds just after those that are known were read is here, too', async () => {
  let reads = 0;
  follow({
    list() {
      const stored = own.list();
      reads += 1;
      if (reads === 1) other.save(null, document('Studio'));
      return stored;
    },
  });
  await expect.poll(names).toEqual(['Studio']);
});
