import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Keychain, KeychainAnswer } from './keychain.ts';
import { createSecretStore } from './secret-store.ts';

let folder: string;
let items: Map<string, string>;
let isThere: boolean;
let asked: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-secrets-'));
  items = new Map();
  isThere = true;
  asked = 0;
});
afterEach(() => rm(folder, { recursive: true }));

const answer = (read: () => string | null): Promise<KeychainAnswer> => {
  asked += 1;
  return Promise.resolve(isThere ? { kind: 'value', value: read() } : { kind: 'unavailable', why: 'no keychain' });
};
const keychain: Keychain = {
  get: (account) => answer(() => items.get(account) ?? null),
  set: (account, value) =>
    answer(() => {
      // What Windows takes at most, in its own two bytes a character.
      if (2 * value.length > 2560) throw new Error('The stub received bad data');
      items.set(account, value);
      return null;
    }),
  delete: (account) =>
    answer(() => {
      items.delete(account);
      return null;
    }),
  stop: () => undefined,
};
const open = () => createSecretStore({ keychain, dataFolder: folder });
const secretFiles = () => readdir(join(folder, 'secrets')).catch(() => []);

describe('a secret', () => {
  it.each([1, 1023, 1024, 1025, 2559, 2561, 16_384, 65_536])(
    'of %i bytes comes back after a restart',
    async (length) => {
      const secret = 'x'.repeat(length - 1) + '"';
      expect(await open().set('one', secret)).toBe('keychain');
      const again = open();
      expect(await again.get('one')).toBe(secret);
      expect(await again.placeOf('one')).toBe('keychain');
      const files = await Promise.all((await secretFiles()).map((name) => readFile(join(folder, 'secrets', name))));
      expect(files.some((file) => file.includes(secret.slice(0, 32)))).toBe(false);
    },
  );

  it('is asked for once, not at each call', async () => {
    await open().set('one', 'token');
    const store = open();
    asked = 0;
    for (let call = 0; call < 5; call += 1) await store.get('one');
    expect(asked).toBe(1);
  });

  it('stays for this session only where there is no keychain, and nothing of it reaches the disk', async () => {
    isThere = false;
    const store = open();
    expect(await store.set('one', 'y'.repeat(5000))).toBe('session');
    expect(await store.get('one')).toHaveLength(5000);
    expect(await secretFiles()).toEqual([]);
    expect(await open().get('one')).toBeNull();
    expect(await store.keychainProblem()).toBe('no keychain');
  });

  it('goes into a file that only this person may read when they chose so, and out of it with the next choice', async () => {
    const store = open();
    expect(await store.set('one', 'token', 'file')).toBe('file');
    const path = join(folder, 'secrets', 'one.open');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
    const again = open();
    expect([await again.get('one'), await again.placeOf('one')]).toEqual(['token', 'file']);
    expect(await again.set('one', 'token')).toBe('keychain');
    expect(await secretFiles()).toEqual([]);
  });

  it('that was cleared is nowhere any more', async () => {
    const store = open();
    await store.set('one', 'z'.repeat(3000));
    await store.clear('one');
    expect([await store.get('one'), await store.placeOf('one')]).toEqual([null, null]);
    expect(items.size).toBe(0);
    expect(await secretFiles()).toEqual([]);
  });

  it('whose file was changed or lost is none, and is not guessed at', async () => {
    await open().set('one', 'z'.repeat(3000));
    const path = join(folder, 'secrets', 'one.sealed');
    const sealed = await readFile(path);
    sealed[40] = (sealed[40] ?? 0) ^ 1;
    await writeFile(path, sealed);
    expect(await open().get('one')).toBeNull();
    await rm(path);
    expect(await open().get('one')).toBeNull();
  });

  it('of one account is not that of another, whatever they are called', async () => {
    const store = open();
    for (const account of ['a', 'a/../b', '..', 'ü']) await store.set(account, account.repeat(2000));
    const again = open();
    for (const account of ['a', 'a/../b', '..', 'ü']) expect(await again.get(account)).toBe(account.repeat(2000));
    expect(await secretFiles()).toHaveLength(4);
  });

  it('comes when a keychain that was locked is opened', async () => {
    await open().set('one', 'token');
    isThere = false;
    const store = open();
    expect(await store.get('one')).toBeNull();
    isThere = true;
    expect(await store.get('one')).toBe('token');
  });
});
