/** Edits between two words: a letter more, less, another one, or two that changed places (optimal string alignment). */
function edits(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let k = 1; k <= b.length; k += 1) {
      const same = a[i - 1] === b[k - 1];
      const swapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      next.push(
        Math.min(
          (row[k] ?? 0) + 1,
          (next[k - 1] ?? 0) + 1,
          (row[k - 1] ?? 0) + (same ? 0 : 1),
          ...(swapped ? [(before[k - 2] ?? 0) + 1] : []),
        ),
      );
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The word that was most likely meant, or null where none is near: a third of its letters may be wrong, or it is only begun. */
export function nearest(given: string, words: readonly string[]): string | null {
  const typed = given.toLowerCase();
  const [best] = words
    .map((word) => ({ word, far: edits(typed, word) }))
    .filter(({ word, far }) => far <= Math.max(1, Math.floor(Math.max(word.length, typed.length) / 3)))
    .sort((a, b) => a.far - b.far);
  return best?.word ?? (typed.length > 1 ? (words.find((word) => word.startsWith(typed)) ?? null) : null);
}
