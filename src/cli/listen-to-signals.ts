import { AppError } from '../shared/errors.ts';
import type { Invocation } from './command.ts';

interface Process {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  once(signal: NodeJS.Signals, listener: () => void): unknown;
}

interface Ending {
  /** Ends the process at once, which `signal` told to. */
  end(signal: NodeJS.Signals): void;
  /** Says that the end takes longer, unless it must be made now. False where a command waits on purpose. */
  onSlow(mustEnd: boolean): boolean;
  after(ms: number, work: () => void): void;
}

interface Signals extends Pick<Invocation, 'signal' | 'leaving'> {
  /** Does what SIGTERM does. */
  leave(why: string): void;
}

/** A person sees nothing happen for longer than this only if something says why. */
const slowMs = 1500;
const endMs = 4500;

/**
 * Ctrl-C takes back what was asked for, and a second one waits for nothing. SIGTERM and SIGHUP end the process only; a second one
 * does what it does to any process. An end that hangs is said, and then made, unless the command waits on purpose.
 */
export function listenToSignals(process: Process, { end, onSlow, after }: Ending): Signals {
  const interrupted = new AbortController();
  const leaving = new AbortController();
  const reason = (signal: string) => new AppError('job/cancelled', `stopped by ${signal}`);

  function begin(controller: AbortController, why: string, signal: NodeJS.Signals): void {
    if (controller.signal.aborted) return;
    controller.abort(reason(why));
    after(slowMs, () => void onSlow(false));
    after(endMs, () => {
      if (onSlow(true)) end(signal);
    });
  }

  process.on('SIGINT', () => {
    if (interrupted.signal.aborted) end('SIGINT');
    else begin(interrupted, 'SIGINT', 'SIGINT');
  });
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => begin(leaving, signal, signal));
  return {
    signal: AbortSignal.any([interrupted.signal, leaving.signal]),
    leaving: leaving.signal,
    leave: (why) => begin(leaving, why, 'SIGTERM'),
  };
}
