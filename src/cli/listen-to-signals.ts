import { AppError } from '../shared/app-error.ts';
import type { Invocation } from './command.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';

interface Process {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  once(signal: NodeJS.Signals, listener: () => void): unknown;
  exit(code: ExitCode): void;
}

/**
 * Ctrl-C takes back what was asked for, and a second one waits for nothing. SIGTERM and SIGHUP end the process only; a second one
 * does what it does to any process. `tidy` leaves the terminal as it should be.
 */
export function listenToSignals(process: Process, tidy: () => void): Pick<Invocation, 'signal' | 'leaving'> {
  const interrupted = new AbortController();
  const leaving = new AbortController();
  const reason = (signal: string) => new AppError('job/cancelled', `stopped by ${signal}`);
  process.on('SIGINT', () => {
    if (interrupted.signal.aborted) {
      tidy();
      process.exit(exitCodes.cancelled);
    } else interrupted.abort(reason('SIGINT'));
  });
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => leaving.abort(reason(signal)));
  return { signal: AbortSignal.any([interrupted.signal, leaving.signal]), leaving: leaving.signal };
}
