/** Milliseconds of the processor that turns of this process took. */
export interface Turns {
  readonly p99Ms: number;
  readonly mostMs: number;
}

/** Turns that take less are idle: while work waits for the disk there are so many of them that they would hide the others. */
const workMs = 1;

function turnsOf(tookMs: readonly number[]): Turns {
  const sorted = tookMs.filter((ms) => ms >= workMs).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { p99Ms: at(0.99), mostMs: at(1) };
}

/** A look at this thread every few milliseconds, for what lasts for minutes and mostly waits. `end` gives what it had to do between two of them. */
export function sampleTurns(everyMs = 5): { end(): Turns } {
  const tookMs: number[] = [];
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    tookMs.push((user + system) / 1000);
    last = process.threadCpuUsage();
  }, everyMs);
  return {
    end() {
      clearInterval(timer);
      return turnsOf(tookMs);
    },
  };
}

/** Measures the CPU time of this thread's turns, which does not depend on other programs. */
export async function measureTurns<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turns: Turns }> {
  const tookMs: number[] = [];
  let last = process.threadCpuUsage();
  let isOver = false;
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last);
    tookMs.push((user + system) / 1000);
    last = process.threadCpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    turn();
    return { result, turns: turnsOf(tookMs) };
  } finally {
    isOver = true;
  }
}
