/** A pause that others can end. One at a time. */
export interface Nap {
  /** Resolves after `ms`, when `end` was called, now or since the last pause, and when the signal is aborted. */
  sleep(ms: number): Promise<void>;
  end(): void;
}

export function createNap(signal: AbortSignal): Nap {
  let wake: (() => void) | undefined;
  let isWanted = false;
  const end = () => {
    isWanted = true;
    wake?.();
  };
  signal.addEventListener('abort', end, { once: true });
  return {
    end,
    async sleep(ms) {
      if (!isWanted && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = undefined;
      isWanted = signal.aborted;
    },
  };
}
