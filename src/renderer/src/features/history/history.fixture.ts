import type { HistoryDetail, HistoryList, HistoryRow } from '../../../../shared/schemas/history.ts';
import type { Api } from '../../lib/api.ts';
import { jobOf } from '../jobs/job.fixture.ts';

const { voice } = jobOf('a');
const nothing = () => Promise.resolve();

/** An entry that ended `minutes` before noon, with the given fields changed. */
export const rowOf = (id: string, minutes = 0, change: Partial<HistoryRow> = {}): HistoryRow => ({
  id,
  kind: 'conversion',
  state: 'done',
  endedAt: new Date(2026, 10, 18, 12).getTime() - minutes * 60_000,
  name: `${id}.wav`,
  voice,
  durationSeconds: 60,
  sourceMedia: `${id}-source`,
  resultMedia: `${id}-result`,
  isWatched: false,
  isFavourite: false,
  tags: [],
  problem: null,
  ...change,
});

/** The details of a conversion on this computer, with the given fields changed. */
export const detailOf = (id: string, change: Partial<HistoryDetail> = {}): HistoryDetail => ({
  row: rowOf(id),
  source: null,
  result: null,
  text: null,
  connectionId: 'local',
  connectionName: 'This computer',
  settings: {
    voiceId: voice.id,
    pitch: 1,
    speed: 1,
    pitchControl: '',
    autoF0: false,
    engine: 'v7',
    format: 'same',
  },
  outputFolder: null,
  outputFormat: null,
  taskId: null,
  attempts: 1,
  createdAt: 0,
  startedAt: null,
  timings: {},
  processingTime: null,
  watchFolder: null,
  others: [],
  ...change,
});

/** `count` entries, newest first; `r0` is the oldest. */
export const rowsOf = (count: number): readonly HistoryRow[] =>
  Array.from({ length: count }, (_, k) => rowOf(`r${count - 1 - k}`, k));

export const countedOf = (list: number, rows: readonly HistoryRow[]): HistoryList => {
  const days: [number, number, number][] = [];
  rows.forEach(({ endedAt, durationSeconds }, index) => {
    const startsAt = new Date(endedAt).setHours(0, 0, 0, 0);
    if (days.at(-1)?.[1] !== startsAt) days.push([index, startsAt, 0]);
    const day = days.at(-1);
    if (day) day[2] += durationSeconds ?? 0;
  });
  return { list, matches: rows.length, entries: rows.length, days, months: [] };
};

/** A user who wants what costs money. */
export const agree = (): Promise<boolean> => Promise.resolve(true);

/** The api of an empty history, with the given functions replaced. */
export const historyApi = (change: Partial<Api['history']> = {}): Api['history'] => ({
  search: () => Promise.resolve({ list: 1, rows: [], isWhole: true, errors: [], terms: [] }),
  rows: () => Promise.resolve([]),
  suggest: () => Promise.resolve({ from: 0, to: 0, items: [] }),
  detail: () => Promise.reject(new Error('no detail')),
  getFileStatus: () => Promise.resolve([]),
  findFile: () => Promise.resolve(null),
  update: nothing,
  tags: () => Promise.resolve([]),
  largestResults: () => Promise.resolve([]),
  statistics: () => Promise.reject(new Error('no statistics')),
  exportStatistics: () => Promise.resolve(null),
  remove: () => Promise.resolve({ undo: 'u', entries: 0, files: 0, keptFiles: 0 }),
  undo: nothing,
  hasRestorable: () => Promise.resolve(false),
  restoreResults: () => Promise.resolve(null),
  previewRepeat: () => Promise.resolve({ services: [], entries: 0, texts: 0, seconds: 0, unmeasured: 0 }),
  repeat: () => Promise.resolve({ added: 0, skipped: 0, firstSkipped: null }),
  export: () => Promise.resolve(null),
  import: () => Promise.resolve(null),
  cancelTask: () => Promise.resolve(false),
  copyPaths: () => Promise.resolve({ paths: 0 }),
  copyFiles: () => Promise.resolve({ files: 0 }),
  share: () => Promise.resolve(),
  drag: () => Promise.resolve({ names: [] }),
  onTaskProgressed: () => () => undefined,
  onListCounted: () => () => undefined,
  onChanged: () => () => undefined,
  ...change,
});
