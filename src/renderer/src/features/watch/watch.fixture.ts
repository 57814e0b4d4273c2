import { defaultWatchedExtensions, type WatchedFile, type WatchFolderInfo } from '../../../../shared/schemas/watch.ts';
import type { Api } from '../../lib/api.ts';
import { jobOf } from '../jobs/job.fixture.ts';

const nothing = () => Promise.resolve();
const { voice } = jobOf('a');

/** A watched folder of this computer with nothing to do, with the given fields changed. */
export const folderOf = (id: string, change: Partial<WatchFolderInfo> = {}): WatchFolderInfo => ({
  id,
  name: id,
  settings: {
    path: `/recordings/${id}`,
    isRecursive: false,
    endings: defaultWatchedExtensions,
    connectionId: 'local',
    conversion: {
      voiceId: voice.id,
      pitch: 1,
      speed: 1,
      pitchControl: '',
      autoF0: false,
      engine: 'v7',
      format: 'same',
    },
    outputFolder: `/recordings/${id}/Converted`,
    afterwards: 'keep',
    dailyMinutes: null,
    hours: null,
    hasSubfolderVoices: false,
    speech: null,
    runsHook: true,
  },
  voice,
  connectionName: 'This computer',
  mode: 'watching',
  modeChangedAt: 0,
  problems: [],
  checkedAt: null,
  scanIntervalSeconds: 30,
  baseline: null,
  recorded: 0,
  incoming: 0,
  attention: 0,
  minutesToday: 0,
  ...change,
});

/** A file of folder `f` from its baseline, with the given fields changed. */
export const fileOf = (path: string, sortKey: number, change: Partial<WatchedFile> = {}): WatchedFile => ({
  folderId: 'f',
  path,
  sortKey,
  stateChangedAt: 0,
  sizeBytes: 1,
  durationSeconds: 60,
  state: { kind: 'baseline' },
  job: null,
  movedTo: null,
  ...change,
});

/** The api without any watched folder, with the given functions replaced. */
export const watchApi = (change: Partial<Api['watch']> = {}): Api['watch'] => ({
  list: () => Promise.resolve([]),
  findFolders: ({ paths }) => Promise.resolve(paths),
  preview: () =>
    Promise.resolve({ files: [], count: 0, texts: 0, seconds: 0, unmeasured: 0, refused: 0, ignored: 0, links: 0 }),
  save: ({ id, settings }) => Promise.resolve(folderOf(id ?? 'made', { settings })),
  remove: nothing,
  setPaused: nothing,
  answerBaseline: nothing,
  answerPreset: nothing,
  listFiles: () => Promise.resolve({ files: [], next: null }),
  convert: nothing,
  explain: () => Promise.resolve(null),
  reveal: nothing,
  onChanged: () => () => undefined,
  onFilesChanged: () => () => undefined,
  ...change,
});
