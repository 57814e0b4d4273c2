import { type SelectionRef, type HistoryRow, mostParts } from '../../../../shared/schemas/history.ts';
import type { HistoryRows } from './history-list.svelte.ts';
import { rowsById, toggleRow, type RowsById } from './rows-by-id.ts';

/** Parts of a list, rising and apart from each other; `to` is exclusive. */
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

/** A range of more entries than this stays a range. Single clicks may add to a choice by name beyond it. */
const maxIds = 1000;

/**
 * Which entries are chosen, and which row the keys act on. A choice that was made among rows that are here names them, and outlives
 * the list; a longer one is parts of the list as it was counted, moves down as entries come in at the top, and ends with any other
 * change of the list.
 */
export class Selection {
  readonly #listing: () => HistoryRows | null;
  #rows = $state.raw<RowsById>(rowsById([]));
  #ranges = $state.raw<IndexRanges | null>(null);
  /** Where a range that is drawn with Shift begins. */
  #anchor = 0;

  /** Index of the row that holds the tab stop. */
  active = $state(0);

  readonly count: number = $derived(this.#ranges ? countOf(this.#ranges) : this.#rows.size);
  /** The one that is chosen, where it is one. */
  readonly only: HistoryRow | undefined = $derived.by(() => {
    if (this.count !== 1) return undefined;
    const index = this.#ranges?.[0]?.[0];
    return index === undefined ? this.#rows.values().next().value : this.#listing()?.row(index);
  });
  /** All of it that is here is marked. */
  readonly isFavourite: boolean = $derived.by(() => {
    const rows = this.rows(mostParts);
    return rows !== null && rows.length > 0 && rows.every((row) => row.isFavourite);
  });
  /** Seconds of sound in all of it; null where nobody has added them up. */
  readonly seconds: number | null = $derived.by(() => {
    const listing = this.#listing();
    if (!this.#ranges) return sumOf([...this.#rows.values()].map(({ durationSeconds }) => durationSeconds ?? 0));
    if (!listing || this.count < listing.rows) return null;
    return sumOf(listing.days.map(([, , seconds]) => seconds));
  });

  constructor(listing: () => HistoryRows | null) {
    this.#listing = listing;
  }

  has(index: number): boolean {
    if (this.#ranges) return hasIndex(this.#ranges, index);
    const row = this.#listing()?.row(index);
    return row !== undefined && this.#rows.has(row.id);
  }

  /** This one and no other. */
  choose(index: number): void {
    const row = this.#listing()?.row(index);
    this.#anchor = this.active = index;
    this.#name(row ? [row] : []);
    // Not here yet: it is chosen by its place, and will be there when it comes.
    if (!row) this.#ranges = [[index, index + 1]];
  }

  toggle(index: number): void {
    const row = this.#listing()?.row(index);
    this.#anchor = this.active = index;
    if (this.#ranges) this.#ranges = toggleIndex(this.#ranges, index);
    else if (row) this.#rows = toggleRow(this.#rows, row);
  }

  /** From where the last choice was made to here. */
  extend(index: number): void {
    this.active = index;
    this.#take(Math.min(this.#anchor, index), Math.max(this.#anchor, index) + 1);
  }

  all(): void {
    const listing = this.#listing();
    if (listing && (listing.counted || listing.page.isWhole)) this.#take(0, listing.rows);
  }

  clear(): void {
    this.#name([]);
  }

  /** Rows that changed. */
  put(changed: RowsById): void {
    if ([...this.#rows.keys()].some((id) => changed.has(id)))
      this.#rows = rowsById([...this.#rows.values()].map((row) => changed.get(row.id) ?? row));
  }

  /** Called before another list takes the place of the one that is shown; `grownBy` as `grownAtTop` gives it. */
  relist(active: number, grownBy: number | null): void {
    const ranges = this.#ranges;
    const rows = ranges && this.#known(ranges);
    if (rows) this.#name(rows);
    else if (ranges && grownBy !== null) this.#ranges = ranges.map(([from, to]) => [from + grownBy, to + grownBy]);
    else if (ranges) this.#name([]);
    this.#anchor = this.active = active;
  }

  /** As main is told; null where nothing is chosen. */
  wire(): SelectionRef | null {
    const listing = this.#listing();
    if (this.count === 0 || !listing) return null;
    if (this.#ranges) {
      const rows = this.#known(this.#ranges);
      return rows ? { ids: rows.map(({ id }) => id) } : { list: listing.page.list, ranges: this.#ranges };
    }
    return { ids: [...this.#rows.keys()] };
  }

  /** Its rows, where all of them are here and no more than `most`; else null. */
  rows(most: number): readonly HistoryRow[] | null {
    if (this.count > most) return null;
    return this.#ranges ? this.#known(this.#ranges) : [...this.#rows.values()];
  }

  #take(from: number, to: number): void {
    this.#ranges = addRange([], from, to);
    const rows = this.#known(this.#ranges);
    if (rows) this.#name(rows);
    else this.#rows = rowsById([]);
  }

  #name(rows: readonly HistoryRow[]): void {
    this.#ranges = null;
    this.#rows = rowsById(rows);
  }

  /** Null where one of them is not here, or there are too many to name. */
  #known(ranges: IndexRanges): readonly HistoryRow[] | null {
    const listing = this.#listing();
    if (!listing || countOf(ranges) > maxIds) return null;
    const rows: HistoryRow[] = [];
    for (const [from, to] of ranges) {
      for (let index = from; index < to; index++) {
        const row = listing.row(index);
        if (!row) return null;
        rows.push(row);
      }
    }
    return rows;
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
