/** Milliseconds of the processor that turns of this process took. */
export interface Turns {
  readonly p99Ms: number;
  readonly mostMs: number;
}

/** Measures the turns of this thread while something is done: whoever else works on this computer counts for nothing. */
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
    tookMs.sort((a, b) => a - b);
    const at = (share: number) => tookMs[Math.floor((tookMs.length - 1) * share)] ?? 0;
    return { result, turns: { p99Ms: at(0.99), mostMs: at(1) } };
  } finally {
    isOver = true;
  }
}
