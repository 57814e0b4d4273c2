import { AppError } from '../shared/errors.ts';
import { detectSource } from './detect-format.ts';
import { decodeSound } from './decode-sound.ts';
import { frugalSource, withFileSource } from './container-check.ts';
import { inspectSound, type SoundInspection } from './inspect-sound.ts';
import { frameCount } from './pcm-block.ts';
import { createWorkerPool } from './worker-pool.ts';

export interface LookRequest {
  readonly path: string;
}

/** An error of the system is handed over by its code: whoever asked has its own answer to each. */
export type LookReply =
  | { readonly kind: 'found'; readonly found: SoundInspection }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };

/** Looks at a file as `inspectSound` does, and errors as of it. */
export type LookAtSound = (path: string, options?: { readonly signal?: AbortSignal }) => Promise<SoundInspection>;

export interface SoundLooks {
  readonly look: LookAtSound;
  /** Ends the threads at once; what is being looked at rejects with AppError `job/cancelled`. */
  stop(): Promise<void>;
}

/** No honest file takes as long, not on a slow share either; a hostile one must not hold up the others. */
const deadlineMs = 60_000;
/** For the second opinion of the decoder. */
const decodeMs = 20_000;
/** A length is a quotient; one sample less is less. */
const toleratedSeconds = 1e-6;

/** Whether all that was promised can be heard; not within the time counts as no. */
async function plays(path: string, promisedSeconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  const late = AbortSignal.timeout(decodeMs);
  let frames = 0;
  let rate = 1;
  try {
    const blocks = decodeSound(path, { signal: signal ? AbortSignal.any([signal, late]) : late });
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

/** As `inspectSound`; but a file whose container says that it is cut is refused only if its decoder agrees. Runs on this thread. */
export const lookAtSound: LookAtSound = async (path, options = {}) => {
  const found = await inspectSound(path, options);
  if (found.kind === 'sound' || found.code !== 'input/cut') return found;
  const { promisedSeconds } = found.facts;
  if (promisedSeconds === undefined || !(await plays(path, promisedSeconds, options.signal))) return found;
  const detected = await withFileSource(path, (source) => detectSource(frugalSource(source)));
  return detected ? { kind: 'sound', format: detected.format, durationSeconds: promisedSeconds, open: 'end' } : found;
};

/**
 * Looks in threads of their own, each with a deadline: a file that was built to cost must not hold up a window, a queue or a server. One
 * that takes too long is `input/unreadable`. Owned by whoever creates it; the threads start with the first look.
 */
export function createSoundLooks({ workerUrl }: { readonly workerUrl: URL }): SoundLooks {
  const late = () => new AppError('input/unreadable', `a file was looked at for ${deadlineMs / 1000} s`);
  const pool = createWorkerPool<LookRequest, LookReply>({
    workerUrl,
    size: 4,
    deadline: { ms: deadlineMs, error: late },
  });
  return {
    async look(path, options) {
      try {
        const reply = await pool.run({ path }, options);
        if (reply.kind === 'found') return reply.found;
        throw Object.assign(new Error(reply.message), { code: reply.code });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'input/unreadable') throw error;
        return { kind: 'problem', code: 'input/unreadable', facts: {} };
      }
    },
    stop: pool.stop,
  };
}
