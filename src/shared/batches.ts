/** Consecutive parts of a list, each with at most `size` elements. */
export function* batchesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
