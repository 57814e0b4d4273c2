import { createHash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import { engineSoundRevision } from '../../../shared/operations.ts';
import { localConnectionId } from '../../../shared/schemas/connection.ts';
import type { TakeUsage, VoiceSettings } from '../../../shared/schemas/speech.ts';
import { unlessAborted } from '../clock.ts';
import { createVersionReader } from '../database/sqlite.ts';
import { inFolder, isNotFound } from '../files/errno.ts';
import { isOwnFolder, makeFolder } from '../files/folders.ts';
import { fileStampAt } from '../files/identity.ts';
import { openOutput, type PendingOutput } from '../files/pending-output.ts';
import { temporaryPathOf } from '../files/publish.ts';

/** A passage of a text as a voice of a connection speaks it. */
interface TakeRequest {
  readonly connectionId: string;
  /** Address of the service, as the connection's may change; empty for the local engine. */
  readonly address: string;
  readonly text: string;
  readonly settings: VoiceSettings;
}

/** Where the takes of a request are: the folder of its connection, and a hash of all that is heard. */
export interface TakeKey {
  readonly folder: string;
  readonly hash: string;
}

/** A job that is about to call. */
interface TakeCaller {
  readonly id: string;
  readonly createdAt: number;
  readonly connection: { readonly id: string };
  /** Has a snapshot if a watched folder asked for the job, not the user. */
  readonly source: { readonly snapshot: object | null } | null;
}

/** The last call for a passage of a job. Unless its take exists, nobody knows whether it was carried out. */
export interface TakeCall {
  readonly hash: string;
  /** Number of the take that it makes. */
  readonly number: number;
  /** Where its sound is to be fetched from; null before the reply, and if the reply was the sound. */
  readonly audioUrl: string | null;
}

/** A call for the same take by another job. */
export interface OtherCall extends Pick<TakeCall, 'audioUrl'> {
  readonly jobId: string;
  /** True if its answer may still come, where a living process works at the job. */
  readonly isOpen: boolean;
}

/**
 * Takes of passages, kept as files named after what they say, so that no passage is paid for twice: not after a crash, not in
 * another job, not after other passages of the text changed. The file is the only record of a take; it appears under its name
 * once it is whole and on disk.
 */
export interface Takes {
  keyOf(request: TakeRequest): TakeKey;
  /** Path of the take that was chosen, or else of the latest; undefined if there is none. */
  find(key: TakeKey): Promise<string | undefined>;
  /** Paths of all takes, the oldest first. */
  list(key: TakeKey): Promise<readonly string[]>;
  /** Number of the latest take, from 1; 0 if there is none. */
  latestNumber(key: TakeKey): Promise<number>;
  /**
   * The same once `recordCall` is committed, with the takes that other processes made meanwhile. `isCalledElsewhere` says that
   * `findOtherCall` found one, or may have found one that was agreed to.
   */
  refreshLatestNumber(key: TakeKey, isCalledElsewhere: boolean): Promise<number>;
  /** Chooses a take until another is made, by its path from the folder of all takes. Throws `request/invalid` if it is none. */
  choose(media: string): Promise<void>;
  /**
   * Runs `work` once no other job of this process works at the same take, so that two of them never call for it. Rejects with
   * the signal's reason.
   */
  runExclusive<T>(key: TakeKey, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Opens a new take, as the only one of the job. Throws `output/…`. */
  open(key: TakeKey, jobId: string): Promise<PendingOutput>;
  /**
   * Opens a file for the sound of a job that has no takes, which its own folder does not take. It is never published: it stays at
   * `replyPath`. Throws `output/…`.
   */
  openReply(connectionId: string, jobId: string): Promise<PendingOutput>;
  replyPath(connectionId: string, jobId: string): string;
  /** Gives a finished take its name, with a number of at least `number`. `format` has no dot. */
  publish(key: TakeKey, output: PendingOutput, format: string, number?: number): Promise<void>;
  /** Path of a file that the takes of a job are joined in; to be removed after use. */
  joinedPath(key: TakeKey, jobId: string, format: string): string;
  /** Commit before the job calls for a take, and when the address of its sound is known, from the reply or from another job's call. */
  recordCall(jobId: string, call: TakeCall): void;
  /**
   * The call of another job for the same take, unless the user asked for the job after its outcome became doubtful: that agrees to
   * another call. A watched folder agrees to nothing. Its `audioUrl` is null if nobody knows whether it was carried out. Of a call
   * that the job repeats, only one that may still be answered. None that `isAgreedTo`: several jobs may have called.
   */
  findOtherCall(
    key: TakeKey,
    job: TakeCaller,
    number: number,
    isRepeated: boolean,
    isAgreedTo: (other: OtherCall) => boolean,
  ): OtherCall | undefined;
  findCall(jobId: string): TakeCall | undefined;
  /** Call once all takes of the job exist, or if its last call was not carried out. */
  removeCall(jobId: string): void;
  /** True if the job's last call was answered, as far as is known here. */
  isAnswered(jobId: string, connectionId: string): Promise<boolean>;
  /** Number of takes that this process has added to a connection since it trimmed them. */
  addedSinceTrim(connectionId: string): number;
  /** Removes the oldest takes of a connection beyond so many bytes, until `isNeeded`: a job may begin meanwhile. */
  trim(connectionId: string, mostBytes: number, isNeeded: () => boolean): Promise<void>;
  /** Removes all takes of a connection that is gone. */
  removeByConnection(connectionId: string): Promise<void>;
  usage(): Promise<TakeUsage>;
  /** Call while no job needs takes: it would have to pay for them again. Keeps the replies that are of no take. */
  removeAll(): Promise<void>;
  /** Removes what killed processes left of jobs, except of these. */
  removeAbandoned(isNeeded: (jobId: string) => boolean): Promise<void>;
}

const hashOf = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const takeName = /^([0-9a-f]{64})(?:-(\d+))?\.([a-z0-9]{1,16})$/;
/** Format of the empty file that says which take was chosen, by its name. */
const choice = 'chosen';
const unfinishedName = /^(?:\.timbre-([\w-]+)\.part|joined-([\w-]+)\.[a-z0-9]{1,16})$/;
const folderName = /^[0-9a-f]{32}$/;

interface TakesOfHash {
  /** The latest last. */
  readonly takes: readonly { readonly name: string; readonly number: number }[];
  /** Number of the take that the user chose. */
  readonly chosen: number | null;
}

type Listing = Map<string, TakesOfHash>;

const noTakes: TakesOfHash = { takes: [], chosen: null };

/** `folder` is made when the first take is. `askedAt` is when the user asked for what this process does, if not for each job. */
export function createTakes(database: DatabaseSync, folder: string, askedAt = Infinity): Takes {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO take_call (job, hash, audio_url) VALUES (:jobId, :hash, :audioUrl)',
  );
  const select = database.prepare('SELECT hash, audio_url FROM take_call WHERE job = ?');
  const remove = database.prepare('DELETE FROM take_call WHERE job = ?');
  const selectOther = database.prepare(
    `SELECT take_call.audio_url, job.id, state FROM take_call JOIN job ON job.id = take_call.job
     WHERE hash = :hash AND job.id <> :id AND connection_id = :connectionId
       AND ((state = 'converting' AND take_call.audio_url IS NULL) OR (:isRepeated = 0
         AND (take_call.audio_url IS NOT NULL OR (state_changed_at > :knownUntil
           AND (state = 'uncertain' OR (state = 'cancelled' AND instr(problem, '"service/may-charge"') > 0))))))
     ORDER BY take_call.audio_url IS NULL, state <> 'converting'`,
  );

  const readVersion = createVersionReader(database);

  interface Listed {
    readonly listing: Promise<Listing>;
    /** Of the database, before the folder was read. */
    readonly version: unknown;
  }

  /** Takes by folder and hash: a book has thousands, of which most are asked for at once. */
  const listed = new Map<string, Listed>();

  async function readListing(path: string): Promise<Listing> {
    const names = await readdir(path).catch((error: unknown) => {
      if (isNotFound(error)) return [];
      throw error;
    });
    const numbered = names.flatMap((name) => {
      const [, hash, number = '1', format] = takeName.exec(name) ?? [];
      return hash === undefined ? [] : [{ name, hash, number: Number(number), format }];
    });
    const found: Listing = new Map();
    for (const { name, hash, number, format } of numbered.sort((a, b) => a.number - b.number)) {
      const known = found.get(hash) ?? noTakes;
      const isChoice = format === choice;
      found.set(
        hash,
        isChoice ? { ...known, chosen: number } : { ...known, takes: [...known.takes, { name, number }] },
      );
    }
    return found;
  }

  function cachedListing(path: string): Promise<Listing> {
    const known = listed.get(path);
    if (known) return known.listing;
    const version = readVersion();
    const listing = readListing(path);
    listed.set(path, { listing, version });
    listing.catch(() => listed.delete(path));
    return listing;
  }

  /** Number of takes that were added, by folder. */
  const added = new Map<string, number>();
  /** Pending work by take: its folder and hash. */
  const working = new Map<string, Promise<unknown>>();

  const folderOf = (connectionId: string): string => join(folder, hashOf(connectionId).slice(0, 32));

  async function openIn(path: string, jobId: string): Promise<PendingOutput> {
    await inFolder(path, () => makeFolder(path, 0o700));
    return openOutput(path, jobId);
  }

  async function isWhole(path: string): Promise<boolean> {
    const stamp = await fileStampAt(path);
    // On a disk without hard links, a crash may leave an empty file where one was to appear.
    return stamp !== null && stamp.isFile && stamp.sizeBytes > 0;
  }

  const listingOf = async ({ folder: path, hash }: TakeKey): Promise<TakesOfHash> =>
    (await cachedListing(path)).get(hash) ?? noTakes;

  async function find(key: TakeKey): Promise<string | undefined> {
    const { takes, chosen } = await listingOf(key);
    const latestFirst = takes.toReversed();
    const first = latestFirst.find(({ number }) => number === chosen);
    for (const { name } of first ? [first, ...latestFirst] : latestFirst) {
      const path = join(key.folder, name);
      if (await isWhole(path)) return path;
    }
    return undefined;
  }

  async function list(key: TakeKey): Promise<readonly string[]> {
    const paths = (await listingOf(key)).takes.map(({ name }) => join(key.folder, name));
    const whole = await Promise.all(paths.map(isWhole));
    return paths.filter((_, k) => whole[k]);
  }

  async function removeChoice({ folder: path, hash }: TakeKey): Promise<void> {
    const { chosen } = await listingOf({ folder: path, hash });
    if (chosen !== null) await rm(join(path, `${hash}-${chosen}.${choice}`), { force: true });
  }

  async function latestNumber(key: TakeKey): Promise<number> {
    for (const { name, number } of (await listingOf(key)).takes.toReversed())
      if (await isWhole(join(key.folder, name))) return number;
    return 0;
  }

  const addressIn = ({ audio_url: address }: Record<string, unknown>): string | null =>
    typeof address === 'string' ? address : null;
  const storedHash = (hash: string, number: number): string => (number === 1 ? hash : `${hash}-${number}`);

  const findCall = (jobId: string): TakeCall | undefined => {
    const row = select.get(jobId);
    if (!row) return undefined;
    const [hash = '', number = '1'] = String(row['hash']).split('-');
    return { hash, number: Number(number), audioUrl: addressIn(row) };
  };

  /** The folders of connections. */
  async function ownFolders(): Promise<readonly string[]> {
    if (!(await isOwnFolder(folder))) return [];
    const paths = (await readdir(folder)).filter((name) => folderName.test(name)).map((name) => join(folder, name));
    const ours = await Promise.all(paths.map(isOwnFolder));
    return paths.filter((_, k) => ours[k]);
  }

  return {
    keyOf: ({ connectionId, address, text, settings: { voiceId, language, speed, pitch, engine, platform } }) => ({
      folder: folderOf(connectionId),
      hash: hashOf([
        ...[address, text, voiceId, language, speed, pitch, engine, platform],
        ...(connectionId === localConnectionId ? [engineSoundRevision] : []),
      ]),
    }),
    find,
    list,
    latestNumber,
    refreshLatestNumber(key, isCalledElsewhere) {
      // Another process commits before it calls, and again once it has published the take; in between, its call is found.
      if (isCalledElsewhere || listed.get(key.folder)?.version !== readVersion()) listed.delete(key.folder);
      return latestNumber(key);
    },
    async choose(media) {
      const [, directory = '', name = ''] = /^([0-9a-f]{32})\/([^/]+)$/.exec(media) ?? [];
      const [, hash = '', number = '1'] = takeName.exec(name) ?? [];
      const key = { folder: join(folder, directory), hash };
      if (!(await listingOf(key)).takes.some((take) => take.name === name))
        throw new AppError('request/invalid', 'no such take');
      const path = join(key.folder, `${hash}-${number}.${choice}`);
      await inFolder(key.folder, () => writeFile(path, '', { mode: 0o600 }));
      const { takes, chosen } = await listingOf(key);
      if (chosen !== Number(number)) await removeChoice(key);
      (await cachedListing(key.folder)).set(hash, { takes, chosen: Number(number) });
    },
    async runExclusive({ folder: path, hash }, signal, work) {
      const key = join(path, hash);
      const before = working.get(key) ?? Promise.resolve();
      const mine = unlessAborted(before, signal).then(work);
      // Later callers also wait for earlier ones that were aborted.
      const settled = Promise.allSettled([before, mine]);
      working.set(key, settled);
      try {
        return await mine;
      } finally {
        if (working.get(key) === settled) working.delete(key);
      }
    },
    open: ({ folder: path }, jobId) => openIn(path, jobId),
    openReply: (connectionId, jobId) => openIn(folderOf(connectionId), jobId),
    replyPath: (connectionId, jobId) => temporaryPathOf(folderOf(connectionId), jobId),
    async publish(key, output, format, atLeast = 1) {
      const { folder: path, hash } = key;
      const before = Math.max(atLeast - 1, (await listingOf(key)).takes.at(-1)?.number ?? 0);
      let number = 0;
      const published = await output.publish({
        pathFor(attempt) {
          number = before + attempt;
          return join(path, `${hash}${number === 1 ? '' : `-${number}`}.${format}`);
        },
        onReserve: () => undefined,
      });
      added.set(path, (added.get(path) ?? 0) + 1);
      await removeChoice(key);
      const { takes } = await listingOf(key);
      const others = takes.filter((take) => take.number !== number);
      (await cachedListing(path)).set(hash, {
        takes: [...others, { name: basename(published), number }],
        chosen: null,
      });
    },
    joinedPath: ({ folder: path }, jobId, format) => join(path, `joined-${jobId}.${format}`),
    recordCall: (jobId, { hash, number, audioUrl }) =>
      void insert.run({ jobId, hash: storedHash(hash, number), audioUrl }),
    findOtherCall({ hash }, { id, createdAt, connection, source }, number, isRepeated, isAgreedTo) {
      const knownUntil = source?.snapshot ? 0 : Math.min(createdAt, askedAt);
      return selectOther
        .all({
          ...{ hash: storedHash(hash, number), id, knownUntil, connectionId: connection.id },
          isRepeated: Number(isRepeated),
        })
        .map((row) => ({
          audioUrl: addressIn(row),
          jobId: String(row['id']),
          isOpen: row['state'] === 'converting',
        }))
        .find((other) => !isAgreedTo(other));
    },
    findCall,
    removeCall: (jobId) => void remove.run(jobId),
    async isAnswered(jobId, connectionId) {
      const last = findCall(jobId);
      if (!last) return false;
      if (last.audioUrl !== null) return true;
      return (await latestNumber({ folder: folderOf(connectionId), hash: last.hash })) >= last.number;
    },
    addedSinceTrim: (connectionId) => added.get(folderOf(connectionId)) ?? 0,
    async trim(connectionId, mostBytes, isNeeded) {
      const path = folderOf(connectionId);
      added.delete(path);
      const names = [...(await readListing(path)).values()].flatMap(({ takes }) => takes);
      // Another process may be removing them, too.
      const files = names.map(async ({ name }) => ({ name, stamp: await fileStampAt(join(path, name)) }));
      const there = (await Promise.all(files)).flatMap(({ name, stamp }) => (stamp ? { name, ...stamp } : []));
      let bytes = 0;
      for (const { name, sizeBytes } of there.sort((a, b) => b.modifiedMs - a.modifiedMs)) {
        bytes += sizeBytes;
        if (bytes <= mostBytes) continue;
        if (isNeeded()) break;
        await rm(join(path, name), { force: true });
      }
      listed.delete(path);
    },
    async removeByConnection(connectionId) {
      const path = folderOf(connectionId);
      listed.delete(path);
      await rm(path, { recursive: true, force: true });
    },
    async usage() {
      let [count, bytes] = [0, 0];
      for (const path of await ownFolders()) {
        for (const name of await readdir(path)) {
          if (takeName.exec(name)?.[3] === choice || !takeName.test(name)) continue;
          const stamp = await fileStampAt(join(path, name));
          if (!stamp) continue;
          count += 1;
          bytes += stamp.sizeBytes;
        }
      }
      return { takes: count, bytes };
    },
    async removeAll() {
      for (const path of await ownFolders()) {
        listed.delete(path);
        for (const name of await readdir(path)) if (takeName.test(name)) await rm(join(path, name), { force: true });
      }
    },
    async removeAbandoned(isNeeded) {
      for (const path of await ownFolders()) {
        for (const name of await readdir(path)) {
          const [, writing, joining] = unfinishedName.exec(name) ?? [];
          const jobId = writing ?? joining;
          if (jobId !== undefined && !isNeeded(jobId)) await rm(join(path, name), { force: true });
        }
      }
    },
  };
}
