import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { writePrivately } from '../files/folders.ts';
import type { Keychain, KeychainAnswer } from './keychain.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts into a file and gives back the key, base64: for secrets that are longer than a keychain takes. */
export async function seal(path: string, secret: string): Promise<string> {
  const key = randomBytes(keyBytes);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  await writePrivately(path, Buffer.concat([iv, cipher.getAuthTag(), sealed]));
  return key.toString('base64');
}

/** What was sealed; null where the file is gone, was changed, or belongs to another key. */
export async function unseal(path: string, key: string): Promise<string | null> {
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
 * Where a token is kept: in the system's keychain, only until Timbre ends, or in a file that any program of this person can read, which
 * is done only when they chose it.
 */
export type SecretPlace = 'keychain' | 'session' | 'file';

/** A token, and the origins that it was entered for: it is sent to no other. */
export interface Secret {
  readonly token: string;
  readonly origins: readonly string[];
}

/** One secret an account, which is a connection's id. Main alone reads them; nothing here crosses to a page. */
export interface SecretStore {
  get(account: string): Promise<Secret | null>;
  /** Keeps it in the keychain, or for this session where there is none; `file` is the weaker place that a person chose. */
  set(account: string, secret: Secret, wish?: 'file'): Promise<SecretPlace>;
  /** Lets the token that there is go to further origins. */
  allow(account: string, origins: readonly string[]): Promise<void>;
  /** For what an older Timbre kept, which wrote down no origins: it counts as entered for these. Does so once a data folder. */
  adopt(accounts: readonly { readonly account: string; readonly origins: readonly string[] }[]): Promise<void>;
  /** False where the keychain did not answer: its token is not used any more, and removed as soon as it does. */
  clear(account: string): Promise<boolean>;
  /** Where the secret is; null where there is none. */
  placeOf(account: string): Promise<SecretPlace | null>;
  /** True as long as the keychain may hold a token that was cleared or replaced. */
  isRemovalPending(account: string): Promise<boolean>;
  /** Why the keychain cannot be used; null where it can. */
  keychainProblem(): Promise<string | null>;
}

interface Kept {
  readonly secret: Secret;
  readonly place: SecretPlace;
}

/** What stands beside a token on disk. Holds no secret. */
const cardSchema = v.object({
  origins: v.array(v.string()),
  /** The keychain's value was cleared or replaced while it did not answer: it is never used, and to be deleted. */
  isStale: v.boolean(),
  /** False where the keychain surely has nothing of it. Missing in what an older Timbre wrote, which may have put a token there. */
  isInKeychain: v.exactOptional(v.boolean()),
});
type Card = v.InferOutput<typeof cardSchema>;

/** Windows takes 2,560 bytes in UTF-16 and keytar says nothing clear beyond; what is longer is sealed in a file on every system. */
const longestInKeychain = 1024;
const plainMark = 'token:';
const keyMark = 'key:';
const probeAccount = 'probe';
const cardEnding = '.json';
const adoptedMark = 'adopted';

const mayBeInKeychain = (card: Card | null): boolean => card !== null && card.isInKeychain !== false;

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
  let last: Promise<unknown> = Promise.resolve();
  /** False as long as there may be a stale token to delete. */
  let isSwept = false;

  function pathOf(account: string, ending: string): string {
    if (!account.isWellFormed()) throw new AppError('request/invalid', 'an account that is no text');
    return join(folder, encodeURIComponent(account) + ending);
  }
  const sealedPath = (account: string) => pathOf(account, '.sealed');
  const openPath = (account: string) => pathOf(account, '.open');

  /** One after the other: a removal that overtook a new token would take that along. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  async function readCard(account: string): Promise<Card | null> {
    const text = await readFile(pathOf(account, cardEnding), 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      return v.parse(cardSchema, JSON.parse(text));
    } catch {
      // Damaged: nothing is known of it, so it is sent nowhere until somebody enters it again.
      return { origins: [], isStale: false };
    }
  }

  async function writeCard(account: string, card: Card): Promise<void> {
    if (card.isStale) isSwept = false;
    try {
      await writePrivately(pathOf(account, cardEnding), Buffer.from(JSON.stringify(card)));
    } catch (cause) {
      throw new AppError('data/not-writable', `cannot write in ${folder}`, { cause, facts: { name: folder } });
    }
  }

  const removeCard = (account: string) => rm(pathOf(account, cardEnding), { force: true });

  /** Deletes the keychain's value, where that answers. */
  async function forget(account: string): Promise<boolean> {
    return (await keychain.delete(account)).kind === 'value';
  }

  /** The keychain answers: what it could not be told before is done now. */
  async function sweep(): Promise<void> {
    if (isSwept) return;
    isSwept = true;
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(cardEnding))) {
      const account = decodeURIComponent(name.slice(0, -cardEnding.length));
      await inTurn(async () => {
        const card = await readCard(account);
        if (card?.isStale !== true) return;
        if (!(await forget(account))) isSwept = false;
        else if (card.origins.length === 0) await removeCard(account);
        else await writeCard(account, { ...card, isStale: false, isInKeychain: false });
      });
    }
  }

  function heard(answer: KeychainAnswer): KeychainAnswer {
    if (answer.kind === 'value') sweep().catch(() => (isSwept = false));
    return answer;
  }

  async function fromKeychain(account: string): Promise<string | null> {
    const answer = heard(await keychain.get(account));
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

  async function read(account: string): Promise<Kept | null> {
    const remembered = known.get(account);
    if (remembered) return remembered;
    return inTurn(async () => {
      const kept = known.get(account) ?? (await find(account));
      // "None" is not remembered: the keychain may have been locked, or asleep.
      if (kept) known.set(account, kept);
      return kept;
    });
  }

  async function toKeychain(account: string, token: string): Promise<KeychainAnswer> {
    const isLong = Buffer.byteLength(token) > longestInKeychain;
    const value = isLong ? keyMark + (await seal(sealedPath(account), token)) : plainMark + token;
    const answer = heard(await keychain.set(account, value));
    if (answer.kind === 'unavailable' || !isLong) await rm(sealedPath(account), { force: true });
    return answer;
  }

  async function removeFiles(account: string): Promise<void> {
    await Promise.all([rm(sealedPath(account), { force: true }), rm(openPath(account), { force: true })]);
  }

  /** `isLeft`: the keychain may have another token, or come to have this one after all. */
  async function place(
    account: string,
    token: string,
    wish: 'file' | undefined,
  ): Promise<{ readonly place: SecretPlace; readonly isLeft: boolean }> {
    if (wish === 'file') {
      await writePrivately(openPath(account), Buffer.from(token, 'utf8'));
      return { place: 'file', isLeft: false };
    }
    await rm(openPath(account), { force: true });
    const answer = await toKeychain(account, token);
    if (answer.kind === 'value') return { place: 'keychain', isLeft: false };
    return { place: 'session', isLeft: answer.isOpen === true };
  }

  return {
    get: async (account) => (await read(account))?.secret ?? null,
    set: (account, secret, wish) =>
      inTurn(async () => {
        known.delete(account);
        const before = await readCard(account);
        // A process that ends in between leaves a token that is sent nowhere, not one that goes where another was meant to.
        await writeCard(account, {
          origins: [],
          isStale: before?.isStale ?? false,
          isInKeychain: wish === undefined || mayBeInKeychain(before),
        });
        const { place: where, isLeft } = await place(account, secret.token, wish);
        const isElsewhere = where !== 'keychain' && (isLeft || mayBeInKeychain(before));
        // What the keychain still has is another token.
        const isStale = isElsewhere && !(await forget(account));
        await writeCard(account, {
          origins: [...secret.origins],
          isStale,
          isInKeychain: where === 'keychain' || isStale,
        });
        known.set(account, { secret, place: where });
        return where;
      }),
    allow: async (account, origins) => {
      const kept = await read(account);
      if (!kept) throw new AppError('auth/missing', `no token of ${account}`);
      await inTurn(async () => {
        const card = (await readCard(account)) ?? { isStale: false, isInKeychain: kept.place === 'keychain' };
        const all = [...new Set([...kept.secret.origins, ...origins])];
        await writeCard(account, { ...card, origins: all });
        known.set(account, { ...kept, secret: { ...kept.secret, origins: all } });
      });
    },
    adopt: (accounts) =>
      inTurn(async () => {
        const mark = join(folder, adoptedMark);
        if (await stat(mark).catch(() => null)) return;
        for (const { account, origins } of accounts) {
          if ((await readCard(account)) === null) await writeCard(account, { origins: [...origins], isStale: false });
        }
        await writePrivately(mark, Buffer.alloc(0));
      }),
    clear: (account) => {
      known.delete(account);
      return inTurn(async () => {
        known.delete(account);
        const isLeft = mayBeInKeychain(await readCard(account));
        // Removed all the same where it cannot be noted: only a keychain that is silent as well leaves something behind.
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
      const answer = heard(await keychain.get(probeAccount));
      return answer.kind === 'unavailable' ? answer.why : null;
    },
  };
}
