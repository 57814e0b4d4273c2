import { diagnosticsScenes } from './diagnostics-scenes.ts';
import type { UpdateStatus } from '../../src/shared/schemas/update.ts';
import type { Scene } from './fake-bridge.ts';
import { historyScenes } from './history-scenes.ts';
import { queueScenes } from './queue-scenes.ts';
import { voiceScenes } from './voice-scenes.ts';
import { done, empty, inSettings, job, settings, studio, voiceOf } from './base-scene.ts';
import { presetScenes } from './preset-scenes.ts';
import { speechScenes } from './speech-scenes.ts';
import { watchScenes } from './watch-scenes.ts';

const running = job('chapter 04, the lighthouse.wav', 'converting');
const uploading = job('chapter 05, low water.wav', 'uploading', { durationSeconds: 340 });
const downloading = job('interview Bergen, second tape.m4a', 'converted', {
  voice: 'warm-talker',
  durationSeconds: 2889,
});

const busy: Scene = {
  ...empty,
  jobs: [
    running,
    uploading,
    downloading,
    job('advert 30 s, take 7.mp3', 'uncertain', { voice: 'small-spark', durationSeconds: 30 }),
    job('voicemail 2026-11-18.amr', 'failed', {
      durationSeconds: null,
      sourceMedia: null,
      problem: { code: 'input/not-audio' },
    }),
    job('choir, whole evening.wav', 'failed', {
      voice: 'open-air',
      durationSeconds: 9068,
      problem: {
        code: 'service/refused',
        facts: { limitBytes: 200e6, actualBytes: 1.9e9 },
        words: 'File too large.',
      },
    }),
    job('chapter 06, the pilot boat.wav', 'queued'),
    job('chapter 07, three lamps.wav', 'queued'),
    job('chapter 08, homeward.wav', 'queued'),
    job('epilogue.wav', 'queued', { voice: 'quick-and-light' }),
    ...done(41),
    job('chapter 09, not wanted.wav', 'cancelled'),
  ],
  progress: [
    { id: uploading.id, direction: 'upload', doneBytes: 31e6, totalBytes: 58e6 },
    { id: downloading.id, direction: 'download', doneBytes: 37e6, totalBytes: 44e6 },
  ],
};

const longName =
  '2026-11-18 Interview with the harbour master’s granddaughter about the winter the lamp went out (second attempt, final FINAL).wav';
const longRow = job(longName, 'publishing', { voice: 'long', durationSeconds: 10_089 });
const names: Scene = {
  ...empty,
  settings: { ...settings, conversion: { ...settings.conversion, voiceId: 'long' } },
  jobs: [
    longRow,
    job('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft.flac', 'queued', {
      voice: 'quiet-bell',
    }),
    job('الفصل الرابع، المنارة القديمة على الشاطئ الشمالي للجزيرة.wav', 'converting', { voice: 'calm-copper' }),
    job('مقابلة بيرغن، الشريط الثاني.m4a', 'failed', { voice: 'calm-copper', problem: { code: 'network/cut' } }),
    job('第四章、灯台.wav', 'queued', { voice: 'quick-and-light' }),
    job('x'.repeat(240), 'failed', {
      voice: 'long',
      problem: { code: 'voice/not-found', facts: { name: 'Wen Jiayi' } },
    }),
    job('<b>not markup</b> & "quotes".wav', 'uploading'),
    job('a.wav', 'creating', { sourceMedia: null, durationSeconds: null }),
  ],
  progress: [{ id: longRow.id, direction: 'download', doneBytes: 1.2345e9, totalBytes: 2.048e9 }],
};

const goneVoice = { ...voiceOf('lamplighter'), id: 'gone', name: 'Keeper of the Light' };
/** The service no longer has the selected voice. */
const voiceGone: Scene = {
  ...busy,
  jobs: [
    {
      ...job('chapter 03, the ferry.wav', 'failed', {
        problem: {
          code: 'voice/not-found',
          facts: { name: goneVoice.name },
          words: 'Invalid input parameters. The voice does not exist.',
        },
      }),
      voice: goneVoice,
    },
    // Its row stays in view.
    ...busy.jobs.slice(0, 1),
  ],
  settings: { ...settings, conversion: { ...settings.conversion, voiceId: 'gone' } },
  voiceService: { lastUsed: [goneVoice] },
  failures: { 'jobs:add': 'voice/not-found' },
};

const remote: Scene = {
  ...busy,
  settings: {
    ...settings,
    connectionId: 'north',
    outputFolder: '/home/ada/Recordings/Audiobook of the lighthouse/finished',
  },
  connections: [...empty.connections, studio],
};

const noVoice = inSettings(empty, {
  conversion: { ...settings.conversion, voiceId: '', pitch: 1, speed: 1, autoF0: false },
});

/** Copies of results on a disk that is nearly full. */
const copies: Scene = {
  ...inSettings(busy, { copies: { isOn: true, maxGigabytes: 20, since: 1 } }),
  copies: {
    folder: '/home/ada/.config/Timbre/copies',
    copies: 1204,
    bytes: 18.4e9,
    waiting: 12,
    problem: { code: 'output/disk-full', facts: { folder: '/home/ada/.config/Timbre/copies' } },
  },
};

/** The program after each result failed for two of them. */
const hookJobs = done(6);
const hookFailed = { code: 'hook/failed', facts: { name: 'upload.sh', exitCode: 7 } } as const;
const hook: Scene = {
  ...inSettings(empty, {
    hook: {
      isOn: true,
      program: '/home/ada/bin/upload.sh',
      args: ['{result}', '--album', '{voice}, {date}'],
      timeoutSeconds: 60,
    },
  }),
  jobs: hookJobs,
  hook: {
    waiting: 1,
    failed: 2,
    failures: [
      { id: hookJobs[1]?.id ?? '', problem: hookFailed },
      {
        id: hookJobs[3]?.id ?? '',
        problem: { code: 'hook/timeout', facts: { name: 'upload.sh', seconds: 60 } },
      },
    ],
    last: {
      ...{ name: 'chapter 02, low water.wav', isTest: false, endedAt: 0, seconds: 1.4, exitCode: 7 },
      output: 'sending 14.2 MB to north.example\ncurl: (7) Failed to connect to north.example port 443',
      problem: hookFailed,
    },
  },
};

/** A recording needs ffmpeg, which is not there; a service takes another as it is. */
const needsFfmpeg: Scene = {
  ...empty,
  connections: [...empty.connections, studio],
  ffmpeg: { path: null, version: null, isSelected: false, system: 'linux' },
  plainJobs: ['memo-caf'],
  jobs: [
    {
      ...job('New Recording 12.caf', 'uploading', { durationSeconds: 94 }),
      ...{ id: 'memo-caf', connectionId: 'north', connectionName: 'Studio North' },
    },
    job('radio, 1998.spx', 'failed', {
      durationSeconds: null,
      sourceMedia: null,
      problem: { code: 'input/needs-ffmpeg', facts: { name: 'radio, 1998.spx', format: 'Speex', system: 'linux' } },
    }),
    job('wedding film.caf', 'failed', {
      durationSeconds: null,
      sourceMedia: null,
      problem: {
        code: 'input/needs-ffmpeg',
        facts: { name: 'wedding film.caf', format: 'caf/alac', system: 'win32' },
      },
    }),
  ],
};

/** A newer version, which this kind of package can install. */
const updates: UpdateStatus = {
  ...{ phase: 'idle', host: 'timbre.example', checkedAt: Date.now() - 3 * 3_600_000, canInstall: true, progress: 0 },
  available: {
    version: '0.2.0',
    date: Date.parse('2026-11-20T10:00:00Z'),
    notes:
      'Voices can be compared by pitch.\nA watched folder on a network drive is found again after the drive was away.\n\n' +
      'Fixed: a long text in Arabic was divided in the middle of a sentence.',
  },
  problem: null,
};

/** All scenes by name. */
export const scenes = {
  ...queueScenes,
  ...speechScenes,
  ...diagnosticsScenes,
  ...voiceScenes,
  ...watchScenes,
  ...historyScenes,
  ...presetScenes,
  first: noVoice,
  'first-no-voices': { ...noVoice, failures: { 'voices:list': 'engine/not-started' } },
  empty,
  busy,
  update: { ...busy, updates },
  'newer-data': {
    ...busy,
    damage: {
      code: 'data/newer',
      facts: { name: 'timbre.db', found: 31, known: 28, access: 'read', backup: 'timbre.db.before-29' },
    },
  },
  'update-ready': { ...busy, updates: { ...updates, phase: 'downloaded' } },
  'update-failed': { ...busy, updates: { ...updates, available: null, problem: { code: 'update/list-invalid' } } },
  names,
  remote,
  'remote-german': inSettings(remote, { language: 'de' }),
  'remote-large': {
    ...remote,
    addPreview: { found: 1207, recordings: 1204, seconds: 88_200, unmeasured: 12, longestSeconds: 91_000, tooLong: 3 },
  },
  'remote-large-german': inSettings(
    {
      ...remote,
      addPreview: { found: 129, recordings: 128, seconds: 18_750, unmeasured: 0, longestSeconds: 3600, tooLong: 1 },
    },
    { language: 'de' },
  ),
  'remote-refused': {
    ...remote,
    token: {
      place: null,
      keychainProblem: 'Cannot autolaunch D-Bus without X11 $DISPLAY',
      canBeInFile: true,
      otherOrigins: [],
      isRemovalPending: false,
    },
    checks: [
      {
        operation: 'voices',
        outcome: 'unauthorised',
        ms: 84,
        problem: { code: 'auth/refused', words: 'Token expired on 19 November.' },
        suspect: null,
      },
      {
        operation: 'voice-detail',
        outcome: 'not-understood',
        ms: 1,
        problem: { code: 'voice/missing' },
        suspect: null,
      },
      {
        operation: 'models',
        outcome: 'not-understood',
        ms: 40,
        problem: { code: 'service/not-understood', facts: { field: 'models[].modelId' } },
        suspect: 'modelVoiceField',
      },
    ],
  },
  german: inSettings(busy, { language: 'de' }),
  'first-german': inSettings(noVoice, { language: 'de' }),
  contrast: inSettings(busy, { contrast: 'more' }),
  'no-voice': { ...busy, settings: noVoice.settings },
  'voice-gone': voiceGone,
  'voice-gone-german': inSettings(voiceGone, { language: 'de' }),
  copies,
  'copies-german': inSettings(copies, { language: 'de' }),
  'needs-ffmpeg': needsFfmpeg,
  'needs-ffmpeg-german': inSettings(needsFfmpeg, { language: 'de' }),
  hook,
  'hook-german': inSettings(hook, { language: 'de' }),
  failed: { ...empty, failures: { 'settings:get': 'settings/unreadable' } },
  refusing: { ...busy, failures: { 'jobs:add': 'engine/not-started' } },
  loading: { ...empty, unanswered: ['jobs:list'] },
  huge: {
    ...empty,
    jobs: Array.from({ length: 10_000 }, (_, k) =>
      job(
        `take ${k + 1}.wav`,
        k % 50 === 7 ? 'failed' : 'queued',
        k % 50 === 7 ? { problem: { code: 'input/cut' } } : {},
      ),
    ),
  },
} as const satisfies Readonly<Record<string, Scene>>;

export type SceneName = keyof typeof scenes;
