import { realpath, stat } from 'node:fs/promises';
import type { Fold } from '../../../sound/fold-columns.ts';
import type { SoundReader } from '../../../sound/sound-reader.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import { contentHash } from './content-hash.ts';
import type { FoldCache } from './fold-cache.ts';

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
  readonly cache: FoldCache;
}

/** A few hundred bytes each. */
const maxRemembered = 10_000;

/** Draws a sound: from what is known of its content, else from its file. Rejects as `SoundReader.fold`. */
export type DrawSound = (sound: RecordedSound, signal: AbortSignal) => Promise<Fold>;

/** A drawing is kept under the hash of what lay there when it was drawn, which need not be what was recorded. */
export function createDrawSound({ soundReader, cache }: Dependencies): DrawSound {
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
