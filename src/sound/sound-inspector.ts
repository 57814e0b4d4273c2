import { AppError } from '../shared/errors.ts';
import { detectSource } from './detect-format.ts';
import { decodeSound } from './decode-sound.ts';
import { limitedSource, withFileSource } from './container-check.ts';
import { inspectSound, type SoundInspection } from './inspect-sound.ts';
import { frameCount } from './pcm-block.ts';
import { createWorkerPool } from './worker-pool.ts';

export interface InspectRequest {
  readonly path: string;
}

/** System errors are passed with their code and call, because callers handle each differently. */
export type InspectReply =
  | { readonly kind: 'found'; readonly found: SoundInspection }
  | {
      readonly kind: 'failed';
      readonly error: Pick<NodeJS.ErrnoException, 'code' | 'syscall'>;
      readonly message: string;
    };

/** Inspects a file like `inspectSound` and throws the same errors. */
export type InspectSound = (path: string, options?: { readonly signal?: AbortSignal }) => Promise<SoundInspection>;

export interface SoundInspector {
  readonly inspect: InspectSound;
  /** Ends the workers at once. Running checks reject with AppError `job/cancelled`. */
  stop(): Promise<void>;
}

/** No real file takes this long, even on a slow share; a crafted one must not delay the others. */
const timeoutMs = 60_000;
/** Limit for decoding a file whose container says it is cut. */
const decodeTimeoutMs = 20_000;
/** Tolerates rounding of the duration, which is a quotient, but not a missing sample. */
const toleratedSeconds = 1e-6;

/** Decodes the file. True if it has the promised duration; false if decoding takes too long. */
async function isPlayable(path: string, promisedSeconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  const timeout = AbortSignal.timeout(decodeTimeoutMs);
  let frames = 0;
  let rate = 1;
  try {
    const blocks = decodeSound(path, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    for await (const { channels, sampleRate } of blocks) {
      frames += frameCount(channels);
      rate = sampleRate;
    }
  } catch {
    signal?.throwIfAborted();
    return false;
  }
  return frames / rate >= promisedSeconds - toleratedSeconds;
}

/**
 * Inspects a file like `inspectSound`, but rejects a file whose container says it is cut only if the
 * decoder agrees. Runs on this thread.
 */
export const inspectAndVerify: InspectSound = async (path, options = {}) => {
  const found = await inspectSound(path, options);
  if (found.kind === 'sound' || found.code !== 'input/cut') return found;
  const { promisedSeconds } = found.facts;
  if (promisedSeconds === undefined || !(await isPlayable(path, promisedSeconds, options.signal))) return found;
  const detected = await withFileSource(path, (source) => detectSource(limitedSource(source)));
  return detected ? { kind: 'sound', format: detected.format, durationSeconds: promisedSeconds, open: 'end' } : found;
};

/**
 * Inspects files in worker threads, each with a timeout, so that a crafted file cannot block the
 * window, the queue or the server. A file that takes too long is `input/unreadable`. The creator
 * owns it; the workers start with the first check.
 */
export function createSoundInspector({ workerUrl }: { readonly workerUrl: URL }): SoundInspector {
  const timeout = () => new AppError('input/unreadable', `a file could not be inspected within ${timeoutMs / 1000} s`);
  const pool = createWorkerPool<InspectRequest, InspectReply>({
    workerUrl,
    size: 4,
    deadline: { ms: timeoutMs, error: timeout },
  });
  return {
    async inspect(path, options) {
      try {
        const reply = await pool.run({ path }, options);
        if (reply.kind === 'found') return reply.found;
        throw Object.assign(new Error(reply.message), reply.error);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'input/unreadable') throw error;
        return { kind: 'problem', code: 'input/unreadable', facts: {} };
      }
    },
    stop: pool.stop,
  };
}
