import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HistoryDay, HistoryMonth } from '../../../shared/schemas/history.ts';
import { servePool } from '../../../sound/serve-pool.ts';
import { startOfDay } from '../clock.ts';
import { openReadOnly } from '../database/sqlite.ts';
import { endOfKeys, keyAtTime, timeOfKey } from './entries.ts';
import type { CountedList, FtsQuery, ListRequest } from './search.ts';

/** Rows between two checks for cancellation, a few milliseconds. */
const rowsPerCheck = 10_000;
/** Eleven years; more would make the message too large. Older entries are grouped by month. */
const maxDays = 4000;

function startOfMonth(time: number, monthsOn = 0): number {
  const at = new Date(time);
  return new Date(at.getFullYear(), at.getMonth() + monthsOn, 1).getTime();
}

/** A growable list of numbers in shared memory. */
function createNumbers() {
  const make = (length: number) => new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
  let numbers = make(4096);
  let count = 0;
  return {
    count: () => count,
    push(number: number): void {
      if (count === numbers.length) {
        const more = make(2 * count);
        more.set(numbers);
        numbers = more;
      }
      numbers[count] = number;
      count += 1;
    },
    all() {
      const all = make(count);
      all.set(numbers.subarray(0, count));
      return all;
    },
  };
}

/** Collects days from rows pushed newest first. */
function createDays() {
  const days: [from: number, startsAt: number, seconds: number][] = [];
  let first = Infinity;
  return {
    push(index: number, number: number, seconds: number): void {
      if (number < first) {
        const time = timeOfKey(number);
        const start = days.length < maxDays ? startOfDay(time) : startOfMonth(time);
        first = keyAtTime(start);
        days.push([index, start, 0]);
      }
      const day = days.at(-1);
      if (day) day[2] += seconds;
    },
    all: (): readonly HistoryDay[] => days,
  };
}

/** How many of `numbers`, which are descending, are at least `first`. */
function countFrom(numbers: Float64Array, first: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) >= first) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Every month with entries, newest first. */
function monthsOf(database: DatabaseSync, numbers: Float64Array): readonly HistoryMonth[] {
  const selectLast = database.prepare('SELECT max(number) AS number FROM history_entry WHERE number < ?');
  const selectCount = database.prepare(
    'SELECT count(*) AS entries FROM history_entry WHERE number >= ? AND number < ?',
  );
  const months: HistoryMonth[] = [];
  for (let below = endOfKeys; ;) {
    const last = selectLast.get(below)?.['number'];
    if (typeof last !== 'number') return months;
    const startsAt = startOfMonth(timeOfKey(last));
    const [first, next] = [keyAtTime(startsAt), keyAtTime(startOfMonth(startsAt, 1))];
    const from = countFrom(numbers, next);
    const entries = Number(selectCount.get(first, next)?.['entries']);
    months.push([startsAt, entries, countFrom(numbers, first) - from, from]);
    below = first;
  }
}

const allRows =
  'SELECT number, seconds FROM history_entry WHERE number >= :from AND number < :below ORDER BY number DESC';
const foundRows = `
  SELECT history_text.rowid, seconds FROM history_text CROSS JOIN history_entry ON number = history_text.rowid
  WHERE history_text MATCH :expression AND history_text.rowid >= :from AND history_text.rowid < :below
  ORDER BY history_text.rowid DESC`;

/**
 * Collects all matching entries and yields to the event loop between batches. Days and months are
 * in local time. Rejects with the signal's reason.
 */
export async function countMatches(database: DatabaseSync, match: FtsQuery, signal: AbortSignal): Promise<CountedList> {
  const { expression, from, below } = match;
  const numbers = createNumbers();
  const days = createDays();
  const select = database.prepare(expression === null ? allRows : foundRows);
  select.setReturnArrays(true);
  const rows = select.iterate(expression === null ? { from, below } : { expression, from, below });
  for (const row of rows as Iterable<readonly unknown[]>) {
    const [number, seconds] = [Number(row[0]), Number(row[1] ?? 0)];
    days.push(numbers.count(), number, seconds);
    numbers.push(number);
    if (numbers.count() % rowsPerCheck === 0) {
      await nextTurn();
      signal.throwIfAborted();
    }
  }
  const all = numbers.all();
  const months = monthsOf(database, all);
  return { numbers: all, entries: months.reduce((sum, [, entries]) => sum + entries, 0), days: days.all(), months };
}

/** Worker that counts lists: a million entries take a second, too long for the main thread. */
servePool(async ({ path, match }: ListRequest, signal) => {
  const database = openReadOnly(path);
  try {
    return await countMatches(database, match, signal);
  } finally {
    database.close();
  }
});
