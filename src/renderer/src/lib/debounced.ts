export interface Debounced {
  ask(): void;
  /** What was asked for is not needed any more. */
  clear(): void;
}

/** Runs once nobody has asked again for `delayMs`, and `longestMs` after the first that asked at the latest. */
export function debounced(run: () => void, { delayMs, longestMs }: { delayMs: number; longestMs: number }): Debounced {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let latest: ReturnType<typeof setTimeout> | undefined;

  function clear(): void {
    clearTimeout(pause);
    clearTimeout(latest);
    latest = undefined;
  }
  function runNow(): void {
    clear();
    run();
  }

  return {
    ask() {
      clearTimeout(pause);
      pause = setTimeout(runNow, delayMs);
      latest ??= setTimeout(runNow, longestMs);
    },
    clear,
  };
}
