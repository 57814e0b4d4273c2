import { createHash } from 'node:crypto';
import { lstat, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { engineSoundRevision } from '../../../shared/operations.ts';
import type { VoiceSettings } from '../../../shared/schemas/speech.ts';
import { unlessAborted } from '../clock.ts';
import { localConnectionId } from '../connections/local-engine.ts';
import { inFolder, isNotFound } from '../files/errno.ts';
import { makeFolder } from '../files/folders.ts';
import { fileStampAt } from '../files/identity.ts';
import { openOutput, type PendingOutput } from '../files/pending-output.ts';

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

/** The last call for a passage of a job. Unless its take exists, nobody knows whether it was carried out. */
interface TakeCall {
  readonly hash: string;
  /** Where its sound is to be fetched from; null before the reply, and if the reply was the sound. */
  readonly audioUrl: string | null;
}

/**
 * Takes of passages, kept as files named after what they say, so that no passage is paid for twice: not after a crash, not in
 * another job, not after other passages of the text changed. The file is the only record of a take; it appears under its name
 * once it is whole and on disk.
 */
export interface Takes {
  keyOf(request: TakeRequest): TakeKey;
  /** Path of the latest take; undefined if there is none. */
  find(key: TakeKey): Promise<string | undefined>;
  /**
   * Runs `work` once no other job of this process works at the same take, so that two of them never call for it. Rejects with
   * the signal's reason.
   */
  exclusively<T>(key: TakeKey, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Opens a new take, as the only one of the job. Throws `output/…`. */
  open(key: TakeKey, jobId: string): Promise<PendingOutput>;
  /** Gives a finished take its name. `format` has no dot. */
  keep(key: TakeKey, output: PendingOutput, format: string): Promise<void>;
  /** Path of a file that the takes of a job are joined in; to be removed after use. */
  joinedPath(key: TakeKey, jobId: string, format: string): string;
  /** Commit before the call. */
  begin(key: TakeKey, jobId: string): void;
  setAddress(jobId: string, audioUrl: string | null): void;
  call(jobId: string): TakeCall | undefined;
  /** Forgets the job's call once all its takes exist. */
  end(jobId: string): void;
  /** True if the job's last call was answered, as far as is known here. */
  isAnswered(jobId: string, connectionId: string): Promise<boolean>;
  /** Removes the oldest takes of a connection beyond so many bytes. Call while no job needs them. */
  trim(connectionId: string, mostBytes: number): Promise<void>;
  /** Removes all takes of a connection that is gone. */
  forget(connectionId: string): Promise<void>;
  /** Removes what killed processes left of jobs, except of these. */
  removeAbandoned(isOpen: (jobId: string) => boolean): Promise<void>;
}

const hashOf = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const takeName = /^([0-9a-f]{64})(?:-(\d+))?\.[a-z0-9]{1,16}$/;
const unfinishedName = /^(?:\.timbre-([\w-]+)\.part|joined-([\w-]+)\.[a-z0-9]{1,16})$/;
const folderName = /^[0-9a-f]{32}$/;

/** `folder` is made when the first take is. */
export function createTakes(database: DatabaseSync, folder: string): Takes {
  const insert = database.prepare('INSERT OR REPLACE INTO take_call (job, hash) VALUES (:jobId, :hash)');
  const update = database.prepare('UPDATE take_call SET audio_url = :audioUrl WHERE job = :jobId');
  const select = database.prepare('SELECT hash, audio_url FROM take_call WHERE job = ?');
  const remove = database.prepare('DELETE FROM take_call WHERE job = ?');

  /** Names by folder and hash, the latest last: a book has thousands, of which most are asked for at once. */
  const listed = new Map<string, Promise<Map<string, string[]>>>();

  async function list(path: string): Promise<Map<string, string[]>> {
    const names = await readdir(path).catch((error: unknown) => {
      if (isNotFound(error)) return [];
      throw error;
    });
    const numbered = names.flatMap((name) => {
      const [, hash, number = '1'] = takeName.exec(name) ?? [];
      return hash === undefined ? [] : [{ name, hash, number: Number(number) }];
    });
    const found = new Map<string, string[]>();
    for (const { name, hash } of numbered.sort((a, b) => a.number - b.number))
      found.set(hash, [...(found.get(hash) ?? []), name]);
    return found;
  }

  function listOnce(path: string): Promise<Map<string, string[]>> {
    const listing = listed.get(path) ?? list(path);
    listed.set(path, listing);
    listing.catch(() => listed.delete(path));
    return listing;
  }

  /** Those who work at a take, or wait for it, by its hash and folder. */
  const working = new Map<string, Promise<unknown>>();

  const folderOf = (connectionId: string): string => join(folder, hashOf(connectionId).slice(0, 32));

  async function find({ folder: path, hash }: TakeKey): Promise<string | undefined> {
    const names = (await listOnce(path)).get(hash) ?? [];
    for (const name of names.toReversed()) {
      const stamp = await fileStampAt(join(path, name));
      // On a disk without hard links, a crash may leave an empty file where one was to appear.
      if (stamp?.isFile && stamp.sizeBytes > 0) return join(path, name);
    }
    return undefined;
  }

  const call = (jobId: string): TakeCall | undefined => {
    const row = select.get(jobId);
    return row && { hash: String(row['hash']), audioUrl: row['audio_url'] === null ? null : String(row['audio_url']) };
  };

  return {
    keyOf: ({ connectionId, address, text, settings: { voiceId, language, speed, pitch, engine, platform } }) => ({
      folder: folderOf(connectionId),
      hash: hashOf([
        ...[address, text, voiceId, language, speed, pitch, engine, platform],
        ...(connectionId === localConnectionId ? [engineSoundRevision] : []),
      ]),
    }),
    find,
    async exclusively({ folder: path, hash }, signal, work) {
      const key = join(path, hash);
      const before = working.get(key) ?? Promise.resolve();
      const mine = unlessAborted(before, signal).then(work);
      // Who comes next waits for those before this one, too, even if it was aborted.
      const settled = Promise.allSettled([before, mine]);
      working.set(key, settled);
      try {
        return await mine;
      } finally {
        if (working.get(key) === settled) working.delete(key);
      }
    },
    async open({ folder: path }, jobId) {
      await inFolder(path, () => makeFolder(path, 0o700));
      return openOutput(path, jobId);
    },
    async keep({ folder: path, hash }, output, format) {
      const published = await output.publish({
        pathFor: (attempt) => join(path, `${hash}${attempt === 1 ? '' : `-${attempt}`}.${format}`),
        onReserve: () => undefined,
      });
      const names = await listOnce(path);
      names.set(hash, [...(names.get(hash) ?? []), published.slice(path.length + 1)]);
    },
    joinedPath: ({ folder: path }, jobId, format) => join(path, `joined-${jobId}.${format}`),
    begin: ({ hash }, jobId) => void insert.run({ jobId, hash }),
    setAddress: (jobId, audioUrl) => void update.run({ jobId, audioUrl }),
    call,
    end: (jobId) => void remove.run(jobId),
    async isAnswered(jobId, connectionId) {
      const last = call(jobId);
      if (!last) return false;
      return last.audioUrl !== null || (await find({ folder: folderOf(connectionId), hash: last.hash })) !== undefined;
    },
    async trim(connectionId, mostBytes) {
      const path = folderOf(connectionId);
      const names = [...(await list(path)).values()].flat();
      const files = names.map(async (name) => {
        const { size, mtimeMs } = await stat(join(path, name));
        return { name, size, mtimeMs };
      });
      let bytes = 0;
      for (const { name, size } of (await Promise.all(files)).sort((a, b) => b.mtimeMs - a.mtimeMs)) {
        bytes += size;
        if (bytes > mostBytes) await rm(join(path, name), { force: true });
      }
      listed.delete(path);
    },
    async forget(connectionId) {
      const path = folderOf(connectionId);
      listed.delete(path);
      await rm(path, { recursive: true, force: true });
    },
    async removeAbandoned(isOpen) {
      // A link in its place could lead to files that are not ours.
      const isOurs = async (path: string) => (await lstat(path).catch(() => undefined))?.isDirectory() === true;
      const folders = (await isOurs(folder)) ? await readdir(folder) : [];
      for (const path of folders.filter((name) => folderName.test(name)).map((name) => join(folder, name))) {
        if (!(await isOurs(path))) continue;
        for (const name of await readdir(path)) {
          const [, writing, joining] = unfinishedName.exec(name) ?? [];
          const jobId = writing ?? joining;
          if (jobId !== undefined && !isOpen(jobId)) await rm(join(path, name), { force: true });
        }
      }
    },
  };
}
