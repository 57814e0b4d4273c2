import { SvelteMap } from 'svelte/reactivity';
import type { Problem } from '../../../../shared/errors.ts';
import type { HistoryDay, HistoryList, HistoryPage, HistoryRow } from '../../../../shared/schemas/history.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { historyDays } from './history-days.ts';
import type { RowsById } from './rows-by-id.ts';
import { virtualRows, type VirtualRows } from './virtual-scroll.svelte.ts';

/** Rows that are asked for together; the contract's limit. */
const blockSize = 100;
const maxBlocks = 40;
const maxAtOnce = 2;

/**
 * What one search found: its first rows at once, all the others by their index once they are counted. Rows are asked for where
 * somebody looks, and at most `maxBlocks` blocks of them are kept, so the length of the list costs nothing.
 */
export class HistoryRows {
  readonly #rows: Api['history']['rows'];
  readonly #blocks = new SvelteMap<number, readonly HistoryRow[]>();
  #head = $state.raw<readonly HistoryRow[]>([]);
  // Not state: rows are shown, questions are not.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #asked = new Map<number, Promise<void>>();
  #wanted: readonly [first: number, end: number] = [0, 0];
  #hasEnded = false;

  readonly page: HistoryPage;
  counted = $state.raw<HistoryList | null>(null);
  /** Why rows are missing. */
  problem = $state.raw<Problem | null>(null);

  readonly rows: number = $derived.by(() => this.counted?.matches ?? this.#head.length);
  readonly days: readonly HistoryDay[] = $derived.by(() => this.counted?.days ?? historyDays(this.#head));
  readonly tall: VirtualRows = $derived.by(() =>
    virtualRows(
      this.rows,
      this.days.map(([from]) => from),
    ),
  );

  constructor(rows: Api['history']['rows'], page: HistoryPage) {
    this.#rows = rows;
    this.page = page;
    this.#head = page.rows;
  }

  /** Undefined while it is not here. */
  row(index: number): HistoryRow | undefined {
    if (index < this.#head.length) return this.#head[index];
    return this.#blocks.get(Math.floor(index / blockSize))?.[index % blockSize];
  }

  /** Somebody looks at these rows now, and at no others. */
  look(from: number, to: number): void {
    this.#wanted = [Math.floor(from / blockSize), Math.ceil(to / blockSize)];
    if (this.counted && this.problem === null && !this.#hasEnded) this.#askNext();
  }

  /** The row, once it is here; undefined where there is none. */
  async load(index: number): Promise<HistoryRow | undefined> {
    if (!this.row(index) && index >= 0 && index < this.rows && !this.#hasEnded)
      await this.#ask(Math.floor(index / blockSize));
    return this.row(index);
  }

  /** The rows that are here among those that come with this one. */
  around(index: number): readonly (readonly [index: number, row: HistoryRow])[] {
    const first = Math.floor(index / blockSize) * blockSize;
    return Array.from({ length: blockSize }, (_, k) => first + k).flatMap((at) => {
      const row = this.row(at);
      return row ? [[at, row] as const] : [];
    });
  }

  /** Rows that changed, where they are shown. */
  put(changed: RowsById): void {
    const change = (rows: readonly HistoryRow[]): readonly HistoryRow[] =>
      rows.some(({ id }) => changed.has(id)) ? rows.map((row) => changed.get(row.id) ?? row) : rows;
    this.#head = change(this.#head);
    for (const [block, rows] of this.#blocks) {
      const now = change(rows);
      if (now !== rows) this.#blocks.set(block, now);
    }
  }

  retry(): void {
    this.problem = null;
    this.#askNext();
  }

  /** A later search took its place in main: what it has not read will not come. */
  end(): void {
    this.#hasEnded = true;
  }

  #askNext(): void {
    const [first, end] = this.#wanted;
    for (let block = first; block < end && this.#asked.size < maxAtOnce; block++) {
      const at = Math.max(block * blockSize, this.#head.length);
      const isHere = at >= Math.min(this.rows, (block + 1) * blockSize) || this.#blocks.has(block);
      if (!isHere && !this.#asked.has(block)) void this.#ask(block);
    }
  }

  #ask(block: number): Promise<void> {
    const known = this.#asked.get(block);
    if (known) return known;
    const asking = this.#read(block).finally(() => {
      this.#asked.delete(block);
      if (!this.#hasEnded && this.problem === null) this.#askNext();
    });
    this.#asked.set(block, asking);
    return asking;
  }

  async #read(block: number): Promise<void> {
    try {
      const rows = await this.#rows({ list: this.page.list, from: block * blockSize, count: blockSize });
      this.#blocks.set(block, rows);
      this.#forgetFarthest();
    } catch (error) {
      const problem = toProblem(error);
      // Its successor is on its way.
      if (problem.code === 'history/list-ended') this.end();
      else if (!this.#hasEnded) this.problem = problem;
    }
  }

  #forgetFarthest(): void {
    if (this.#blocks.size <= maxBlocks) return;
    const middle = (this.#wanted[0] + this.#wanted[1]) / 2;
    const far = (block: number): number => Math.abs(block - middle);
    const farthest = [...this.#blocks.keys()].reduce((most, block) => (far(block) > far(most) ? block : most));
    this.#blocks.delete(farthest);
  }
}

/**
 * Where a row of an earlier list stands in a later one, or where it would if it were still there. It is looked for around `guess` and
 * then by halves within its day, since rows stand in the order of their ends.
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

const isSameDay = (one: HistoryDay, [from, startsAt, seconds]: HistoryDay, grown: number): boolean =>
  one[0] + grown === from && one[1] === startsAt && one[2] === seconds;

/**
 * How many entries came in at the top of a list, where that is all that happened to it between the two times that it was counted: every
 * other row then stands by so many places lower. Null where something else happened too, or nobody can tell.
 */
export async function countInsertedAtTop(before: HistoryRows, after: HistoryRows): Promise<number | null> {
  const grown = after.rows - before.rows;
  const first = before.row(0);
  if (!before.counted || !after.counted || !first || grown < 0) return null;
  if ((await after.load(grown))?.id !== first.id) return null;
  // Of each day but the newest nothing changed.
  const [newest, ...older] = before.days;
  const tail = after.days.slice(after.days.length - older.length);
  const isSame = older.every((day, k) => tail[k] && isSameDay(day, tail[k], grown));
  // Of the newest no row was taken out while another one came in further down.
  const same = after.days.find(([, startsAt]) => startsAt === newest?.[1]);
  let seconds = newest?.[2] ?? 0;
  for (let k = same?.[0] ?? 0; k < grown; k++) seconds += after.row(k)?.durationSeconds ?? 0;
  return isSame && same && Math.abs(seconds - same[2]) < 0.001 ? grown : null;
}
