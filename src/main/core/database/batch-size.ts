/** Sizes batches of writes by the time that those before took, so that none holds up the window, however slow the disk is. */
export interface BatchSize {
  /** Items of the next batch. */
  next(): number;
  /** Runs the write of a batch of `count` items. */
  measure<T>(count: number, write: () => T): T;
}

interface Options {
  readonly first: number;
  /** Fewer would cost more than they take. */
  readonly least: number;
  readonly most: number;
  /** Milliseconds that a batch should take. */
  readonly targetMs: number;
  /** Milliseconds since any point in time. */
  now(): number;
}

export function createBatchSize({ first, least, most, targetMs, now }: Options): BatchSize {
  let size = first;
  return {
    next: () => size,
    measure(count, write) {
      const begun = now();
      const result = write();
      const fitting = (count * targetMs) / Math.max(1, now() - begun);
      size = Math.max(least, Math.floor(Math.min(fitting, count * 2, most)));
      return result;
    },
  };
}
