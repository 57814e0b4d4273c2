import { mkdirSync, rmSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { bytesPerColumn, type Waveform, waveformColumns } from '../../sound/waveform.ts';
import { createSoundReader, type SoundReader } from '../../sound/sound-reader.ts';
import type { Clock } from './clock.ts';
import { type AttendedReads, createAttendedReads } from './files/attended-reads.ts';
import { contentHash } from './files/content.ts';
import { hasResultCode } from './database/sqlite.ts';
import type { RecordedSound } from './recorded-sound.ts';

/** Caches waveforms by content hash, so that they show at once, even if the file is gone. */
export interface WaveformCache {
  get(sha256: string): Waveform | undefined;
  put(sha256: string, waveform: Waveform): void;
  stop(): void;
}

interface Options {
  readonly folder: string;
  /** Maximum number of waveforms kept; the least recently used are removed first. */
  readonly most?: number;
}

const fileName = 'waveforms.db';
/** 3 kB each. */
const mostKept = 50_000;
/** Trims once per this many insertions. */
const trimEvery = 200;

const schema = `
CREATE TABLE IF NOT EXISTS waveform (
  sha256 TEXT NOT NULL UNIQUE,
  columns BLOB NOT NULL,
  duration_seconds REAL NOT NULL,
  level_db REAL,
  last_used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS waveform_last_used_at ON waveform (last_used_at);
`;

const row = v.object({
  columns: v.pipe(v.instance(Uint8Array<ArrayBuffer>), v.length(waveformColumns * bytesPerColumn)),
  duration_seconds: v.number(),
  level_db: v.nullable(v.number()),
});

/** SQLITE_ERROR (another schema), SQLITE_CORRUPT and SQLITE_NOTADB: https://www.sqlite.org/rescode.html */
const invalidFileCodes = [1, 11, 26] as const;

/** Opens the cache. An invalid file is deleted, as its content can be computed again; one that is only locked is not. */
function openFile(folder: string): DatabaseSync {
  const path = join(folder, fileName);
  const open = () => {
    const database = new DatabaseSync(path, { timeout: 1000 });
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${schema}`);
    return database;
  };
  mkdirSync(folder, { recursive: true });
  try {
    return open();
  } catch (error) {
    if (!hasResultCode(error, invalidFileCodes)) throw error;
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    return open();
  }
}

/** Calls without a cache after it failed: a lock or a full disk may last, and each attempt may wait for it. */
const callsWithoutCache = 50;

/** Opens on the first call. While the cache is unusable, it stores nothing, and waveforms are computed each time. */
export function createWaveformCache({ folder, most = mostKept }: Options): WaveformCache {
  let database: DatabaseSync | undefined;
  let isStopped = false;
  let skips = 0;
  let puts = 0;
  let turn = 0;

  /** Runs `work` with the open cache; returns `instead` if there is none or it is damaged. */
  function withCache<T>(work: (open: DatabaseSync) => T, instead: T): T {
    if (isStopped) return instead;
    if (skips > 0) {
      skips -= 1;
      return instead;
    }
    try {
      database ??= openFile(folder);
      return work(database);
    } catch {
      if (database?.isOpen) database.close();
      database = undefined;
      skips = callsWithoutCache;
      return instead;
    }
  }

  /** A counter higher than all earlier `last_used_at` values. */
  function now(open: DatabaseSync): number {
    turn ||= Number(open.prepare('SELECT coalesce(max(last_used_at), 0) AS last FROM waveform').get()?.['last']);
    return (turn += 1);
  }

  return {
    get: (sha256) =>
      withCache((open) => {
        const found = open
          .prepare('SELECT columns, duration_seconds, level_db FROM waveform WHERE sha256 = ?')
          .get(sha256);
        if (!found) return undefined;
        const { columns, duration_seconds: durationSeconds, level_db: levelDb } = v.parse(row, found);
        open.prepare('UPDATE waveform SET last_used_at = ? WHERE sha256 = ?').run(now(open), sha256);
        return { columns, durationSeconds, levelDb };
      }, undefined),
    put: (sha256, { columns, durationSeconds, levelDb }) =>
      withCache((open) => {
        open
          .prepare(
            'INSERT OR REPLACE INTO waveform (sha256, columns, duration_seconds, level_db, last_used_at) VALUES (?, ?, ?, ?, ?)',
          )
          .run(sha256, columns, durationSeconds, levelDb, now(open));
        puts += 1;
        if (puts % trimEvery !== 0) return;
        open
          .prepare(
            'DELETE FROM waveform WHERE last_used_at <= (SELECT last_used_at FROM waveform ORDER BY last_used_at DESC LIMIT 1 OFFSET ?)',
          )
          .run(most);
      }, undefined),
    stop() {
      isStopped = true;
      if (database?.isOpen) database.close();
      database = undefined;
    },
  };
}

/** A stamp that changes whenever the file is written. Undefined if the file cannot be read. */
async function stateOf(path: string): Promise<{ readonly name: string; readonly sizeBytes: number } | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return { name: [path, dev, ino, size, mtimeNs, ctimeNs].join('\n'), sizeBytes: Number(size) };
  } catch {
    return undefined;
  }
}

/** Null if the file cannot be read to its end; its waveform is then not cached. */
async function hashOf(path: string, sizeBytes: number, signal: AbortSignal): Promise<string | null> {
  try {
    return await contentHash(await realpath(path), sizeBytes, signal);
  } catch {
    return null;
  }
}

interface Dependencies {
  readonly soundReader: Pick<SoundReader, 'readWaveform'>;
  readonly cache: WaveformCache;
  readonly reads: AttendedReads;
}

/** A few hundred bytes each. */
const maxRemembered = 10_000;

/** Returns a waveform from the cache, or else from the file. Rejects like `SoundReader.readWaveform` and `AttendedReads.read`. */
export type DrawWaveform = (sound: RecordedSound, signal: AbortSignal) => Promise<Waveform>;

/** Caches a waveform under the hash of the file as read, which may differ from the recorded hash. */
export function createDrawWaveform({ soundReader, cache, reads }: Dependencies): DrawWaveform {
  /** Hashes by file stamp, as one recording may be the source of many waiting jobs. */
  const remembered = new Map<string, string>();
  const drawn = (sha256: string | null | undefined) => (typeof sha256 === 'string' ? cache.get(sha256) : undefined);

  function keep(state: string, sha256: string, waveform: Waveform): void {
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(state, sha256);
    cache.put(sha256, waveform);
  }

  async function drawFile(path: string, signal: AbortSignal): Promise<Waveform> {
    const before = await stateOf(path);
    const known = before && drawn(remembered.get(before.name));
    if (known) return known;
    const [waveform, sha256] = await Promise.all([
      soundReader.readWaveform(path, { signal }),
      before ? hashOf(path, before.sizeBytes, signal) : null,
    ]);
    const after = await stateOf(path);
    if (before && sha256 !== null && after?.name === before.name) keep(before.name, sha256, waveform);
    return waveform;
  }

  return async ({ path, sha256 }, signal) =>
    drawn(sha256) ?? reads.read({ key: path, path }, signal, (attended) => drawFile(path, attended.signal));
}

/** Computes waveforms in a worker thread and caches them in the data folder. */
export interface Waveforms {
  readonly draw: DrawWaveform;
  stop(): Promise<void>;
}

interface WaveformsDependencies {
  readonly folder: string;
  /** See `createSoundReader`. */
  readonly workerUrl: URL;
  readonly ffmpeg: () => Promise<string | null>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly platform: NodeJS.Platform;
}

export function createWaveforms({ folder, workerUrl, ffmpeg, clock, platform }: WaveformsDependencies): Waveforms {
  const soundReader = createSoundReader({ workerUrl, ffmpeg });
  const cache = createWaveformCache({ folder });
  return {
    draw: createDrawWaveform({ soundReader, cache, reads: createAttendedReads(clock, platform) }),
    async stop() {
      await soundReader.stop();
      cache.stop();
    },
  };
}
