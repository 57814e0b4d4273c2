import { whenNothingIsDone } from '../../src/shared/schemas/app.ts';
import type { Pause, PauseReason } from '../../src/shared/schemas/job.ts';
import type { DiskResults } from '../../src/shared/schemas/history.ts';
import type { Scene } from './fake-bridge.ts';
import { entriesOf } from './fake-history.ts';
import { done, empty, inSettings, job, settings, studio } from './base-scene.ts';

const north = { connectionId: 'north', connectionName: 'Studio North' } as const;
const inTwelveSeconds = Date.now() + 12_400;

const pauseOf = (reason: PauseReason, change: Partial<Pause> = {}): Pause => ({
  connectionId: 'north',
  reason,
  since: Date.now() - 5000,
  resumesAt: null,
  problem: null,
  ...change,
});
const userPause = pauseOf('user', { connectionId: null });
const offline = pauseOf('offline', { resumesAt: inTwelveSeconds, problem: { code: 'network/unreachable' } });
const offlineMode = pauseOf('offline-mode', { problem: { code: 'network/offline-mode' } });
const battery = pauseOf('battery', { connectionId: null });
const token = pauseOf('token', { problem: { code: 'auth/refused', words: 'Token expired on 19 November.' } });
const rate = pauseOf('rate', {
  resumesAt: inTwelveSeconds,
  problem: { code: 'rate/limited', facts: { retryAfterSeconds: 12 } },
});
const quota = pauseOf('quota', {
  resumesAt: Date.now() + 3_600_000,
  problem: { code: 'quota/used-up', words: 'No credit left.' },
});
const disk = pauseOf('disk', {
  connectionId: null,
  resumesAt: inTwelveSeconds,
  problem: { code: 'output/disk-full', facts: { neededBytes: 340e6 } },
});
const folderMissing = pauseOf('disk', {
  connectionId: null,
  problem: { code: 'output/folder-missing', facts: { folder: '/media/anna/Field Recorder/Converted' } },
});
const forbidden = pauseOf('quota', {
  resumesAt: Date.now() + 3_600_000,
  problem: { code: 'auth/forbidden', words: 'This voice is not part of your plan.' },
});
const insecure = pauseOf('offline', {
  resumesAt: inTwelveSeconds,
  problem: { code: 'network/insecure', facts: { host: 'voice.studio-north.example', reason: 'CERT_HAS_EXPIRED' } },
});
const inVain = pauseOf('uncertain', {
  problem: { code: 'service/no-audio', words: '{"message":"Your speech is on its way."}' },
});
const data = pauseOf('data', { connectionId: null, problem: { code: 'data/not-writable' } });
const damaged = pauseOf('data', { connectionId: null, problem: { code: 'data/damaged' } });
const uncertain = pauseOf('uncertain', { problem: { code: 'service/uncertain' } });

/** A queue on two connections, with jobs in every state. */
const work: Scene = {
  ...empty,
  connections: [...empty.connections, studio],
  settings: { ...settings, connectionId: 'north' },
  processingSpeed: 0.21,
  jobs: [
    job('chapter 04, the lighthouse.wav', 'converting'),
    job('chapter 05, low water.wav', 'uploading', { ...north, durationSeconds: 340 }),
    job('interview Bergen, second tape.m4a', 'converted', { ...north, voice: 'warm-talker', durationSeconds: 2889 }),
    job('interview Bergen, third tape.m4a', 'uploaded', { ...north, voice: 'warm-talker', durationSeconds: 1210 }),
    job('The lamp went out in the winter of…', 'queued', {
      ...north,
      kind: 'speech',
      sizeBytes: null,
      durationSeconds: null,
      sourceMedia: null,
      voice: 'lamplighter',
    }),
    job('chapter 06, the pilot boat.wav', 'created', north),
    job('chapter 07, three lamps.wav', 'queued', north),
    job('chapter 08, homeward.wav', 'queued', north),
    job('epilogue.wav', 'queued', { voice: 'quick-and-light' }),
    ...done(41),
    job('“Good evening, and welcome aboard.”', 'done', {
      kind: 'speech',
      sizeBytes: null,
      durationSeconds: null,
      sourceMedia: null,
      voice: 'lamplighter',
    }),
  ],
};
const upload = work.jobs[1]?.id ?? '';
const atWork: Scene = {
  ...work,
  progress: [{ id: upload, direction: 'upload', doneBytes: 31e6, totalBytes: 58e6 }],
};
const held = (...pauses: readonly Pause[]): Scene => ({
  ...work,
  jobs: work.jobs.filter(({ id }) => id !== upload),
  pauses,
});

/** One connection, so that the time left is known. */
const batch: Scene = {
  ...empty,
  processingSpeed: 0.21,
  jobs: [
    job('chapter 01, the ferry.wav', 'converting'),
    job('chapter 02, low water.wav', 'converting'),
    ...Array.from({ length: 88 }, (_, k) => job(`chapter ${String(k + 3).padStart(2, '0')}, takes.wav`, 'queued')),
    job('voicemail 2026-11-18.amr', 'failed', { sourceMedia: null, problem: { code: 'network/timeout' } }),
    job('voicemail 2026-11-19.amr', 'failed', { sourceMedia: null, problem: { code: 'network/cut' } }),
    job('voicemail 2026-11-20.amr', 'failed', { sourceMedia: null, problem: { code: 'service/refused' } }),
    ...done(12),
  ],
};

const tried: Scene = {
  ...work,
  jobs: [
    job('chapter 04, the lighthouse.wav', 'converting'),
    job('chapter 05, low water.wav', 'created', {
      ...north,
      nextTryAt: inTwelveSeconds,
      attempts: 3,
      problem: { code: 'network/timeout' },
    }),
    job('chapter 06, the pilot boat.wav', 'converted', {
      ...north,
      nextTryAt: inTwelveSeconds + 60_000,
      attempts: 1,
      problem: { code: 'service/unavailable', facts: { status: 502 }, words: 'Bad gateway at edge 4.' },
    }),
    job('chapter 07, three lamps.wav', 'queued', north),
  ],
};

const unsure: Scene = {
  ...work,
  jobs: [
    job('advert 30 s, take 7.mp3', 'uncertain', { ...north, voice: 'small-spark', durationSeconds: 30 }),
    job('advert 30 s, take 8.mp3', 'uncertain', {
      ...north,
      voice: 'small-spark',
      durationSeconds: 30,
      problem: { code: 'service/result-gone' },
    }),
    job('advert 30 s, take 9.mp3', 'cancelled', {
      ...north,
      voice: 'small-spark',
      durationSeconds: 30,
      problem: { code: 'service/may-charge' },
    }),
    job('chapter 07, three lamps.wav', 'queued', north),
  ],
  pauses: [uncertain],
};

const largestResults: readonly DiskResults[] = [
  {
    disk: '/media/anna/Field Recorder',
    freeBytes: 48e6,
    results: [
      ['choir, whole evening, Open air.flac', 1.62e9],
      ['interview Bergen, second tape, Warm talker.wav', 509e6],
      ['chapter 04, the lighthouse, in the winter of the long storms, The Lamplighter.wav', 118e6],
    ].map(([name, sizeBytes], k) => ({
      id: `r${k}`,
      name: String(name),
      folder: '/media/anna/Field Recorder/2026/Museum of the sea/Converted',
      sizeBytes: Number(sizeBytes),
    })),
  },
  {
    disk: '/',
    freeBytes: 212e9,
    results: [{ id: 'r9', name: 'podcast, episode 12.mp3', folder: '/home/anna/Music/Timbre', sizeBytes: 84e6 }],
  },
];

const portable: Scene = { ...atWork, info: { ...atWork.info, portableFolder: '/media/anna/STICK/Timbre/timbre-data' } };

/** The scenes of the queue: paused for each reason, quitting, and not readable. */
export const queueScenes = {
  'queue-work': atWork,
  'queue-batch': batch,
  'queue-batch-german': inSettings(batch, { language: 'de' }),
  'queue-paused': { ...held(userPause), progress: atWork.progress },
  'queue-offline': held(offline),
  'queue-battery': held(battery),
  'queue-battery-german': inSettings(held(battery), { language: 'de' }),
  'queue-offline-mode': inSettings(held(offlineMode), { isOfflineMode: true }),
  'queue-token': held(token),
  'queue-token-elsewhere': held(
    pauseOf('token', { problem: { code: 'auth/missing', facts: { origin: 'https://old.studio.example' } } }),
  ),
  'queue-rate': held(rate),
  'queue-quota': held(quota),
  'queue-disk': { ...held(disk), history: { entries: entriesOf([]), largestResults } },
  'queue-folder-missing': held(folderMissing),
  'queue-folder-missing-german': inSettings(held(folderMissing), { language: 'de' }),
  'queue-forbidden': held(forbidden),
  'queue-insecure': held(insecure),
  'queue-in-vain': held(inVain),
  'queue-damaged': held(damaged),
  'queue-data': held(data),
  'queue-data-german': inSettings(held(data), { language: 'de' }),
  'queue-all': held(userPause, offline, token, quota, disk),
  'queue-all-german': inSettings(held(userPause, offline, token, quota, disk), { language: 'de' }),
  'queue-tried': tried,
  'queue-tried-german': inSettings(tried, { language: 'de' }),
  'queue-uncertain': unsure,
  'queue-unreadable': { ...empty, failures: { 'jobs:list': 'data/unreadable', 'jobs:add': 'data/unreadable' } },
  'queue-newer': { ...empty, failures: { 'jobs:list': 'data/newer', 'jobs:add': 'data/newer' } },
  'queue-huge': {
    ...batch,
    pauses: [userPause],
    jobs: Array.from({ length: 10_000 }, (_, k) => job(`take ${k + 1}.wav`, 'queued')),
  },
  'when-done': { ...atWork, whenDone: { ...whenNothingIsDone, action: 'shut-down' } },
  'when-done-german': inSettings(
    { ...atWork, whenDone: { ...whenNothingIsDone, action: 'shut-down' } },
    { language: 'de' },
  ),
  countdown: { ...atWork, whenDone: { ...whenNothingIsDone, action: 'shut-down', secondsLeft: 24 } },
  'countdown-german': inSettings(
    { ...atWork, whenDone: { ...whenNothingIsDone, action: 'sleep', secondsLeft: 24 } },
    { language: 'de' },
  ),
  'power-refused': {
    ...atWork,
    whenDone: {
      ...whenNothingIsDone,
      problem: {
        code: 'system/power-refused',
        facts: { action: 'sleep', said: 'Call to Suspend failed: Interactive authentication required.' },
      },
    },
  },
  close: { ...atWork, closeRequest: { open: 9, folders: 2, place: 'tray' } },
  'close-no-tray': { ...atWork, closeRequest: { open: 0, folders: 1, place: 'taskbar' } },
  'close-german': inSettings(
    {
      ...atWork,
      closeRequest: { open: 1, folders: 2, place: 'taskbar' },
      desktop: {
        place: 'taskbar',
        loginItem: 'on',
        powerSource: 'unknown',
        terminalCommand: { path: '/home/ada/.local/bin/timbre', isInstalled: true, isOnPath: false },
      },
    },
    { language: 'de', closeAction: 'background' },
  ),
  'settings-portable': portable,
  'settings-portable-german': inSettings(portable, { language: 'de' }),
  'login-approval': {
    ...atWork,
    desktop: {
      place: 'dock',
      loginItem: 'requires-approval',
      powerSource: 'battery',
      terminalCommand: { path: '/usr/local/bin/timbre', isInstalled: false, isOnPath: true },
    },
  },
  quit: { ...atWork, quitRequest: { open: 9, adding: 0, atService: 0, question: 1 } },
  /** All that there is to say. */
  'quit-adding': { ...atWork, quitRequest: { open: 2, adding: 12, atService: 1, question: 1 } },
  'quit-adding-german': inSettings(
    { ...atWork, quitRequest: { open: 2, adding: 12, atService: 1, question: 1 } },
    { language: 'de' },
  ),
  'quit-owed': { ...atWork, quitRequest: { open: 5, adding: 0, atService: 2, question: 1 } },
  'quit-owed-german': inSettings(
    { ...atWork, quitRequest: { open: 5, adding: 0, atService: 2, question: 1 } },
    { language: 'de' },
  ),
} as const satisfies Readonly<Record<string, Scene>>;
