import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Keychain, KeychainAnswer } from './keychain.ts';
import { createSecretStore } from './secret-store.ts';

let folder: string;
let items: Map<string, string>;
let isThere: boolean;
/** The keychain acts but does not answer. */
let isLate: boolean;
let asked: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-secrets-'));
  items = new Map();
  isThere = true;
  isLate = false;
  asked = 0;
});
afterEach(() => rm(folder, { recursive: true }));

const answer = (read: () => string | null): Promise<KeychainAnswer> => {
  asked += 1;
  if (isLate) {
    read();
    return Promise.resolve({ kind: 'unavailable', why: 'no answer', isOpen: true });
  }
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
const origins = ['https://voice.test'];
const of = (token: string) => ({ token, origins });
const open = () => createSecretStore({ keychain, dataFolder: folder });
const allFiles = () => readdir(join(folder, 'secrets')).catch(() => []);
/** Without the cards, which hold no secret. */
const secretFiles = async () => (await allFiles()).filter((name) => !name.endsWith('.json'));

describe('a secret of portable data', () => {
  const openPortable = () => createSecretStore({ keychain, dataFolder: folder, hasFiles: false });

  it('is never stored in a file, and the one before stays', async () => {
    const store = openPortable();
    await store.set('one', of('first'));
    await expect(store.set('one', of('second'), 'file')).rejects.toMatchObject({ code: 'auth/portable' });
    expect([await store.get('one'), await secretFiles()]).toEqual([of('first'), []]);
  });

  it('is kept for the session without a keychain', async () => {
    isThere = false;
    expect(await openPortable().set('one', of('first'))).toBe('session');
  });
});

describe('a secret', () => {
  it.each([1, 1023, 1024, 1025, 2559, 2561, 16_384, 65_536])(
    'of %i bytes is restored after a restart',
    async (length) => {
      const secret = 'x'.repeat(length - 1) + '"';
      expect(await open().set('one', of(secret))).toBe('keychain');
      const again = open();
      expect(await again.get('one')).toEqual(of(secret));
      expect(await again.placeOf('one')).toBe('keychain');
      const files = await Promise.all((await secretFiles()).map((name) => readFile(join(folder, 'secrets', name))));
      expect(files.some((file) => file.includes(secret.slice(0, 32)))).toBe(false);
    },
  );

  it('is read once, not for each call', async () => {
    await open().set('one', of('token'));
    const store = open();
    asked = 0;
    for (let call = 0; call < 5; call += 1) await store.get('one');
    expect(asked).toBe(1);
  });

  it('is kept for this session only if there is no keychain, and nothing is written to disk', async () => {
    isThere = false;
    const store = open();
    expect(await store.set('one', of('y'.repeat(5000)))).toBe('session');
    expect((await store.get('one'))?.token).toHaveLength(5000);
    expect(await secretFiles()).toEqual([]);
    expect(await open().get('one')).toBeNull();
    expect(await store.keychainProblem()).toBe('no keychain');
  });

  it('is stored in a file that only the user can read if the user chooses so, until another choice is made', async () => {
    const store = open();
    expect(await store.set('one', of('token'), 'file')).toBe('file');
    const path = join(folder, 'secrets', 'one.open');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
    const again = open();
    expect([await again.get('one'), await again.placeOf('one')]).toEqual([of('token'), 'file']);
    expect(await again.set('one', of('token'))).toBe('keychain');
    expect(await secretFiles()).toEqual([]);
  });

  it('that was cleared is stored nowhere', async () => {
    const store = open();
    await store.set('one', of('z'.repeat(3000)));
    await store.clear('one');
    expect([await store.get('one'), await store.placeOf('one')]).toEqual([null, null]);
    expect(items.size).toBe(0);
    expect(await secretFiles()).toEqual([]);
  });

  it('is missing if its file was changed or lost', async () => {
    await open().set('one', of('z'.repeat(3000)));
    const path = join(folder, 'secrets', 'one.sealed');
    const sealed = await readFile(path);
    sealed[40] = (sealed[40] ?? 0) ^ 1;
    await writeFile(path, sealed);
    expect(await open().get('one')).toBeNull();
    await rm(path);
    expect(await open().get('one')).toBeNull();
  });

  it('of one account is not that of another, whatever their names', async () => {
    const store = open();
    for (const account of ['a', 'a/../b', '..', 'ü']) await store.set(account, of(account.repeat(2000)));
    const again = open();
    for (const account of ['a', 'a/../b', '..', 'ü'])
      expect(await again.get(account)).toEqual(of(account.repeat(2000)));
    expect(await secretFiles()).toHaveLength(4);
  });

  it('is available once a locked keychain is unlocked', async () => {
    await open().set('one', of('token'));
    isThere = false;
    const store = open();
    expect(await store.get('one')).toBeNull();
    isThere = true;
    expect(await store.get('one')).toEqual(of('token'));
  });
});

describe('a secret that another process', () => {
  it.each([undefined, 'file'] as const)('replaces is the new one from then on (%s)', async (choice) => {
    await open().set('one', of('old'));
    const store = open();
    await store.get('one');
    await open().set('one', { token: 'new', origins: ['https://new.test'] }, choice);
    expect(await store.get('one')).toEqual({ token: 'new', origins: ['https://new.test'] });
    expect(await store.placeOf('one')).toBe(choice ?? 'keychain');
  });

  it.each([true, false])('clears is used no more, whether or not the keychain answers (%s)', async (answers) => {
    await open().set('one', of('token'));
    const store = open();
    await store.get('one');
    isThere = answers;
    await open().clear('one');
    expect(await store.get('one')).toBeNull();
  });

  it('cannot read, as it is only in memory, stays when that process sweeps the keychain', async () => {
    await open().set('one', of('old'));
    isThere = false;
    const store = open();
    expect(await store.set('one', of('new'))).toBe('session');
    isThere = true;
    const other = open();
    await other.keychainProblem();
    // The answer began the sweep.
    await expect.poll(() => other.isRemovalPending('one')).toBe(false);
    expect(await store.get('one')).toEqual(of('new'));
  });
});

describe('the origins of a token', () => {
  it('are restored with it after a restart, and replaced with it', async () => {
    await open().set('one', { token: 'old', origins: ['https://old.test'] });
    expect(await open().get('one')).toEqual({ token: 'old', origins: ['https://old.test'] });
    await open().set('one', { token: 'new', origins: ['https://new.test'] });
    expect(await open().get('one')).toEqual({ token: 'new', origins: ['https://new.test'] });
  });

  it('include those that the user allows', async () => {
    const store = open();
    await store.set('one', of('token'));
    await store.allow('one', ['https://old.test']);
    const all = { token: 'token', origins: [...origins, 'https://old.test'] };
    expect([await store.get('one'), await open().get('one')]).toEqual([all, all]);
    await expect(store.allow('two', origins)).rejects.toMatchObject({ code: 'auth/missing' });
  });

  it('that the user allows do not bring back a token that is cleared meanwhile', async () => {
    const store = open();
    await store.set('one', of('token'));
    const allowing = store.allow('one', ['https://old.test']);
    const cleared = store.clear('one');
    await Promise.allSettled([allowing, cleared]);
    expect([await cleared, await store.get('one'), await allFiles()]).toEqual([true, null, []]);
  });

  it('saved by an older version are those of its connection', async () => {
    items.set('one', 'token:old');
    expect(await open().get('one')).toEqual({ token: 'old', origins: [] });
    await open().adopt([{ account: 'one', origins }]);
    await open().adopt([
      { account: 'one', origins: ['https://later.test'] },
      { account: 'two', origins },
    ]);
    expect(await open().get('one')).toEqual(of('old'));
    // Added since: nothing was kept of it before.
    items.set('two', 'token:foreign');
    expect(await open().get('two')).toEqual({ token: 'foreign', origins: [] });
  });

  it('are empty if their record is damaged', async () => {
    await open().set('one', of('token'));
    await writeFile(join(folder, 'secrets', 'one.json'), '{"origins": "https://evil.test"');
    await open().adopt([{ account: 'one', origins: ['https://evil.test'] }]);
    expect(await open().get('one')).toEqual({ token: 'token', origins: [] });
  });
});

describe('while the keychain does not answer', () => {
  it('a token that is cleared is not used, before and after a restart, and is removed once the keychain answers', async () => {
    await open().set('one', of('token'));
    const store = open();
    await store.get('one');
    isThere = false;
    expect(await store.clear('one')).toBe(false);
    expect([await store.get('one'), await store.isRemovalPending('one')]).toEqual([null, true]);
    isThere = true;
    const again = open();
    expect(await again.get('one')).toBeNull();
    expect(items.size).toBe(0);
    expect(await again.isRemovalPending('one')).toBe(false);
  });

  it('a token that is replaced is not restored later', async () => {
    await open().set('one', of('old'));
    isThere = false;
    const store = open();
    expect(await store.set('one', of('new'))).toBe('session');
    expect(await store.get('one')).toEqual(of('new'));
    isThere = true;
    expect(await open().get('one')).toBeNull();
    expect(items.size).toBe(0);
  });

  it('a token that is cleared for one account is removed once another account is read', async () => {
    await open().set('one', of('token'));
    isThere = false;
    await open().clear('one');
    isThere = true;
    const store = open();
    expect(await store.keychainProblem()).toBeNull();
    // The answer began the sweep.
    await expect.poll(() => store.isRemovalPending('one')).toBe(false);
    expect([...items.keys()]).toEqual([]);
  });

  it('a new token replaces a cleared one once the keychain answers, and remains', async () => {
    await open().set('one', of('old'));
    isThere = false;
    const store = open();
    await store.clear('one');
    isThere = true;
    expect(await store.set('one', of('new'))).toBe('keychain');
    await store.keychainProblem();
    expect(await open().get('one')).toEqual(of('new'));
    expect(await store.isRemovalPending('one')).toBe(false);
  });
});

describe('on a computer without a password store', () => {
  beforeEach(() => void (isThere = false));

  it.each([undefined, 'file'] as const)('there is no old token to remove (%s)', async (wish) => {
    await open().adopt([]);
    const store = open();
    // As at each start of the app.
    await store.adopt([{ account: 'one', origins }]);
    for (const token of ['first', 'second']) {
      await store.set('one', of(token), wish);
      expect([await store.get('one'), await store.isRemovalPending('one')]).toEqual([of(token), false]);
    }
    expect(await store.clear('one')).toBe(true);
    expect([await store.get('one'), await store.isRemovalPending('one')]).toEqual([null, false]);
    expect(await allFiles()).toEqual(['adopted']);
  });

  it.each(['adopted', 'entered'])(
    'a token that an older version may have stored elsewhere is cleared (%s)',
    async (how) => {
      if (how === 'adopted') await open().adopt([{ account: 'one', origins }]);
      else {
        await open().set('one', of('old'), 'file');
        await writeFile(join(folder, 'secrets', 'one.json'), JSON.stringify({ origins, isStale: false }));
      }
      items.set('one', 'token:old');
      const store = open();
      await store.set('one', of('new'));
      expect(await store.isRemovalPending('one')).toBe(true);
      isThere = true;
      expect(await open().get('one')).toBeNull();
      expect(items.size).toBe(0);
    },
  );
});

it('a token that the keychain stores without confirming it is not used later', async () => {
  isLate = true;
  const store = open();
  expect(await store.set('one', of('token'))).toBe('session');
  expect([items.size, await store.isRemovalPending('one')]).toEqual([0, true]);
  items.set('one', 'token:token');
  isLate = false;
  expect(await open().get('one')).toBeNull();
  expect(items.size).toBe(0);
});

it('a token in a file does not restore the one in a locked keychain', async () => {
  await open().set('one', of('old'));
  isThere = false;
  const store = open();
  expect(await store.set('one', of('new'), 'file')).toBe('file');
  expect([await open().get('one'), await store.isRemovalPending('one')]).toEqual([of('new'), true]);
  expect(await store.clear('one')).toBe(false);
  isThere = true;
  expect(await open().get('one')).toBeNull();
  expect([items.size, await allFiles()]).toEqual([0, []]);
});

it('an account that is not text is rejected', async () => {
  await expect(open().get('\ud800')).rejects.toMatchObject({ code: 'request/invalid' });
  await expect(open().clear('\ud800')).rejects.toMatchObject({ code: 'request/invalid' });
});
