import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { localConnectionId } from '../../../shared/schemas/connection.ts';
import { historyStates } from '../../../shared/schemas/history.ts';
import {
  type Amounts,
  type ConnectionAmounts,
  madeSeconds,
  maxVoicesShown,
  type Statistics,
  type StatisticsQuery,
  type TimeAmounts,
  type VoiceAmounts,
} from '../../../shared/schemas/statistics.ts';
import { storedJson, storedVoice } from '../database/columns.ts';
import { endOfKeys, keyAtTime, timeOfKey } from './entries.ts';

export interface StatisticsOptions extends StatisticsQuery {
  readonly now: number;
  /** False for those that a list of the leading ones needs. */
  readonly hasAllVoices: boolean;
}

/** Places of the amounts in an array, which is summed up faster than an object. */
const places = {
  results: 0,
  failed: 1,
  cancelled: 2,
  uncertain: 3,
  seconds: 4,
  unmeasured: 5,
  characters: 6,
  spokenSeconds: 7,
  unmeasuredTexts: 8,
} as const satisfies Readonly<Record<keyof Amounts, number>>;
const placeCount = Object.keys(places).length;

/** Amounts, by place. */
type Sums = Float64Array;
const noSums = (): Sums => new Float64Array(placeCount);

function addSums(sums: Sums, more: Sums): void {
  for (let place = 0; place < placeCount; place += 1) sums[place] = (sums[place] ?? 0) + (more[place] ?? 0);
}

const toAmounts = (sums: Sums): Amounts => {
  const names = Object.keys(places) as readonly (keyof Amounts)[];
  return Object.fromEntries(names.map((name) => [name, sums[places[name]] ?? 0])) as Readonly<
    Record<keyof Amounts, number>
  >;
};

/** Starts of all days or months of a period in local time, and the start of the one after it. */
interface Calendar {
  readonly unit: Statistics['unit'];
  readonly starts: readonly number[];
  readonly end: number;
}

function calendarOf(unit: Statistics['unit'], first: Date, count: number): Calendar {
  const [year, month, day] = [first.getFullYear(), first.getMonth(), first.getDate()];
  // The first moment of the day, also where midnight is skipped when the clocks change.
  const startOf = (k: number): number =>
    (unit === 'day' ? new Date(year, month, day + k) : new Date(year, month + k)).getTime();
  return { unit, starts: Array.from({ length: count }, (_, k) => startOf(k)), end: startOf(count) };
}

const monthsBetween = (from: Date, to: Date): number =>
  12 * (to.getFullYear() - from.getFullYear()) + to.getMonth() - from.getMonth();

/** `oldest` and `newest`: times of entries, null without any. */
function decideCalendar(period: string, now: number, oldest: number | null, newest: number | null): Calendar {
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()] as const;
  if (period === '30d') return calendarOf('day', new Date(year, month, day - 29), 30);
  if (period === '12m') return calendarOf('month', new Date(year, month - 11), 12);
  if (period !== 'all') return calendarOf('month', new Date(Number(period), 0), 12);
  const [first, last] = [new Date(Math.min(oldest ?? now, now)), new Date(Math.max(newest ?? now, now))];
  return calendarOf('month', first, monthsBetween(first, last) + 1);
}

function yearsOf(database: DatabaseSync): readonly number[] {
  const selectLast = database.prepare('SELECT max(number) AS number FROM history_entry WHERE number < ?');
  const years: number[] = [];
  for (let below = endOfKeys; ;) {
    const last = selectLast.get(below)?.['number'];
    if (typeof last !== 'number') return years;
    const year = new Date(timeOfKey(last)).getFullYear();
    years.push(year);
    below = keyAtTime(new Date(year, 0).getTime());
  }
}

/** Rows read at once, in a few milliseconds. */
const rowsPerBatch = 2000;
/** Stands between the texts of a key. Only an id of a connection, which comes last, may contain it: JSON escapes it. */
const separator = '\u001f';

/** What the entries with one key amount to: their kind, state, voice and connection are the same. */
interface Group {
  readonly key: string;
  /** As the newest entry has it. */
  readonly connectionName: string;
  readonly sums: Sums;
}

/** Part of the entries of a period. */
export interface Slice {
  /** By step of the calendar. */
  readonly time: readonly Sums[];
  /** Those with newer entries first. */
  readonly groups: readonly Group[];
}

export interface SliceRequest {
  readonly starts: readonly number[];
  readonly kind: StatisticsQuery['kind'];
  /** Keys of the entries, `below` exclusive. */
  readonly from: number;
  readonly below: number;
}

type Row = readonly [number: number, seconds: number | null, characters: number | null, key: string];

/** The places of the count of entries with this key, and of their length, if they were made. */
interface GroupPlaces {
  readonly count: number;
  readonly seconds: number;
  readonly unmeasured: number;
}

function placesOf(key: string): GroupPlaces {
  const [kind, state] = key.split(separator, 2);
  const name = historyStates.find((one) => one === state) ?? 'failed';
  const count = places[name === 'done' ? 'results' : name];
  return kind === 'speech'
    ? { count, seconds: places.spokenSeconds, unmeasured: places.unmeasuredTexts }
    : { count, seconds: places.seconds, unmeasured: places.unmeasured };
}

/**
 * Reads entries, newest first. The texts that tell groups apart are one column, and rows come in batches: each value
 * that crosses from SQLite to JavaScript costs as much as finding it. Rejects with the signal's reason.
 */
export async function readSlice(
  database: DatabaseSync,
  { starts, kind, from, below }: SliceRequest,
  signal: AbortSignal,
): Promise<Slice> {
  const firstKeys = starts.map(keyAtTime);
  const time = starts.map(noSums);
  const groups = new Map<string, Group & GroupPlaces>();
  const select = database.prepare(
    `SELECT history_entry.number, seconds, length(text),
       kind || char(31) || state || char(31) || voice || char(31) || connection_id
     FROM history_entry CROSS JOIN job ON job.number = history_entry.job
     WHERE history_entry.number >= :from AND history_entry.number < :below ${kind === 'all' ? '' : 'AND kind = :kind'}
     ORDER BY history_entry.number DESC LIMIT ${rowsPerBatch}`,
  );
  select.setReturnArrays(true);
  const selectName = database.prepare(
    'SELECT connection_name AS name FROM job WHERE number = (SELECT job FROM history_entry WHERE number = ?)',
  );
  let step = starts.length - 1;
  for (let end = below; ;) {
    const range = { from, below: end };
    const rows = select.all(kind === 'all' ? range : { ...range, kind }) as unknown as readonly Row[];
    for (const [number, length, characters, key] of rows) {
      let group = groups.get(key);
      if (!group) {
        const connectionName = String(selectName.get(number)?.['name'] ?? '');
        groups.set(key, (group = { key, connectionName, ...placesOf(key), sums: noSums() }));
      }
      while (step > 0 && number < (firstKeys[step] ?? 0)) step -= 1;
      const { count, seconds, unmeasured } = group;
      for (const sums of [group.sums, time[step]]) {
        if (!sums) continue;
        sums[count] = (sums[count] ?? 0) + 1;
        if (count !== places.results) continue;
        if (length === null) sums[unmeasured] = (sums[unmeasured] ?? 0) + 1;
        else sums[seconds] = (sums[seconds] ?? 0) + length;
        if (characters !== null) sums[places.characters] = (sums[places.characters] ?? 0) + characters;
      }
      end = number;
    }
    if (rows.length < rowsPerBatch) break;
    await nextTurn();
    signal.throwIfAborted();
  }
  return { time, groups: [...groups.values()].map(({ key, connectionName, sums }) => ({ key, connectionName, sums })) };
}

/** Divides the entries of a range, newest first, into at most `maxSlices` ranges of equal size. */
function divide(
  database: DatabaseSync,
  from: number,
  below: number,
  { maxSlices, minEntries }: Pick<SliceReader, 'maxSlices' | 'minEntries'>,
) {
  const range = 'FROM history_entry WHERE number >= :from AND number < :below';
  const entries = Number(database.prepare(`SELECT count(*) AS entries ${range}`).get({ from, below })?.['entries']);
  const parts = Math.min(maxSlices, Math.max(1, Math.ceil(entries / minEntries)));
  const selectBound = database.prepare(`SELECT number ${range} ORDER BY number DESC LIMIT 1 OFFSET :skipped`);
  const bounds = Array.from({ length: parts - 1 }, (_, k) => {
    const skipped = Math.floor(((k + 1) * entries) / parts);
    return Number(selectBound.get({ from, below, skipped })?.['number'] ?? from);
  });
  return [...bounds, from].map((start, k) => ({ from: start, below: k === 0 ? below : (bounds[k - 1] ?? below) }));
}

interface Described {
  readonly connection: { readonly id: string; readonly name: string };
  readonly voice: { readonly id: string; readonly name: string };
  readonly sums: Sums;
}

/** A voice that cannot be read still has entries. */
const readableVoice = v.fallback(storedJson(storedVoice), { id: '', name: '', language: '', gender: '', category: '' });

function describe({ key, connectionName, sums }: Group): Described {
  const [, , voice, ...id] = key.split(separator);
  return { connection: { id: id.join(separator), name: connectionName }, voice: v.parse(readableVoice, voice), sums };
}

/** Sums of groups with the same key. The first group of each, which is the newest, describes it. */
function sumBy<Facts>(
  groups: readonly Described[],
  keyOf: (group: Described) => string,
  factsOf: (group: Described) => Facts,
): readonly (Facts & Amounts)[] {
  const all = new Map<string, { readonly facts: Facts; readonly sums: Sums }>();
  for (const group of groups) {
    const key = keyOf(group);
    const known = all.get(key) ?? { facts: factsOf(group), sums: noSums() };
    addSums(known.sums, group.sums);
    all.set(key, known);
  }
  return [...all.values()].map(({ facts, sums }) => ({ ...facts, ...toAmounts(sums) }));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const mostFirst = <Named extends Amounts & { readonly name: string; readonly id: string }>(
  all: readonly Named[],
  measure: (amounts: Amounts) => number,
): readonly Named[] =>
  all.toSorted((a, b) => measure(b) - measure(a) || compareTexts(a.name, b.name) || compareTexts(a.id, b.id));

const byResults = ({ results }: Amounts): number => results;
const byCharacters = ({ characters }: Amounts): number => characters;

function leadingVoices(voices: readonly VoiceAmounts[]): readonly VoiceAmounts[] {
  const leading = new Set(
    [byResults, madeSeconds, byCharacters].flatMap((measure) => mostFirst(voices, measure).slice(0, maxVoicesShown)),
  );
  return voices.filter((voice) => leading.has(voice));
}

/** A file that was renamed has two rows, with the same inode. */
function countDuplicates(database: DatabaseSync, since: number, until: number): Statistics['duplicates'] {
  const found = database
    .prepare(
      `SELECT count(*) AS recordings, coalesce(sum(seconds), 0) AS seconds FROM (
         SELECT max(duration_seconds) AS seconds FROM watched_file
         WHERE folder_id IN (SELECT id FROM watch_folder) AND decision = 'same-sound'
           AND state_changed_at >= :since AND state_changed_at < :until
         GROUP BY folder_id, sha256, device, inode
       )`,
    )
    .get({ since, until });
  return { recordings: Number(found?.['recordings'] ?? 0), seconds: Number(found?.['seconds'] ?? 0) };
}

/** Reads slices, several at once. The first is the newest. */
export interface SliceReader {
  readonly maxSlices: number;
  /** Fewer entries are not divided. */
  readonly minEntries: number;
  read(requests: readonly SliceRequest[], signal: AbortSignal): Promise<readonly Slice[]>;
}

/** Rejects with the signal's reason. */
export async function computeStatistics(
  database: DatabaseSync,
  { period, kind, now, hasAllVoices }: StatisticsOptions,
  slices: SliceReader,
  signal: AbortSignal,
): Promise<Statistics> {
  // As two queries: SQLite scans the table for both ends in one.
  const ends = database
    .prepare(
      'SELECT (SELECT min(number) FROM history_entry) AS oldest, (SELECT max(number) FROM history_entry) AS newest',
    )
    .get();
  const timeOf = (key: unknown): number | null => (typeof key === 'number' ? timeOfKey(key) : null);
  const { unit, starts, end } = decideCalendar(period, now, timeOf(ends?.['oldest']), timeOf(ends?.['newest']));
  const [from, below] = [starts[0] ?? 0, end].map((time) => Math.max(0, keyAtTime(time))) as [number, number];
  const requests = divide(database, from, below, slices).map((range) => ({ starts, kind, ...range }));
  const read = await slices.read(requests, signal);
  const time = starts.map((startsAt, step): TimeAmounts => {
    const sums = noSums();
    for (const slice of read) addSums(sums, slice.time[step] ?? noSums());
    return { startsAt, ...toAmounts(sums) };
  });
  const groups = read.flatMap((slice) => slice.groups.map(describe));
  const [total, local] = [noSums(), noSums()];
  for (const { connection, sums } of groups) {
    addSums(total, sums);
    if (connection.id === localConnectionId) addSums(local, sums);
  }
  const connections = sumBy(
    groups,
    ({ connection }) => connection.id,
    ({ connection }): Pick<ConnectionAmounts, 'id' | 'name'> => connection,
  );
  const voices = sumBy(
    groups,
    ({ connection, voice }) => JSON.stringify([connection.id, voice.id]),
    ({ connection, voice }) => ({
      id: voice.id,
      name: voice.name,
      connectionId: connection.id,
      connectionName: connection.name,
    }),
  );
  // Duplicates may be older than the oldest entry.
  const [since, until] = period === 'all' ? [0, Infinity] : [starts[0] ?? 0, end];
  const ordered = mostFirst(voices, byResults);
  return {
    total: toAmounts(total),
    unit,
    time,
    voices: hasAllVoices ? ordered : leadingVoices(ordered),
    voiceCount: voices.length,
    connections: mostFirst(connections, byResults),
    duplicates: kind === 'speech' ? { recordings: 0, seconds: 0 } : countDuplicates(database, since, until),
    local: toAmounts(local),
    years: yearsOf(database),
  };
}
