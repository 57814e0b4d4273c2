import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Keychain } from './keychain.ts';
import { writePrivately } from '../outputs/write-privately.ts';
import { seal, unseal } from './sealed-file.ts';

/**
 * Where a token is kept: in the system's keychain, only until Timbre ends, or in a file that any program of this person can read, which
 * is done only when they chose it.
 */
export type SecretPlace = 'keychain' | 'session' | 'file';

/** One secret an account, which is a connection's id. Main alone reads them; nothing here crosses to a page. */
export interface SecretStore {
  get(account: string): Promise<string | null>;
  /** Keeps it in the keychain, or for this session where there is none; `file` is the weaker place that a person chose. */
  set(account: string, secret: string, wish?: 'file'): Promise<SecretPlace>;
  clear(account: string): Promise<void>;
  /** Where the secret is; null where there is none. */
  placeOf(account: string): Promise<SecretPlace | null>;
  /** Why the keychain cannot be used; null where it can. */
  keychainProblem(): Promise<string | null>;
}

interface Kept {
  readonly secret: string;
  readonly place: SecretPlace;
}

/** Windows takes 2,560 bytes in UTF-16 and keytar says nothing clear beyond; what is longer is sealed in a file on every system. */
const longestInKeychain = 1024;
const plainMark = 'token:';
const keyMark = 'key:';
const probeAccount = 'probe';

/** Secrets that were read once are remembered: the keychain is asked once a start, not once a call. */
export function createSecretStore({
  keychain,
  dataFolder,
}: {
  readonly keychain: Keychain;
  readonly dataFolder: string;
}): SecretStore {
  const known = new Map<string, Kept | null>();
  const folder = join(dataFolder, 'secrets');
  const sealedPath = (account: string) => join(folder, `${encodeURIComponent(account)}.sealed`);
  const openPath = (account: string) => join(folder, `${encodeURIComponent(account)}.open`);

  async function fromKeychain(account: string): Promise<string | null> {
    const answer = await keychain.get(account);
    if (answer.kind === 'unavailable' || answer.value === null) return null;
    if (answer.value.startsWith(keyMark)) return unseal(sealedPath(account), answer.value.slice(keyMark.length));
    return answer.value.startsWith(plainMark) ? answer.value.slice(plainMark.length) : null;
  }

  async function find(account: string): Promise<Kept | null> {
    const inFile = await readFile(openPath(account), 'utf8').catch(() => null);
    if (inFile !== null) return { secret: inFile, place: 'file' };
    const secret = await fromKeychain(account);
    return secret === null ? null : { secret, place: 'keychain' };
  }

  async function read(account: string): Promise<Kept | null> {
    const remembered = known.get(account);
    if (remembered !== undefined) return remembered;
    const kept = await find(account);
    // "None" is not remembered: the keychain may have been locked, or asleep.
    if (kept) known.set(account, kept);
    return kept;
  }

  async function toKeychain(account: string, secret: string): Promise<boolean> {
    const isLong = Buffer.byteLength(secret) > longestInKeychain;
    const value = isLong ? keyMark + (await seal(sealedPath(account), secret)) : plainMark + secret;
    const answer = await keychain.set(account, value);
    if (answer.kind === 'unavailable' || !isLong) await rm(sealedPath(account), { force: true });
    return answer.kind === 'value';
  }

  async function removeFiles(account: string): Promise<void> {
    await Promise.all([rm(sealedPath(account), { force: true }), rm(openPath(account), { force: true })]);
  }

  async function place(account: string, secret: string, wish: 'file' | undefined): Promise<SecretPlace> {
    if (wish === 'file') {
      await writePrivately(openPath(account), Buffer.from(secret, 'utf8'));
      return 'file';
    }
    await rm(openPath(account), { force: true });
    return (await toKeychain(account, secret)) ? 'keychain' : 'session';
  }

  return {
    get: async (account) => (await read(account))?.secret ?? null,
    async set(account, secret, wish) {
      const kept = { secret, place: await place(account, secret, wish) };
      known.set(account, kept);
      return kept.place;
    },
    async clear(account) {
      known.delete(account);
      await removeFiles(account);
      await keychain.delete(account);
    },
    placeOf: async (account) => (await read(account))?.place ?? null,
    async keychainProblem() {
      const answer = await keychain.get(probeAccount);
      return answer.kind === 'unavailable' ? answer.why : null;
    },
  };
}
