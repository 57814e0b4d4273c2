import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import type { Secret, SecretStore } from '../secrets/secret-store.ts';
import { createConnectionStore, type ConnectionStore } from './connection-store.ts';

const { signal } = new AbortController();
let folder: string;
let database: DatabaseSync;
let tokens: Map<string, Secret>;
let defects: unknown[];
let stored: ConnectionStore;

const document = { name: 'Studio', hosts: { voice: 'https://voice.test', upload: 'https://upload.test' } };

function open(): ConnectionStore {
  const secrets = { get: (account: string) => Promise.resolve(tokens.get(account) ?? null) } as SecretStore;
  let ids = 0;
  let now = 0;
  return createConnectionStore({
    database,
    secrets,
    clock: { now: () => (now += 1), sleep: () => Promise.resolve() },
    randomId: () => `id-${(ids += 1)}`,
    reservedNames: ['This computer'],
    onDefect: (error) => defects.push(error),
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-stored-'));
  database = await openDatabase(folder);
  tokens = new Map();
  defects = [];
  stored = open();
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

describe('a connection', () => {
  it('is saved with its defaults, and looks its token up for each call', async () => {
    const { id } = stored.save(null, document);
    const [kept] = open().list();
    expect(kept).toMatchObject({ id, kind: 'remote', document: { name: 'Studio', unknownOutcome: 'ask' } });
    expect(await kept?.access(signal)).toMatchObject({ token: null, hosts: { voice: 'https://voice.test' } });
    tokens.set(id, { token: 'secret', origins: ['https://voice.test'] });
    expect(await kept?.access(signal)).toMatchObject({ token: 'secret', tokenOrigins: ['https://voice.test'] });
  });

  it('keeps its id and its position when it is edited', () => {
    const { id } = stored.save(null, document);
    stored.save(null, { ...document, name: 'Second' });
    stored.save(id, { ...document, name: 'Studio North' });
    expect(stored.list().map((one) => [one.id, one.document.name])).toEqual([
      ['id-1', 'Studio North'],
      ['id-2', 'Second'],
    ]);
  });

  it('that another process has removed is not saved again', () => {
    const { id } = stored.save(null, document);
    open().remove(id);
    expect(() => stored.save(id, document)).toThrow(expect.objectContaining({ code: 'connection/not-found' }));
    expect(stored.list()).toEqual([]);
  });

  it('is rejected with one line for each wrong field, and is not saved', () => {
    const wrong = { ...document, hosts: { voice: 'http://far.test', upload: 'x' }, unknownOutcome: 'maybe' };
    expect(() => stored.save(null, wrong)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({
          code: 'connection/invalid',
          words: expect.stringMatching(/voice.*\n.*upload.*\n/) as unknown,
        }) as unknown,
      }),
    );
    expect(stored.list()).toEqual([]);
  });

  it('needs a unique name, because commands refer to it by name', () => {
    const { id } = stored.save(null, document);
    expect(() => stored.save(null, document)).toThrow(/there is a connection Studio/);
    expect(() => stored.save(null, { ...document, name: 'This computer' })).toThrow(/This computer/);
    expect(() => stored.save(null, { ...document, name: 'this COMPUTER' })).toThrow(/this COMPUTER/);
    expect(() => stored.save(null, { ...document, name: 'STUDIO' })).toThrow(/there is a connection STUDIO/);
    expect(stored.save(id, document).id).toBe(id);
  });

  it('is gone once it is removed; an unreadable one is reported and hides no other', () => {
    const { id } = stored.save(null, document);
    const other = stored.save(null, { ...document, name: 'Second' });
    stored.remove(id);
    expect(stored.list().map((one) => one.id)).toEqual([other.id]);
    database.exec(`INSERT INTO connection (id, document, created_at) VALUES ('broken', '{"name": 1}', 0)`);
    expect(stored.list().map((one) => one.id)).toEqual([other.id]);
    expect(defects).toHaveLength(1);
  });
});
