import { AppError } from '../shared/errors.ts';
import type { Invocation } from './args.ts';

interface Process {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  once(signal: NodeJS.Signals, listener: () => void): unknown;
}

interface SignalHooks {
  /** Ends the process at once, as if by `signal`. */
  end(signal: NodeJS.Signals): void;
  /** Reports a slow end unless `mustEnd`. Returns false if the command waits on purpose, which prevents a forced end. */
  onSlow(mustEnd: boolean): boolean;
  /** Reports what an end that has begun is waiting for, to whoever asks for it again. */
  onAskedAgain(): void;
  after(ms: number, work: () => void): void;
}

interface Signals extends Pick<Invocation, 'signal' | 'shutdownSignal'> {
  /** Ends the process as SIGTERM does. */
  shutDown(why: string): void;
}

/** A longer wait needs an explanation. */
const slowNoticeMs = 1500;
const forcedEndMs = 4500;

/**
 * Ctrl-C cancels the jobs, and a second one ends the process at once. SIGTERM and SIGHUP end the process but keep
 * its jobs; a second one has its default effect. A hanging end is reported and then forced, unless the command waits on purpose.
 */
export function handleSignals(process: Process, { end, onSlow, onAskedAgain, after }: SignalHooks): Signals {
  const interrupted = new AbortController();
  const shutdown = new AbortController();
  const reason = (signal: string) => new AppError('job/cancelled', `stopped by ${signal}`);

  function begin(controller: AbortController, why: string, signal: NodeJS.Signals): void {
    if (controller.signal.aborted) return;
    controller.abort(reason(why));
    after(slowNoticeMs, () => void onSlow(false));
    after(forcedEndMs, () => {
      if (onSlow(true)) end(signal);
    });
  }

  process.on('SIGINT', () => {
    if (interrupted.signal.aborted) end('SIGINT');
    else begin(interrupted, 'SIGINT', 'SIGINT');
  });
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // A closed pipe may have begun it, without a word.
      if (shutdown.signal.aborted) onAskedAgain();
      else begin(shutdown, signal, signal);
    });
  }
  return {
    signal: AbortSignal.any([interrupted.signal, shutdown.signal]),
    shutdownSignal: shutdown.signal,
    shutDown: (why) => begin(shutdown, why, 'SIGTERM'),
  };
}
