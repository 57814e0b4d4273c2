import { SvelteMap } from 'svelte/reactivity';
import type { Problem } from '../../../../shared/errors.ts';
import type { HistoryDay, HistoryList, HistoryPage, HistoryRow } from '../../../../shared/schemas/history.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { layoutDays, type DayLayout } from './virtual-scroll.svelte.ts';

/** Rows per request; the contract's limit. */
const blockSize = 100;
const maxBlocks = 40;
const maxRequests = 2;

export type RowsById = ReadonlyMap<string, HistoryRow>;

// eslint-disable-next-line svelte/prefer-svelte-reactivity -- never changed
export const rowsById = (rows: Iterable<HistoryRow>): RowsById => new Map([...rows].map((row) => [row.id, row]));

/** The days of rows that main has not counted yet, in local time. */
function daysOf(rows: readonly HistoryRow[]): readonly HistoryDay[] {
  const days: [number, number, number][] = [];
  rows.forEach(({ endedAt, durationSeconds }, index) => {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- local
    const startsAt = new Date(endedAt).setHours(0, 0, 0, 0);
    const last = days.at(-1);
    if (last?.[1] === startsAt) last[2] += durationSeconds ?? 0;
    else days.push([index, startsAt, durationSeconds ?? 0]);
  });
  return days;
}

/**
 * The rows that one search found: its first page at once, the others by index once main has counted them. Only visible blocks are
 * requested and at most `maxBlocks` are kept, so that the length of the list costs nothing.
 */
export class HistoryRows {
  readonly #rows: Api['history']['rows'];
  readonly #blocks = new SvelteMap<number, readonly HistoryRow[]>();
  #firstPage = $state.raw<readonly HistoryRow[]>([]);
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  readonly #requests = new Map<number, Promise<void>>();
  #visibleBlocks: readonly [first: number, end: number] = [0, 0];
  #hasEnded = false;

  readonly page: HistoryPage;
  counted = $state.raw<HistoryList | null>(null);
  /** Why rows could not be read. */
  problem = $state.raw<Problem | null>(null);

  readonly rows: number = $derived.by(() => this.counted?.matches ?? this.#firstPage.length);
  readonly days: readonly HistoryDay[] = $derived.by(() => this.counted?.days ?? daysOf(this.#firstPage));
  readonly layout: DayLayout = $derived.by(() =>
    layoutDays(
      this.rows,
      this.days.map(([from]) => from),
    ),
  );

  constructor(rows: Api['history']['rows'], page: HistoryPage) {
    this.#rows = rows;
    this.page = page;
    this.#firstPage = page.rows;
  }

  /** Undefined while it is not loaded. */
  row(index: number): HistoryRow | undefined {
    if (index < this.#firstPage.length) return this.#firstPage[index];
    return this.#blocks.get(Math.floor(index / blockSize))?.[index % blockSize];
  }

  /** Sets the rows that are in view; `to` is exclusive. */
  setVisibleRange(from: number, to: number): void {
    this.#visibleBlocks = [Math.floor(from / blockSize), Math.ceil(to / blockSize)];
    if (this.counted && this.problem === null && !this.#hasEnded) this.#requestNext();
  }

  /** Loads a row; undefined if there is none at this index. */
  async load(index: number): Promise<HistoryRow | undefined> {
    if (!this.row(index) && index >= 0 && index < this.rows && !this.#hasEnded)
      await this.#request(Math.floor(index / blockSize));
    return this.row(index);
  }

  /** The loaded rows of the block that contains this index. */
  around(index: number): readonly (readonly [index: number, row: HistoryRow])[] {
    const first = Math.floor(index / blockSize) * blockSize;
    return Array.from({ length: blockSize }, (_, k) => first + k).flatMap((at) => {
      const row = this.row(at);
      return row ? [[at, row] as const] : [];
    });
  }

  /** Replaces loaded rows that have changed. */
  update(changed: RowsById): void {
    const replace = (rows: readonly HistoryRow[]): readonly HistoryRow[] =>
      rows.some(({ id }) => changed.has(id)) ? rows.map((row) => changed.get(row.id) ?? row) : rows;
    this.#firstPage = replace(this.#firstPage);
    for (const [block, rows] of this.#blocks) {
      const updated = replace(rows);
      if (updated !== rows) this.#blocks.set(block, updated);
    }
  }

  retry(): void {
    this.#requestNext();
  }

  /** Called when a later search has replaced the list in main, so that no more rows can be read. */
  end(): void {
    this.#hasEnded = true;
  }

  #requestNext(): void {
    const [first, end] = this.#visibleBlocks;
    for (let block = first; block < end && this.#requests.size < maxRequests; block++) {
      const at = Math.max(block * blockSize, this.#firstPage.length);
      const isLoaded = at >= Math.min(this.rows, (block + 1) * blockSize) || this.#blocks.has(block);
      if (!isLoaded && !this.#requests.has(block)) void this.#request(block);
    }
  }

  #request(block: number): Promise<void> {
    const running = this.#requests.get(block);
    if (running) return running;
    const request = this.#read(block).finally(() => {
      this.#requests.delete(block);
      if (!this.#hasEnded && this.problem === null) this.#requestNext();
    });
    this.#requests.set(block, request);
    return request;
  }

  async #read(block: number): Promise<void> {
    try {
      const rows = await this.#rows({ list: this.page.list, from: block * blockSize, count: blockSize });
      this.#blocks.set(block, rows);
      this.problem = null;
      this.#dropFarthestBlock();
    } catch (error) {
      const problem = toProblem(error);
      // The list that replaces it is about to arrive.
      if (problem.code === 'history/list-ended') this.end();
      else if (!this.#hasEnded) this.problem = problem;
    }
  }

  #dropFarthestBlock(): void {
    if (this.#blocks.size <= maxBlocks) return;
    const middle = (this.#visibleBlocks[0] + this.#visibleBlocks[1]) / 2;
    const distance = (block: number): number => Math.abs(block - middle);
    const farthest = [...this.#blocks.keys()].reduce((most, block) =>
      distance(block) > distance(most) ? block : most,
    );
    this.#blocks.delete(farthest);
  }
}

/**
 * The index of an earlier list's row in a later one; if the row no longer exists, the index of the next older row. Starts at `guess` and
 * continues as a binary search within the day, since rows are sorted by `endedAt`.
 */
export async function findRow(
  listing: HistoryRows,
  { id, endedAt }: Pick<HistoryRow, 'id' | 'endedAt'>,
  guess: number,
): Promise<number> {
  const { days, rows } = listing;
  const day = days.findIndex(([, startsAt]) => startsAt <= endedAt);
  let low = day < 0 ? rows : (days[day]?.[0] ?? 0);
  let high = (days[day + 1]?.[0] ?? rows) - 1;
  let at = Math.min(high, Math.max(low, guess));
  while (low <= high) {
    const middle = await listing.load(at);
    if (!middle) break;
    const around = listing.around(at);
    const [first, last] = [around[0], around.at(-1)];
    const found = around.find(([, row]) => row.id === id);
    if (found) return found[0];
    if (!first || !last) break;
    if (last[1].endedAt > endedAt) low = last[0] + 1;
    else if (first[1].endedAt < endedAt) high = first[0] - 1;
    else return around.find(([, row]) => row.endedAt <= endedAt)?.[0] ?? at;
    at = (low + high) >> 1;
  }
  return Math.max(0, Math.min(rows - 1, low));
}

const isSameDay = (day: HistoryDay, [from, startsAt, seconds]: HistoryDay, added: number): boolean =>
  day[0] + added === from && day[1] === startsAt && day[2] === seconds;

/**
 * How many entries were inserted at the top of a list, if that is its only change: every other index is then larger by this number.
 * Null if there was another change, or if it is unknown.
 */
export async function countInsertedAtTop(before: HistoryRows, after: HistoryRows): Promise<number | null> {
  const added = after.rows - before.rows;
  const first = before.row(0);
  if (!before.counted || !after.counted || !first || added < 0) return null;
  if ((await after.load(added))?.id !== first.id) return null;
  // Every day but the newest must be unchanged.
  const [newest, ...older] = before.days;
  const tail = after.days.slice(after.days.length - older.length);
  const isSame = older.every((day, k) => tail[k] && isSameDay(day, tail[k], added));
  // The newest day must be longer by exactly the durations of the new rows; otherwise other rows changed too.
  const newestAfter = after.days.find(([, startsAt]) => startsAt === newest?.[1]);
  let seconds = newest?.[2] ?? 0;
  for (let k = newestAfter?.[0] ?? 0; k < added; k++) seconds += after.row(k)?.durationSeconds ?? 0;
  return isSame && newestAfter && Math.abs(seconds - newestAfter[2]) < 0.001 ? added : null;
}
