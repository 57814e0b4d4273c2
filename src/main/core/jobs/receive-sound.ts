import { AppError } from '../../../shared/errors.ts';
import type { PendingOutput } from '../files/pending-output.ts';
import { diskCheckMs } from './retry-policy.ts';
import type { StepContext } from './step.ts';

/** More than a service sends in one reply. */
const maxHeldBytes = 64 * 1024 ** 2;

/** True if a disk did not take the sound, rather than that the sound is not what it should be. */
const isUnwritten = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code.startsWith('output/') || error.code === 'system/too-many-files');

interface ReceivedSound {
  /** Rejects only if a reply is larger than what is held in memory, and could not be written. */
  write(chunk: Buffer): Promise<void>;
  /**
   * Calls `finish` with the file once all chunks are written. If a disk does not take the sound, repeats it in the next place, and
   * from the first again until one takes it or the signal aborts. Rejects with what else `finish` throws, and the signal's reason.
   */
  finish<T>(finish: (output: PendingOutput) => Promise<T>): Promise<T>;
  /** Removes the file that was written last, unless it was published. */
  discard(): Promise<void>;
}

/**
 * Receives the sound of a paid reply, which exists nowhere else: accepts it as fast as it arrives, as a service closes a connection
 * that waits for a disk, and holds it in memory until a file in one of the `places` is finished. The queue is paused while none can be.
 */
export function receiveSound(
  [first, ...others]: readonly [() => Promise<PendingOutput>, ...(() => Promise<PendingOutput>)[]],
  { sleep, pauseForDisk }: Pick<StepContext, 'sleep' | 'pauseForDisk'>,
  signal: AbortSignal,
): ReceivedSound {
  /** The whole sound; null if that is too large. */
  let held: Buffer[] | null = [];
  let bytes = 0;
  let output: PendingOutput | undefined;
  let written = Promise.resolve();

  async function discard(): Promise<void> {
    await written.catch(() => undefined);
    await output?.discard();
    output = undefined;
  }

  /** Writes all that is held again. */
  async function rewrite(open: () => Promise<PendingOutput>, chunks: readonly Buffer[]): Promise<PendingOutput> {
    await discard();
    output = await open();
    for (const chunk of chunks) await output.write(chunk);
    return output;
  }

  async function firstFile(): Promise<PendingOutput> {
    await written;
    if (!output) throw new Error('a reply without sound');
    return output;
  }

  return {
    async write(chunk) {
      bytes += chunk.length;
      if (bytes > maxHeldBytes) held = null;
      held?.push(chunk);
      written = written.then(async () => {
        output ??= await first();
        await output.write(chunk);
      });
      written.catch(() => undefined);
      if (!held) await written;
    },
    async finish(finish) {
      const attempts = [first, first, ...others];
      for (let attempt = 0; ; attempt += 1) {
        try {
          const open = attempts[attempt % attempts.length] ?? first;
          return await finish(attempt === 0 || !held ? await firstFile() : await rewrite(open, held));
        } catch (error) {
          signal.throwIfAborted();
          if (!held || !isUnwritten(error)) throw error;
          if (attempt % attempts.length < attempts.length - 1) continue;
          pauseForDisk(error);
          await sleep(diskCheckMs, signal);
        }
      }
    },
    discard,
  };
}
