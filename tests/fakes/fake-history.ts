import { AppError } from '../../src/shared/errors.ts';
import type { Emitters, Handlers } from '../../src/shared/ipc/define-contract.ts';
import type { Contract } from '../../src/shared/ipc/contract.ts';
import type {
  DiskResults,
  FileStatus,
  SelectionRef,
  HistoryDetail,
  HistoryImportReport,
  HistoryList,
  HistoryMonth,
  HistoryPage,
  HistoryRow,
  SkippedEntry,
  QueryError,
  LongTaskProgress,
} from '../../src/shared/schemas/history.ts';
import type { Statistics, StatisticsQuery } from '../../src/shared/schemas/statistics.ts';
import type { Settings } from '../../src/shared/schemas/settings.ts';

import { noStatistics } from './fake-statistics.ts';

/** Entries, newest first, computed on request. */
export interface HistoryEntries {
  readonly count: number;
  at(index: number): HistoryRow;
  /** Entries with the same number contain the same words. */
  sort(index: number): number;
  readonly sorts: number;
  indexOf(id: string): number;
  endedAt(index: number): number;
}

/** Entries from a list of rows. */
export const entriesOf = (rows: readonly HistoryRow[]): HistoryEntries => ({
  count: rows.length,
  at: (index) => rowAt(rows, index),
  sort: (index) => index,
  sorts: rows.length,
  indexOf: (id) => rows.findIndex((row) => row.id === id),
  endedAt: (index) => rowAt(rows, index).endedAt,
});

function rowAt(rows: readonly HistoryRow[], index: number): HistoryRow {
  const row = rows[index];
  if (!row) throw new Error(`No entry ${index}`);
  return row;
}

/** The entries of history and the status of their files. */
export interface HistoryScene {
  readonly entries: HistoryEntries;
  /** Files that are not `there`, by entry name. */
  readonly fileStatuses?: Readonly<Record<string, FileStatus>>;
  /** Names of entries whose result can be restored. */
  readonly copies?: readonly string[];
  /** Details that differ from those of the row, by entry name. */
  readonly details?: Readonly<Record<string, Partial<HistoryDetail>>>;
  readonly suggestions?: readonly string[];
  /** Default: nothing was made. */
  readonly statistics?: (query: StatisticsQuery) => Statistics;
  /** Default: no result takes up space. */
  readonly largestResults?: readonly DiskResults[];
  /** The entry that cannot be repeated, with the reason. */
  readonly skippedEntry?: SkippedEntry;
  /** What differs from an import that added nothing. */
  readonly importReport?: Partial<HistoryImportReport>;
  /** The progress of an import or a search that never ends. */
  readonly runningTask?: LongTaskProgress;
}

const emptyImport: HistoryImportReport = {
  added: 0,
  known: 0,
  refused: 0,
  withoutFile: 0,
  broughtBack: 0,
  refusedLines: [],
  undo: null,
  isStopped: false,
  problem: null,
};

const pageSize = 100;
/** The delay of the count, which main does in a worker. */
const countingMs = 60;
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

interface Query {
  readonly terms: readonly string[];
  readonly faults: readonly QueryError[];
  readonly matches: (row: HistoryRow) => boolean;
  readonly since: number;
}

function faultsOf(text: string): readonly QueryError[] {
  return [...text.matchAll(/(\w+):(\S*)/gu)].flatMap(([whole, name = '', value = '']): readonly QueryError[] => {
    const from = text.indexOf(whole);
    const at = { from, to: from + whole.length };
    const known = ['voice', 'status', 'kind', 'from', 'after', 'before', 'language', 'tag', 'is'].includes(name);
    if (!known) return [{ ...at, kind: 'unknown-filter', word: `${name}:` }];
    if (value === '') return [{ ...at, kind: 'empty', word: `${name}:` }];
    const isDate = name === 'after' || name === 'before';
    return isDate && !/^\d{4}(-\d\d){0,2}$/u.test(value) ? [{ ...at, kind: 'bad-date', word: value }] : [];
  });
}

/** A subset of main's search language: words and a few filters. */
function readQuery(text: string): Query {
  const filters = [...text.matchAll(/(\w+):(?:"([^"]*)"|(\S+))/gu)].map(
    ([, name = '', quoted, plain]) => [name, fold(quoted ?? plain ?? '')] as const,
  );
  const terms = fold(text.replace(/(\w+):(?:"[^"]*"|\S*)/gu, ''))
    .split(/\s+/u)
    .filter((term) => term !== '');
  const value = (name: string): string | undefined => filters.find(([known]) => known === name)?.[1];
  return {
    terms,
    faults: faultsOf(text),
    since: value('after') === undefined ? -Infinity : Date.parse(value('after') ?? ''),
    matches: (row) =>
      terms.every((term) => fold(row.name).includes(term)) &&
      (value('status') ?? row.state) === row.state &&
      (value('kind') ?? row.kind) === row.kind &&
      (value('is') === undefined || row.isFavourite) &&
      fold(row.voice.name).includes(value('voice') ?? '') &&
      (value('tag') === undefined || row.tags.some((tag) => fold(tag) === value('tag'))),
  };
}

const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
const monthOf = (at: number): number => {
  const date = new Date(dayOf(at));
  return date.setDate(1);
};

/** History in memory: searches at once, counts a moment later, and applies the user's changes. */
export function fakeHistory(
  {
    history: scene = { entries: entriesOf([]) },
    settings,
  }: { readonly history?: HistoryScene; readonly settings: Settings },
  emit: Emitters<Contract>['history'],
): Handlers<Contract>['history'] & { readonly row: (id: string) => HistoryRow | undefined } {
  const { entries } = scene;
  const changed = new Map<number, HistoryRow>();
  const removed = new Set<number>();
  const undos = new Map<string, readonly number[]>();
  const workOn = (work: LongTaskProgress): Promise<never> => {
    emit.taskProgressed(work);
    return new Promise(() => undefined);
  };
  let list = 0;
  let found = new Uint32Array();
  const at = (index: number): HistoryRow => changed.get(index) ?? entries.at(index);

  function* matching({ matches, since }: Query): Generator<number> {
    const bySort = new Map<number, boolean>();
    for (let index = 0; index < entries.count; index++) {
      if (removed.has(index)) continue;
      const sort = entries.sort(index);
      const isKnown = entries.sorts < entries.count && !changed.has(index);
      let isFit = isKnown ? bySort.get(sort) : undefined;
      if (isFit === undefined) {
        isFit = matches(at(index));
        if (isKnown) bySort.set(sort, isFit);
      }
      if (isFit && (since === -Infinity || entries.endedAt(index) >= since)) yield index;
    }
  }

  function count(query: Query): HistoryList {
    found = Uint32Array.from(matching(query));
    const days: [number, number, number][] = [];
    const months = new Map<number, [number, number, number, number]>();
    let nextDay = Infinity;
    const month = (endedAt: number, from: number) => {
      const startsAt = monthOf(endedAt);
      const known = months.get(startsAt);
      if (known) return known;
      const made: [number, number, number, number] = [startsAt, 0, 0, from];
      months.set(startsAt, made);
      return made;
    };
    // An estimate from every tenth entry; counting all of a million would be slow.
    for (let index = 0; index < entries.count; index += entries.count > 10_000 ? 10 : 1)
      month(entries.endedAt(index), 0)[1] += entries.count > 10_000 ? 10 : 1;
    let current: [number, number, number, number] | undefined;
    found.forEach((index, place) => {
      const endedAt = entries.endedAt(index);
      if (!current || endedAt < current[0]) {
        current = month(endedAt, place);
        current[3] = place;
      }
      current[2]++;
      if (endedAt < nextDay) {
        nextDay = dayOf(endedAt);
        days.push([place, nextDay, 0]);
      }
      const day = days.at(-1);
      if (day) day[2] += 180;
    });
    for (const day of entries.count <= 10_000 ? days : []) {
      const end = days[days.indexOf(day) + 1]?.[0] ?? found.length;
      day[2] = [...found.slice(day[0], end)].reduce((sum, index) => sum + (at(index).durationSeconds ?? 0), 0);
    }
    const rising = [...months.values()].sort(([a], [b]) => b - a);
    let from = found.length;
    const filled = rising.reverse().map((one): HistoryMonth => {
      if (one[2] > 0) from = one[3];
      return [one[0], Math.max(one[1], one[2]), one[2], from];
    });
    return {
      list,
      matches: found.length,
      entries: entries.count - removed.size,
      days: days satisfies readonly (readonly [number, number, number])[],
      months: filled.reverse(),
    };
  }

  const indexesOf = (choice: SelectionRef): readonly number[] =>
    'ids' in choice
      ? choice.ids.map((id) => entries.indexOf(id)).filter((index) => index >= 0)
      : choice.ranges.flatMap(([from, to]) => [...found.slice(from, to)]);

  function put(indexes: readonly number[], change: (row: HistoryRow) => HistoryRow): void {
    const rows = indexes.map((index) => {
      const row = change(at(index));
      changed.set(index, row);
      return row;
    });
    emit.changed({ upserted: rows, isStale: false });
  }

  const rowOf = (id: string): HistoryRow | undefined => {
    const index = entries.indexOf(id);
    return index >= 0 && index < entries.count ? at(index) : undefined;
  };
  const known = (id: string): HistoryRow => {
    const row = rowOf(id);
    if (!row) throw new AppError('request/unknown', id);
    return row;
  };
  const standing = ({ name }: HistoryRow): FileStatus => scene.fileStatuses?.[name] ?? 'there';

  return {
    row: rowOf,
    search: ({ text }): HistoryPage => {
      const query = readQuery(text);
      list++;
      const rows: HistoryRow[] = [];
      const isRead = query.faults.length === 0;
      const found = isRead ? matching(query) : [];
      for (const index of found) {
        if (rows.length > pageSize) break;
        rows.push(at(index));
      }
      const mine = list;
      setTimeout(() => {
        if (mine === list) emit.listCounted(count(isRead ? query : { ...query, matches: () => false }));
      }, countingMs);
      const { faults, terms } = query;
      return { list, rows: rows.slice(0, pageSize), isWhole: rows.length <= pageSize, errors: faults, terms };
    },
    rows: ({ list: asked, from, count }) => {
      if (asked !== list) throw new AppError('request/unknown', 'there is a later list');
      return [...found.slice(from, from + count)].map(at);
    },
    suggest: ({ text, caret }) => {
      const from = text.lastIndexOf(' ', caret - 1) + 1;
      const word = fold(text.slice(from, caret));
      const items = (word === '' ? [] : (scene.suggestions ?? [])).filter(
        (one) => fold(one).startsWith(word) && fold(one) !== word,
      );
      return { from, to: caret, items: items.map((insert) => ({ insert, label: insert.replace(/"/gu, '') })) };
    },
    detail: ({ id }): HistoryDetail => {
      const row = known(id);
      const ending = /\.\w+$/u.exec(row.name)?.[0] ?? '.wav';
      return {
        row,
        source:
          row.sourceMedia === null
            ? null
            : { name: row.name, folder: '/home/ada/Recordings', sizeBytes: 28_600_000, sha256: null },
        result:
          row.resultMedia === null
            ? null
            : {
                name: `${row.name.replace(ending, '')}, ${row.voice.name}.flac`,
                folder: '/home/ada/Recordings/Converted',
                sizeBytes: 14_100_000,
                sha256: null,
              },
        text: row.kind === 'speech' ? row.name : null,
        connectionId: 'local',
        connectionName: 'This computer',
        settings:
          row.kind === 'speech'
            ? { ...settings.speech, voiceId: row.voice.id, language: row.voice.language }
            : { ...settings.conversion, voiceId: row.voice.id },
        outputFolder: row.kind === 'speech' ? '/home/ada/Music/Timbre' : null,
        outputFormat: '.flac',
        taskId: '0f8f7c2e-5b0e-4d5e-9a53-1d4f7c2e5b0e',
        attempts: 1,
        createdAt: row.endedAt - 43_000,
        startedAt: row.endedAt - 41_000,
        timings: { uploading: 2000, converting: 35_000 },
        processingTime: 33,
        watchFolder: row.isWatched ? 'Audiobook sessions' : null,
        others: [],
        ...scene.details?.[row.name],
      };
    },
    getFileStatus: ({ ids }) =>
      ids.flatMap((id) => {
        const row = rowOf(id);
        const hasCopy = row !== undefined && standing(row) !== 'there' && (scene.copies?.includes(row.name) ?? false);
        return row
          ? [{ id, source: row.sourceMedia === null ? null : ('there' as const), result: standing(row), hasCopy }]
          : [];
      }),
    findFile: () => (scene.runningTask ? workOn(scene.runningTask) : { kind: 'not-found', files: 412 }),
    update: ({ choice, isFavourite, addTags = [], removeTags = [] }) =>
      put(indexesOf(choice), (row) => ({
        ...row,
        isFavourite: isFavourite ?? row.isFavourite,
        tags: [...new Set([...row.tags, ...addTags])].filter((tag) => !removeTags.includes(tag)),
      })),
    statistics: (query) => (scene.statistics ?? noStatistics)(query),
    exportStatistics: () => 'Timbre statistics 2026-11-18.csv',
    largestResults: () => scene.largestResults ?? [],
    tags: () => ['audiobook', 'museum', 'to be checked'],
    remove: ({ choice, withFiles }) => {
      const indexes = indexesOf(choice);
      indexes.forEach((index) => removed.add(index));
      const undo = `00000000-0000-4000-9000-${String(undos.size).padStart(12, '0')}`;
      undos.set(undo, indexes);
      setTimeout(() => emit.changed({ upserted: [], isStale: true }), 0);
      return { undo, entries: indexes.length, files: withFiles ? indexes.length : 0, keptFiles: 0 };
    },
    hasRestorable: ({ choice }) =>
      indexesOf(choice).some((index) => standing(at(index)) !== 'there' && scene.copies?.includes(at(index).name)),
    restoreResults: ({ choice }) => {
      const restored = indexesOf(choice).length;
      return { restored, there: 0, none: 0, damaged: 0, away: 0, failed: 0, firstProblem: null };
    },
    undo: ({ undo }) => {
      undos.get(undo)?.forEach((index) => removed.delete(index));
      setTimeout(() => emit.changed({ upserted: [], isStale: true }), 0);
    },
    // This computer converted all of them.
    previewRepeat: () => ({ services: [], entries: 0, texts: 0, seconds: 0, unmeasured: 0 }),
    repeat({ choice }) {
      const { skippedEntry } = scene;
      const skipped = skippedEntry ? 1 : 0;
      return { added: indexesOf(choice).length - skipped, skipped, firstSkipped: skippedEntry ?? null };
    },
    export: ({ choice, what }) => {
      const entriesOut = choice ? indexesOf(choice).length : entries.count;
      const name = what === 'list' ? 'history.jsonl' : 'history.zip';
      return { entries: entriesOut, files: what === 'sound' ? entriesOut : 0, withoutFile: 0, name };
    },
    import() {
      if (scene.runningTask) return workOn(scene.runningTask);
      return { ...emptyImport, ...scene.importReport };
    },
    cancelTask() {
      emit.taskProgressed(null);
      return true;
    },
    copyPaths: ({ ids }) => ({ paths: ids.length }),
    copyFiles: ({ ids }) => ({ files: ids.length }),
    share: () => undefined,
    drag: ({ ids }) => ({ names: ids.map((id) => `${id}.wav`) }),
  };
}
