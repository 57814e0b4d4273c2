export interface Debounced {
  call(): void;
  /** Drops the pending call. */
  cancel(): void;
}

/** Runs when there was no call for `delayMs`, or `maxDelayMs` after the first call at the latest. */
export function debounced(
  run: () => void,
  { delayMs, maxDelayMs }: { delayMs: number; maxDelayMs: number },
): Debounced {
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let maxTimer: ReturnType<typeof setTimeout> | undefined;

  function cancel(): void {
    clearTimeout(idleTimer);
    clearTimeout(maxTimer);
    maxTimer = undefined;
  }
  function runNow(): void {
    cancel();
    run();
  }

  return {
    call() {
      clearTimeout(idleTimer);
      idleTimer = setTimeout(runNow, delayMs);
      maxTimer ??= setTimeout(runNow, maxDelayMs);
    },
    cancel,
  };
}
