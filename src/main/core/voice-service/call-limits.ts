import { AppError } from '../../../shared/app-error.ts';

/** What a timer can hold: 24 days. A longer wait would end at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** What one call has to keep to. Owned by that call, which must end it. */
export interface CallLimits {
  /** Aborted with the caller's reason, or with `network/timeout`. */
  readonly signal: AbortSignal;
  /** Ends the call when `ms` have passed, unless what it returns is called before. `phase` is for the log. */
  within(ms: number, phase: string): () => void;
  end(): void;
}

export function createCallLimits(caller: AbortSignal, host: string): CallLimits {
  const controller = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const giveUp = () => controller.abort(caller.reason);
  caller.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    within(ms, phase) {
      const expire = () =>
        controller.abort(new AppError('network/timeout', `${host}: too slow ${phase}`, { facts: { host } }));
      const timer = setTimeout(expire, Math.min(ms, longestTimerMs));
      timers.add(timer);
      return () => {
        clearTimeout(timer);
        timers.delete(timer);
      };
    },
    end() {
      caller.removeEventListener('abort', giveUp);
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
