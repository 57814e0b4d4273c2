/** Cases that share nothing but the engine need not wait for each other. */
const atOnce = 3;

/** Runs all of them, a few at once; the first that fails ends it. */
export async function someAtOnce(runs: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = [...runs];
  const work = async () => {
    for (let run = left.shift(); run; run = left.shift()) await run();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
