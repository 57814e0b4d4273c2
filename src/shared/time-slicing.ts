/** Long work that yields between its parts, so that who runs it can do other things in between. Returns its result. */
export type Sliced<T> = Generator<undefined, T>;

/** Does all of it now. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
