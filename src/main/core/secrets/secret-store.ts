import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { createSerializer } from '../../../shared/serializer.ts';
import { signatureOf, signatureText } from '../files/identity.ts';
import { writePrivateFile } from '../files/private-file.ts';
import type { Keychain, KeychainAnswer } from './keychain.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts a secret into a file and returns the key as base64: for secrets too long for a keychain. */
async function seal(path: string, secret: string): Promise<string> {
  const key = randomBytes(keyBytes);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  await writePrivateFile(path, Buffer.concat([iv, cipher.getAuthTag(), sealed]));
  return key.toString('base64');
}

/** Decrypts a sealed secret; null if the file is missing, modified, or belongs to another key. */
async function unseal(path: string, key: string): Promise<string | null> {
  try {
    const content = await readFile(path);
    const decipher = createDecipheriv(algorithm, Buffer.from(key, 'base64'), content.subarray(0, ivBytes));
    decipher.setAuthTag(content.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(content.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/**
 * Where a token is stored: in the system keychain, in memory until Timbre quits, or, only at the
 * user's choice, in a file that every program of the user can read.
 */
export type SecretPlace = 'keychain' | 'session' | 'file';

/** A token and the origins it was entered for; it is sent to no other. */
export interface Secret {
  readonly token: string;
  readonly origins: readonly string[];
}

/** One secret per account (a connection id). Only main reads secrets; none reaches a page. */
export interface SecretStore {
  get(account: string): Promise<Secret | null>;
  /**
   * Stores it in the keychain, or for this session if there is none; `file` is the weaker place
   * that the user chose. Throws `auth/portable` if there is no such place.
   */
  set(account: string, secret: Secret, choice?: 'file'): Promise<SecretPlace>;
  /** False with portable data, whose tokens are only in the keychains of its computers. */
  readonly hasFiles: boolean;
  /** Allows further origins for the stored token. */
  allow(account: string, origins: readonly string[]): Promise<void>;
  /**
   * Upgrades tokens of an older version, which stored no origins: they count as entered for these.
   * Runs once per data folder.
   */
  adopt(accounts: readonly { readonly account: string; readonly origins: readonly string[] }[]): Promise<void>;
  /** False if the keychain did not respond: the token is no longer used, and is deleted once it responds. */
  clear(account: string): Promise<boolean>;
  /** Where the secret is stored; null if there is none. */
  placeOf(account: string): Promise<SecretPlace | null>;
  /** True while the keychain may still hold a cleared or replaced token. */
  isRemovalPending(account: string): Promise<boolean>;
  /** Why the keychain is not available; null if it is. */
  keychainProblem(): Promise<string | null>;
}

interface Kept {
  readonly secret: Secret;
  readonly place: SecretPlace;
}

interface Known extends Kept {
  /** See `stampOf`. */
  readonly stamp: string | null;
}

/** Metadata of a token on disk, without any secret. */
const cardSchema = v.object({
  origins: v.array(v.string()),
  /**
   * The value in the keychain was cleared or replaced while it did not respond: never use it,
   * delete it later.
   */
  isStale: v.boolean(),
  /**
   * False if the keychain certainly holds no token. Missing in data of an older version, which may
   * have stored one.
   */
  isInKeychain: v.exactOptional(v.boolean()),
});
type Card = v.InferOutput<typeof cardSchema>;

/**
 * Windows allows 2,560 bytes of UTF-16, and keytar reports no clear error beyond; longer secrets
 * are sealed in a file on every system.
 */
const longestInKeychain = 1024;
const plainMark = 'token:';
const keyMark = 'key:';
const probeAccount = 'probe';
const cardEnding = '.json';
const adoptedMark = 'adopted';

const mayBeInKeychain = (card: Card | null): boolean => card !== null && card.isInKeychain !== false;

/** Caches secrets: the keychain is read once per start and after each change by another process, not once per call. */
export function createSecretStore({
  keychain,
  dataFolder,
  hasFiles = true,
}: {
  readonly keychain: Keychain;
  /** Of this computer. */
  readonly dataFolder: string;
  /** True if the user may choose a file as the place of a token. */
  readonly hasFiles?: boolean;
}): SecretStore {
  const known = new Map<string, Known>();
  const folder = join(dataFolder, 'secrets');
  /** A removal must not overtake and delete a new token. */
  const serialized = createSerializer();
  /** False while there may be a stale token to delete. */
  let isSwept = false;

  function pathOf(account: string, ending: string): string {
    if (!account.isWellFormed()) throw new AppError('request/invalid', 'an account that is no text');
    return join(folder, encodeURIComponent(account) + ending);
  }
  const sealedPath = (account: string) => pathOf(account, '.sealed');
  const openPath = (account: string) => pathOf(account, '.open');

  async function readCard(account: string): Promise<Card | null> {
    const text = await readFile(pathOf(account, cardEnding), 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      return v.parse(cardSchema, JSON.parse(text));
    } catch {
      // Damaged metadata: the token is sent nowhere until the user enters it again.
      return { origins: [], isStale: false };
    }
  }

  async function writeCard(account: string, card: Card): Promise<void> {
    if (card.isStale) isSwept = false;
    try {
      await writePrivateFile(pathOf(account, cardEnding), JSON.stringify(card));
    } catch (cause) {
      throw new AppError('data/not-writable', `cannot write in ${folder}`, { cause, facts: { name: folder } });
    }
  }

  /** Differs after any process has stored or removed a token of the account. */
  async function stampOf(account: string): Promise<string | null> {
    const stats = await lstat(pathOf(account, cardEnding), { bigint: true }).catch(() => null);
    return stats && signatureText(signatureOf(stats));
  }

  const removeCard = (account: string) => rm(pathOf(account, cardEnding), { force: true });

  /** Deletes the value from the keychain, if it responds. */
  async function forget(account: string): Promise<boolean> {
    return (await keychain.delete(account)).kind === 'value';
  }

  /** The keychain responds again: do the pending deletions. */
  async function sweep(): Promise<void> {
    if (isSwept) return;
    isSwept = true;
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(cardEnding))) {
      const account = decodeURIComponent(name.slice(0, -cardEnding.length));
      await serialized(async () => {
        const card = await readCard(account);
        if (card?.isStale !== true) return;
        if (!(await forget(account))) isSwept = false;
        else if (card.origins.length === 0) await removeCard(account);
        else await writeCard(account, { ...card, isStale: false, isInKeychain: false });
      });
    }
  }

  function noted(answer: KeychainAnswer): KeychainAnswer {
    if (answer.kind === 'value') sweep().catch(() => (isSwept = false));
    return answer;
  }

  async function fromKeychain(account: string): Promise<string | null> {
    const answer = noted(await keychain.get(account));
    if (answer.kind === 'unavailable' || answer.value === null) return null;
    if (answer.value.startsWith(keyMark)) return unseal(sealedPath(account), answer.value.slice(keyMark.length));
    return answer.value.startsWith(plainMark) ? answer.value.slice(plainMark.length) : null;
  }

  async function find(account: string): Promise<Kept | null> {
    const card = await readCard(account);
    const origins = card?.origins ?? [];
    const inFile = await readFile(openPath(account), 'utf8').catch(() => null);
    if (inFile !== null) return { secret: { token: inFile, origins }, place: 'file' };
    if (card?.isStale) {
      if (await forget(account)) await removeCard(account);
      return null;
    }
    const token = await fromKeychain(account);
    return token === null ? null : { secret: { token, origins }, place: 'keychain' };
  }

  /** The remembered secret, unless another process has replaced or cleared it since. */
  async function findKnown(account: string): Promise<Kept | undefined> {
    const stamp = await stampOf(account);
    const remembered = known.get(account);
    return remembered?.stamp === stamp ? remembered : undefined;
  }

  /** Call while no other change runs. */
  async function current(account: string): Promise<Kept | null> {
    const stamp = await stampOf(account);
    const remembered = known.get(account);
    if (remembered?.stamp === stamp) return remembered;
    const found = await find(account);
    // What is only in memory here is nothing that another process could clear.
    const kept = found ?? (remembered?.place === 'session' ? remembered : null);
    // A missing secret is not cached: the keychain may have been locked.
    if (kept) known.set(account, { ...kept, stamp });
    else known.delete(account);
    return kept;
  }

  const read = async (account: string): Promise<Kept | null> =>
    (await findKnown(account)) ?? serialized(() => current(account));

  async function toKeychain(account: string, token: string): Promise<KeychainAnswer> {
    const isLong = Buffer.byteLength(token) > longestInKeychain;
    const value = isLong ? keyMark + (await seal(sealedPath(account), token)) : plainMark + token;
    const answer = noted(await keychain.set(account, value));
    if (answer.kind === 'unavailable' || !isLong) await rm(sealedPath(account), { force: true });
    return answer;
  }

  async function removeFiles(account: string): Promise<void> {
    await Promise.all([rm(sealedPath(account), { force: true }), rm(openPath(account), { force: true })]);
  }

  /** `isLeft`: the keychain may hold another token, or may still store this one later. */
  async function place(
    account: string,
    token: string,
    choice: 'file' | undefined,
  ): Promise<{ readonly place: SecretPlace; readonly isLeft: boolean }> {
    if (choice === 'file') {
      await writePrivateFile(openPath(account), token);
      return { place: 'file', isLeft: false };
    }
    await rm(openPath(account), { force: true });
    const answer = await toKeychain(account, token);
    if (answer.kind === 'value') return { place: 'keychain', isLeft: false };
    return { place: 'session', isLeft: answer.isOpen === true };
  }

  return {
    hasFiles,
    get: async (account) => (await read(account))?.secret ?? null,
    set: (account, secret, choice) =>
      serialized(async () => {
        if (choice === 'file' && !hasFiles) throw new AppError('auth/portable', 'portable data holds no tokens');
        known.delete(account);
        const before = await readCard(account);
        // If the process dies here, the token is sent nowhere, instead of to the origins of another
        // token.
        await writeCard(account, {
          origins: [],
          isStale: before?.isStale ?? false,
          isInKeychain: choice === undefined || mayBeInKeychain(before),
        });
        const { place: where, isLeft } = await place(account, secret.token, choice);
        const isElsewhere = where !== 'keychain' && (isLeft || mayBeInKeychain(before));
        // The keychain still holds another token.
        const isStale = isElsewhere && !(await forget(account));
        await writeCard(account, {
          origins: [...secret.origins],
          isStale,
          isInKeychain: where === 'keychain' || isStale,
        });
        known.set(account, { secret, place: where, stamp: await stampOf(account) });
        return where;
      }),
    allow: (account, origins) =>
      serialized(async () => {
        const kept = await current(account);
        if (!kept) throw new AppError('auth/missing', `no token of ${account}`);
        const card = (await readCard(account)) ?? { isStale: false, isInKeychain: kept.place === 'keychain' };
        const all = [...new Set([...kept.secret.origins, ...origins])];
        await writeCard(account, { ...card, origins: all });
        known.set(account, { ...kept, secret: { ...kept.secret, origins: all }, stamp: await stampOf(account) });
      }),
    adopt: (accounts) =>
      serialized(async () => {
        const mark = join(folder, adoptedMark);
        if (await stat(mark).catch(() => null)) return;
        for (const { account, origins } of accounts) {
          if ((await readCard(account)) === null) await writeCard(account, { origins: [...origins], isStale: false });
        }
        await writePrivateFile(mark, '');
      }),
    clear: (account) => {
      known.delete(account);
      return serialized(async () => {
        known.delete(account);
        const isLeft = mayBeInKeychain(await readCard(account));
        // Removes it even if the metadata cannot be written; something remains only if the keychain
        // does not respond either.
        const noting = isLeft ? writeCard(account, { origins: [], isStale: true }) : Promise.resolve();
        await Promise.all([noting.catch(() => undefined), removeFiles(account)]);
        if (!(await forget(account)) && isLeft) return noting.then(() => false);
        await removeCard(account);
        return true;
      });
    },
    placeOf: async (account) => (await read(account))?.place ?? null,
    isRemovalPending: async (account) => (await readCard(account))?.isStale === true,
    async keychainProblem() {
      const answer = noted(await keychain.get(probeAccount));
      return answer.kind === 'unavailable' ? answer.why : null;
    },
  };
}
