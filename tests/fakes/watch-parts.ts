import type { JobState } from '../../src/shared/schemas/job.ts';
import {
  watchedExtensions,
  type WatchedFile,
  type WatchedState,
  type WatchFolderInfo,
  type WatchSettings,
} from '../../src/shared/schemas/watch.ts';
import { empty, job, settings } from './scene-parts.ts';

const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
export const now = Date.now();

const voiceOf = (id: string) => {
  const voice = empty.voices.find((one) => one.id === id);
  if (!voice) throw new Error(`No voice ${id}`);
  return voice;
};

interface FolderChange extends Partial<Omit<WatchFolderInfo, 'settings' | 'voice'>> {
  readonly voice?: string;
  readonly settings?: Partial<WatchSettings>;
}

/** A folder as main would tell it; `change` says what matters to the picture. */
export function folder(
  name: string,
  { voice = 'clear-fjord', settings: chosen, ...change }: FolderChange = {},
): WatchFolderInfo {
  const path = chosen?.path ?? `/home/ada/Recordings/${name}`;
  return {
    id: name,
    name,
    settings: {
      path,
      isRecursive: false,
      endings: watchedExtensions,
      connectionId: 'local',
      conversion: { ...settings.conversion, voiceId: voice, pitch: 1, speed: 1 },
      outputFolder: `${path}/Converted`,
      afterwards: 'keep',
      dailyMinutes: null,
      ...chosen,
    },
    voice: voiceOf(voice),
    connectionName: 'This computer',
    mode: 'watching',
    modeChangedAt: now - 5 * hour,
    problems: [],
    checkedAt: now - 8 * second,
    scanIntervalSeconds: 60,
    baseline: null,
    recorded: 1204,
    incoming: 0,
    attention: 0,
    minutesToday: 0,
    ...change,
  };
}

let lastOrder = 100_000;
/** A file of a folder, each older than the one before. */
export function file(
  folderId: string,
  path: string,
  state: WatchedState,
  change: Partial<WatchedFile> = {},
): WatchedFile {
  return {
    folderId,
    path,
    sortKey: --lastOrder,
    stateChangedAt: now - 20 * second,
    sizeBytes: 58e6,
    durationSeconds: 320,
    state,
    job: null,
    movedTo: null,
    ...change,
  };
}

/** A file that is a job; it took so many seconds if it is done. */
export function worked(
  folderId: string,
  path: string,
  state: JobState,
  agoMs: number,
  seconds = 41,
  change: Partial<WatchedFile> = {},
) {
  const stateChangedAt = now - agoMs;
  return file(
    folderId,
    path,
    { kind: 'job' },
    { stateChangedAt: stateChangedAt - seconds * second, job: job(path, state, { stateChangedAt }), ...change },
  );
}

export const writing: WatchedState = {
  kind: 'waiting',
  wait: { kind: 'quiet', sizeBytes: 212e6, quietSeconds: 3, neededSeconds: 5 },
};
