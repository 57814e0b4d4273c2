import { type SelectionRef, type HistoryRow, maxSelectionParts } from '../../../../shared/schemas/history.ts';
import { addRange, countOf, hasIndex, type IndexRanges, toggleIndex } from './index-ranges.ts';
import { type HistoryRows, type RowsById, rowsById } from './history-list.svelte.ts';

/** A longer range is not converted to ids. Single clicks may add more ids. */
const maxIds = 1000;

const toggleRow = (rows: RowsById, row: HistoryRow): RowsById =>
  rowsById(rows.has(row.id) ? [...rows.values()].filter(({ id }) => id !== row.id) : [...rows.values(), row]);

/**
 * The selected entries and the active row. A selection of loaded rows is kept by id and survives a new list. A longer one is index
 * ranges of the counted list: it moves down when entries are inserted at the top, and is cleared by any other change.
 */
export class Selection {
  readonly #listing: () => HistoryRows | null;
  #rows = $state.raw<RowsById>(rowsById([]));
  #ranges = $state.raw<IndexRanges | null>(null);
  /** The ranges that were made favourites: not all of their rows are loaded, so they cannot tell. */
  #favourites = $state.raw<IndexRanges | null>(null);
  /** The index at which a range selected with Shift begins. */
  #anchor = 0;

  /** Index of the row that holds the tab stop. */
  active = $state(0);

  readonly count: number = $derived(this.#ranges ? countOf(this.#ranges) : this.#rows.size);
  /** The selected entry, if exactly one is selected. */
  readonly only: HistoryRow | undefined = $derived.by(() => {
    if (this.count !== 1) return undefined;
    const index = this.#ranges?.[0]?.[0];
    return index === undefined ? this.#rows.values().next().value : this.#listing()?.row(index);
  });
  /** Whether all selected entries are favourites, as far as it is known. */
  readonly isFavourite: boolean = $derived.by(() => {
    const rows = this.rows(maxSelectionParts);
    if (!rows) return this.#ranges !== null && this.#ranges === this.#favourites;
    return rows.length > 0 && rows.every((row) => row.isFavourite);
  });
  /** The total duration of the selected entries; null if it is unknown. */
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

  /** Selects this row only. */
  select(index: number): void {
    const row = this.#listing()?.row(index);
    this.#anchor = this.active = index;
    this.#setRows(row ? [row] : []);
    // A row that is not loaded yet is selected by its index.
    if (!row) this.#ranges = [[index, index + 1]];
  }

  toggle(index: number): void {
    const row = this.#listing()?.row(index);
    this.#anchor = this.active = index;
    if (this.#ranges) this.#ranges = toggleIndex(this.#ranges, index);
    else if (row) this.#rows = toggleRow(this.#rows, row);
  }

  /** Selects from the anchor to this row. */
  extend(index: number): void {
    this.active = index;
    this.#selectRange(Math.min(this.#anchor, index), Math.max(this.#anchor, index) + 1);
  }

  selectAll(): void {
    const listing = this.#listing();
    if (listing && (listing.counted || listing.page.isWhole)) this.#selectRange(0, listing.rows);
  }

  clear(): void {
    this.#setRows([]);
  }

  /** Called when these entries were removed; others may have been selected meanwhile. */
  deselect(removed: SelectionRef): void {
    if ('ids' in removed) this.#rows = rowsById([...this.#rows.values()].filter(({ id }) => !removed.ids.includes(id)));
    else if (this.#ranges === removed.ranges) this.clear();
  }

  /** Called when all selected entries become favourites, or no longer are, or when it is not known. */
  setFavourite(isFavourite: boolean): void {
    this.#favourites = isFavourite ? this.#ranges : null;
  }

  /** Replaces selected rows that have changed. */
  update(changed: RowsById): void {
    if ([...this.#rows.keys()].some((id) => changed.has(id)))
      this.#rows = rowsById([...this.#rows.values()].map((row) => changed.get(row.id) ?? row));
  }

  /** Called before another list is shown, with the result of `countInsertedAtTop`. */
  rebase(active: number, insertedAtTop: number | null): void {
    const ranges = this.#ranges;
    const rows = ranges && this.#loadedRows(ranges);
    if (rows) this.#setRows(rows);
    else if (ranges && insertedAtTop !== null) {
      const areFavourites = ranges === this.#favourites;
      this.#ranges = ranges.map(([from, to]) => [from + insertedAtTop, to + insertedAtTop]);
      if (areFavourites) this.#favourites = this.#ranges;
    } else if (ranges) this.#setRows([]);
    this.#anchor = this.active = active;
  }

  /** The selection as the contract has it; null if it is empty. */
  toRef(): SelectionRef | null {
    const listing = this.#listing();
    if (this.count === 0 || !listing) return null;
    if (this.#ranges) {
      const rows = this.#loadedRows(this.#ranges);
      return rows ? { ids: rows.map(({ id }) => id) } : { list: listing.page.list, ranges: this.#ranges };
    }
    return { ids: [...this.#rows.keys()] };
  }

  /** The selected rows; null if some are not loaded or there are more than `max`. */
  rows(max: number): readonly HistoryRow[] | null {
    if (this.count > max) return null;
    return this.#ranges ? this.#loadedRows(this.#ranges) : [...this.#rows.values()];
  }

  #selectRange(from: number, to: number): void {
    this.#ranges = addRange([], from, to);
    const rows = this.#loadedRows(this.#ranges);
    if (rows) this.#setRows(rows);
    else this.#rows = rowsById([]);
  }

  #setRows(rows: readonly HistoryRow[]): void {
    this.#ranges = null;
    this.#rows = rowsById(rows);
  }

  /** Null if one of them is not loaded, or there are more than `maxIds`. */
  #loadedRows(ranges: IndexRanges): readonly HistoryRow[] | null {
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
