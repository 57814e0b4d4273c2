import { stat } from 'node:fs/promises';
import type { Fold } from '../../../sound/fold-columns.ts';
import type { SoundReader } from '../../../sound/sound-reader.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import type { FoldCache } from './fold-cache.ts';

export type Side = 'source' | 'result';

/** A sound of a job as it was recorded: by its hash it may be drawn without its file, as long as that is what lies there. */
interface RecordedSound {
  readonly path: string;
  readonly sha256: string | null;
  readonly sizeBytes: number | null;
  /** Nanoseconds since 1970; null where only the size is known. */
  readonly modifiedNs: string | null;
}

/** Undefined where the job has none. */
export function soundOf(job: Job, side: Side): RecordedSound | undefined {
  if (side === 'result') {
    if (job.state !== 'done' || !job.output) return undefined;
    const { sha256 = null, sizeBytes = null } = job.finished ?? {};
    return { path: job.output.path, sha256, sizeBytes, modifiedNs: null };
  }
  if (job.kind === 'speech') return undefined;
  const { path, snapshot } = job.source;
  return {
    path,
    // Until then it may be another sound by the next try.
    sha256: hasEnded(job) ? job.sourceSha256 : null,
    sizeBytes: snapshot?.sizeBytes ?? null,
    modifiedNs: snapshot?.modifiedNs ?? null,
  };
}

async function isAsRecorded({ path, sizeBytes, modifiedNs }: RecordedSound): Promise<boolean> {
  try {
    const found = await stat(path, { bigint: true });
    return Number(found.size) === sizeBytes && (modifiedNs === null || String(found.mtimeNs) === modifiedNs);
  } catch {
    return false;
  }
}

interface Dependencies {
  readonly soundReader: Pick<SoundReader, 'fold'>;
  readonly cache: FoldCache;
}

/** Draws a sound: from what is known of its content, else from its file. Rejects as `SoundReader.fold`. */
export type DrawSound = (sound: RecordedSound, signal: AbortSignal) => Promise<Fold>;

export const createDrawSound =
  ({ soundReader, cache }: Dependencies): DrawSound =>
  async (sound, signal) => {
    const { path, sha256 } = sound;
    if (sha256 === null) return soundReader.fold(path, { signal });
    const known = cache.get(sha256);
    if (known) return known;
    const wasThere = await isAsRecorded(sound);
    const fold = await soundReader.fold(path, { signal });
    // What was changed meanwhile has another hash.
    if (wasThere && (await isAsRecorded(sound))) cache.put(sha256, fold);
    return fold;
  };
