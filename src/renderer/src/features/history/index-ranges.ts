/** Index ranges of a list, ascending and disjoint; `to` is exclusive. */
export type IndexRanges = readonly (readonly [from: number, to: number])[];

export const countOf = (ranges: IndexRanges): number => ranges.reduce((sum, [from, to]) => sum + to - from, 0);

export const hasIndex = (ranges: IndexRanges, index: number): boolean =>
  ranges.some(([from, to]) => from <= index && index < to);

export function addRange(ranges: IndexRanges, from: number, to: number): IndexRanges {
  const apart = ranges.filter(([start, end]) => end < from || start > to);
  const joined = ranges.filter(([start, end]) => end >= from && start <= to);
  const start = Math.min(from, ...joined.map(([first]) => first));
  const end = Math.max(to, ...joined.map(([, last]) => last));
  return [...apart, [start, end] as const].sort(([a], [b]) => a - b);
}

const removeIndex = (ranges: IndexRanges, index: number): IndexRanges =>
  ranges.flatMap(([from, to]): IndexRanges => {
    if (index < from || index >= to) return [[from, to]];
    return (
      [
        [from, index],
        [index + 1, to],
      ] as const
    ).filter(([start, end]) => start < end);
  });

export const toggleIndex = (ranges: IndexRanges, index: number): IndexRanges =>
  hasIndex(ranges, index) ? removeIndex(ranges, index) : addRange(ranges, index, index + 1);
