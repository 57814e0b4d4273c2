import { mkdirSync, rmSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { bytesPerColumn, type Fold, foldColumns } from '../../sound/waveform-columns.ts';
import { createSoundReader, type SoundReader } from '../../sound/sound-reader.ts';
import { contentHash } from './files/content.ts';
import { hasEnded, type Job } from './jobs/job.ts';

/** Drawings of sounds by their content, so that a sound is drawn at once, and also when its file is gone. */
export interface WaveformCache {
  get(sha256: string): Fold | undefined;
  put(sha256: string, fold: Fold): void;
  stop(): void;
}

interface Options {
  readonly folder: string;
  /** So many are kept; those that nobody saw for longest go first. */
  readonly most?: number;
}

const fileName = 'folds.db';
/** 3 kB each. */
const mostKept = 50_000;
/** Not at each one that is put. */
const trimEvery = 200;

const schema = `
CREATE TABLE IF NOT EXISTS fold (
  sha256 TEXT NOT NULL UNIQUE,
  columns BLOB NOT NULL,
  duration_seconds REAL NOT NULL,
  level_db REAL,
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS fold_used ON fold (used);
`;

const row = v.object({
  columns: v.pipe(v.instance(Uint8Array<ArrayBuffer>), v.length(foldColumns * bytesPerColumn)),
  duration_seconds: v.number(),
  level_db: v.nullable(v.number()),
});

/** What is in it can be drawn again: a file that is no database, or not this one, is thrown away. */
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
  } catch {
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    return open();
  }
}

/** Opened at the first call. A cache that cannot be used is no reason to show nothing: it then keeps nothing. */
export function createWaveformCache({ folder, most = mostKept }: Options): WaveformCache {
  let database: DatabaseSync | null | undefined;
  let puts = 0;
  let turn = 0;

  /** Runs `work` with the open cache; `instead` where there is none, or it is damaged. */
  function withCache<T>(work: (open: DatabaseSync) => T, instead: T): T {
    if (database === null) return instead;
    try {
      database ??= openFile(folder);
      return work(database);
    } catch {
      if (database?.isOpen) database.close();
      database = null;
      return instead;
    }
  }

  /** Later than all that was used before. */
  function now(open: DatabaseSync): number {
    turn ||= Number(open.prepare('SELECT coalesce(max(used), 0) AS used FROM fold').get()?.['used']);
    return (turn += 1);
  }

  return {
    get: (sha256) =>
      withCache((open) => {
        const found = open.prepare('SELECT columns, duration_seconds, level_db FROM fold WHERE sha256 = ?').get(sha256);
        if (!found) return undefined;
        const { columns, duration_seconds: durationSeconds, level_db: levelDb } = v.parse(row, found);
        open.prepare('UPDATE fold SET used = ? WHERE sha256 = ?').run(now(open), sha256);
        return { columns, durationSeconds, levelDb };
      }, undefined),
    put: (sha256, { columns, durationSeconds, levelDb }) =>
      withCache((open) => {
        open
          .prepare(
            'INSERT OR REPLACE INTO fold (sha256, columns, duration_seconds, level_db, used) VALUES (?, ?, ?, ?, ?)',
          )
          .run(sha256, columns, durationSeconds, levelDb, now(open));
        puts += 1;
        if (puts % trimEvery !== 0) return;
        open
          .prepare('DELETE FROM fold WHERE used <= (SELECT used FROM fold ORDER BY used DESC LIMIT 1 OFFSET ?)')
          .run(most);
      }, undefined),
    stop() {
      if (database?.isOpen) database.close();
      database = null;
    },
  };
}

/** A sound of a job: by its hash, null as long as nobody knows it, it may be drawn without its file. */
export interface RecordedSound {
  readonly path: string;
  readonly sha256: string | null;
}

/** Undefined where the job has none. */
export function soundOf(job: Job, side: 'source' | 'result'): RecordedSound | undefined {
  if (side === 'result') {
    if (job.state !== 'done' || !job.output) return undefined;
    return { path: job.output.path, sha256: job.finished?.sha256 ?? null };
  }
  if (job.kind === 'speech') return undefined;
  // Until the job has ended it may be another sound by the next try.
  return { path: job.source.path, sha256: hasEnded(job) ? job.sourceSha256 : null };
}

/** As long as it stays the same, nobody has written to the file. Undefined where nothing can be seen there. */
async function stateOf(path: string): Promise<{ readonly name: string; readonly sizeBytes: number } | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return { name: [path, dev, ino, size, mtimeNs, ctimeNs].join('\n'), sizeBytes: Number(size) };
  } catch {
    return undefined;
  }
}

/** Null where it cannot be read to its end as it stands: then it is drawn, and not kept. */
async function hashOf(path: string, sizeBytes: number, signal: AbortSignal): Promise<string | null> {
  try {
    return await contentHash(await realpath(path), sizeBytes, signal);
  } catch {
    return null;
  }
}

interface Dependencies {
  readonly soundReader: Pick<SoundReader, 'fold'>;
  readonly cache: WaveformCache;
}

/** A few hundred bytes each. */
const maxRemembered = 10_000;

/** Draws a sound: from what is known of its content, else from its file. Rejects as `SoundReader.fold`. */
export type DrawWaveform = (sound: RecordedSound, signal: AbortSignal) => Promise<Fold>;

/** A drawing is kept under the hash of what lay there when it was drawn, which need not be what was recorded. */
export function createDrawWaveform({ soundReader, cache }: Dependencies): DrawWaveform {
  /** Hashes by the states of files: one recording may be the original of many jobs that wait. */
  const remembered = new Map<string, string>();
  const drawn = (sha256: string | null | undefined) => (typeof sha256 === 'string' ? cache.get(sha256) : undefined);

  function keep(state: string, sha256: string, fold: Fold): void {
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(state, sha256);
    cache.put(sha256, fold);
  }

  async function drawFile(path: string, signal: AbortSignal): Promise<Fold> {
    const before = await stateOf(path);
    const known = before && drawn(remembered.get(before.name));
    if (known) return known;
    const [fold, sha256] = await Promise.all([
      soundReader.fold(path, { signal }),
      before ? hashOf(path, before.sizeBytes, signal) : null,
    ]);
    const after = await stateOf(path);
    if (before && sha256 !== null && after?.name === before.name) keep(before.name, sha256, fold);
    return fold;
  }

  return async ({ path, sha256 }, signal) => drawn(sha256) ?? drawFile(path, signal);
}

/** Draws sounds in a thread, and keeps the drawings in the data folder. */
export interface Waveforms {
  readonly draw: DrawWaveform;
  stop(): Promise<void>;
}

interface WaveformsDependencies {
  readonly folder: string;
  /** As for `createSoundReader`. */
  readonly workerUrl: URL;
}

export function createWaveforms({ folder, workerUrl }: WaveformsDependencies): Waveforms {
  const soundReader = createSoundReader({ workerUrl });
  const cache = createWaveformCache({ folder });
  return {
    draw: createDrawWaveform({ soundReader, cache }),
    async stop() {
      await soundReader.stop();
      cache.stop();
    },
  };
}
