import type { JobState } from '../../src/shared/schemas/job.ts';
import {
  watchedExtensions,
  type WatchedFile,
  type WatchedFileState,
  type WatchFolderInfo,
  type WatchSettings,
} from '../../src/shared/schemas/watch.ts';
import { job, settings, voiceOf } from './base-scene.ts';

const second = 1000;
const minute = 60 * second;
export const hour = 60 * minute;
const day = 24 * hour;
const now = Date.now();

interface FolderChange extends Partial<Omit<WatchFolderInfo, 'settings' | 'voice'>> {
  readonly voice?: string;
  readonly settings?: Partial<WatchSettings>;
}

/** A folder as main would send it, with the given changes. */
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
      hours: null,
      hasSubfolderVoices: false,
      speech: null,
      runsHook: true,
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
/** A file of a folder; each is older than the one before. */
export function file(
  folderId: string,
  path: string,
  state: WatchedFileState,
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

/** A file with a job, which took so many seconds if it is done. */
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

export const writing: WatchedFileState = {
  kind: 'waiting',
  wait: { kind: 'quiet', sizeBytes: 212e6, quietSeconds: 3, neededSeconds: 5 },
};

export const main = 'Audiobook sessions';
export const sessions: readonly WatchedFile[] = [
  file(main, 'chapter 09, slack tide.wav', writing),
  worked(main, 'chapter 08, homeward.wav', 'converting', 0),
  worked(main, 'chapter 07, three lamps.wav', 'done', 10 * minute, 41),
  worked(main, 'chapter 06, the pilot boat.wav', 'done', 19 * minute, 38),
  file(
    main,
    'chapter 06 copy.wav',
    { kind: 'same-sound', as: 'chapter 06, the pilot boat.wav' },
    { stateChangedAt: now - 19 * minute },
  ),
  file(
    main,
    'raw take (unfinished).wav',
    { kind: 'refused', problem: { code: 'input/cut', facts: { promisedSeconds: 552, actualSeconds: 400 } } },
    { stateChangedAt: now - 40 * minute },
  ),
  file(
    main,
    'voicemail 2026-11-18.wav',
    { kind: 'quarantined', failures: 3, problem: { code: 'input/not-audio' } },
    { stateChangedAt: now - 55 * minute },
  ),
  worked(main, 'chapter 05, low water.wav', 'done', 70 * minute, 43, { movedTo: 'Done/chapter 05, low water.wav' }),
  file(main, 'room tone.wav', { kind: 'baseline' }, { stateChangedAt: now - 9 * day }),
  worked(main, 'chapter 04, the lighthouse.wav', 'done', 10 * day, 44),
  worked(main, 'chapter 03, the ferry.wav', 'done', 10 * day, 40),
  worked(main, 'chapter 02, customs.wav', 'done', 10 * day, 52),
  worked(main, 'chapter 01, the harbour.wav', 'done', 400 * day, 61),
];

export const folders: readonly WatchFolderInfo[] = [
  folder(main, { incoming: 2, attention: 1, minutesToday: 48, settings: { dailyMinutes: 120 } }),
  folder('Adverts, incoming', { voice: 'warm-talker', recorded: 88 }),
  folder('NAS interviews', {
    voice: 'lamplighter',
    mode: 'offline',
    modeChangedAt: now - 3 * hour,
    problems: [{ code: 'watch/missing', facts: { folder: '/mnt/nas/interviews' } }],
    settings: { path: '/mnt/nas/interviews' },
  }),
  folder('Game lines', { voice: 'unit', mode: 'paused', modeChangedAt: now - 5 * day, recorded: 412 }),
  folder('Radio cut-ups with a rather long name that nobody shortened', {
    voice: 'open-air',
    mode: 'polling',
    scanIntervalSeconds: 30,
    recorded: 31,
    problems: [{ code: 'watch/no-hints', facts: { seconds: 30 } }],
  }),
];

export const states = 'Every state';
const north = { connectionId: 'north', connectionName: 'Studio North' } as const;
const inTwelveSeconds = now + 12_400;
export const everyFile: readonly WatchedFile[] = [
  file(states, '01 quiet.wav', writing),
  file(states, '02 writer.wav', { kind: 'waiting', wait: { kind: 'writer', sizeBytes: 31e6, program: 'Audacity' } }),
  file(states, '03 some writer.wav', { kind: 'waiting', wait: { kind: 'writer', sizeBytes: 31e6, program: null } }),
  file(states, '04 reading.wav', { kind: 'waiting', wait: { kind: 'reading' } }),
  file(states, '05 budget.wav', { kind: 'waiting', wait: { kind: 'budget', usedMinutes: 112, limitMinutes: 120 } }),
  file(states, '06 turn.wav', { kind: 'waiting', wait: { kind: 'turn' } }),
  ...(['queued', 'creating', 'uploading', 'converting', 'converted', 'done', 'cancelled'] as const).map((state, k) =>
    worked(states, `${String(k + 7).padStart(2, '0')} ${state}.wav`, state, 0),
  ),
  file(
    states,
    '14 failed.wav',
    { kind: 'job' },
    { job: job('14 failed.wav', 'failed', { problem: { code: 'voice/not-found', facts: { name: 'Wen Jiayi' } } }) },
  ),
  file(
    states,
    '15 uncertain.wav',
    { kind: 'job' },
    { job: job('15 uncertain.wav', 'uncertain', { ...north, problem: { code: 'service/uncertain' } }) },
  ),
  file(states, '16 retrying.wav', {
    kind: 'retrying',
    failures: 2,
    at: inTwelveSeconds,
    problem: { code: 'network/timeout' },
  }),
  file(states, '17 quarantined.wav', {
    kind: 'quarantined',
    failures: 5,
    problem: { code: 'service/refused', facts: { status: 422 }, words: 'Sampling rate is not supported.' },
  }),
  file(states, '18 before.wav', { kind: 'baseline' }),
  file(states, '19 same sound.wav', { kind: 'same-sound', as: '12 done.wav' }),
  file(states, '20 other settings.wav', { kind: 'other-settings' }),
  file(states, '21 own output.wav', { kind: 'own-output' }),
  file(states, '21 hours.wav', { kind: 'waiting', wait: { kind: 'hours', hours: { from: 1320, to: 360 } } }),
  file(states, 'raw/21 no voice.wav', {
    kind: 'refused',
    problem: { code: 'watch/no-voice', facts: { folder: 'raw' } },
  }),
  file(states, '22 length open.wav', { kind: 'refused', problem: { code: 'watch/length-open' } }),
  file(states, '23 too long.wav', { kind: 'refused', problem: { code: 'watch/too-long', facts: { minutes: 151.2 } } }),
  file(states, '24 length unknown.wav', { kind: 'refused', problem: { code: 'watch/length-unknown' } }),
  file(states, '25 empty.wav', { kind: 'refused', problem: { code: 'input/empty' } }),
  ...(['converting', 'done'] as const).map((state) => {
    const path = `26 ${state}.txt`;
    return worked(states, path, state, 0, 6, {
      job: job(path, state, { kind: 'speech', durationSeconds: null, sourceMedia: null }),
    });
  }),
  file(states, '26 before.md', { kind: 'baseline' }),
  file(states, '26 same text.txt', { kind: 'same-sound', as: '26 done.txt' }),
  file(states, '26 other settings.md', { kind: 'other-settings' }),
  file(states, '26 empty.txt', { kind: 'refused', problem: { code: 'input/text-empty' } }),
  file(states, '26 not text.txt', { kind: 'refused', problem: { code: 'input/not-text' } }),
  file(states, '26 too large.txt', {
    kind: 'refused',
    problem: { code: 'input/text-too-long', facts: { limitBytes: 1_048_576, actualBytes: 3_200_000 } },
  }),
  file(states, '26 link.wav', { kind: 'link' }),
  file(states, '27 cloud.wav', { kind: 'placeholder' }),
];
