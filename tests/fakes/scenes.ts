import type { Problem } from '../../src/shared/problem.ts';
import type { JobInfo, JobState } from '../../src/shared/wire/job.ts';
import type { Settings } from '../../src/shared/wire/settings.ts';
import type { Voice } from '../../src/shared/wire/voice.ts';
import type { Scene } from './fake-bridge.ts';

type VoiceRow = readonly [id: string, name: string, language: string, gender: Voice['gender'], category: string];

const rows: readonly VoiceRow[] = [
  ['bright-reader', 'Bright reader', 'en-NG', 'female', 'natural'],
  ['deep-and-dry', 'Deep and dry', 'de-DE', 'male', 'natural'],
  ['quick-and-light', 'Quick and light', 'ja-JP', 'female', 'natural'],
  ['warm-talker', 'Warm talker', 'en-IE', 'male', 'natural'],
  ['lamplighter', 'The Lamplighter', 'en-GB', 'male', 'character'],
  ['open-air', 'Open air', 'pt-PT', 'female', 'singing'],
  ['clear-fjord', 'Clear fjord', 'nb-NO', 'female', 'natural'],
  ['unit', 'Unit Seven', 'en-US', 'male', 'synthetic'],
  ['small-spark', 'Small spark', 'en-GB', 'female', 'character'],
  ['quiet-bell', 'Тихий мідний дзвін', 'uk-UA', 'male', 'natural'],
  ['calm-copper', 'صوت النحاس الهادئ', 'ar-MA', 'male', 'natural'],
  ['long', 'Old oak, late in the evening by the fire', 'en-GB', 'female', 'natural'],
];
export const sceneVoices: readonly Voice[] = rows.map(([id, name, language, gender, category]) => ({
  id,
  name,
  language,
  gender,
  category,
}));
const voiceOf = (id: string): Voice => {
  const voice = sceneVoices.find((entry) => entry.id === id);
  if (!voice) throw new Error(`No voice ${id}`);
  return voice;
};

const settings: Settings = {
  theme: 'system',
  contrast: 'system',
  language: 'en',
  connectionId: 'local',
  conversion: {
    voiceId: 'clear-fjord',
    pitch: 1.1892,
    speed: 0.94,
    pitchControl: '',
    autoF0: true,
    engine: 'v7',
    format: '.flac',
  },
  outputFolder: null,
  proxy: '',
};
const ratio = { min: 0.5, max: 2, default: 1 };

let lastOrder = 0;
interface JobChange extends Partial<Omit<JobInfo, 'voice' | 'problem'>> {
  readonly voice?: string;
  readonly problem?: Problem;
}
function job(name: string, state: JobState, { voice = 'clear-fjord', problem, ...change }: JobChange = {}): JobInfo {
  const order = ++lastOrder;
  const id = `job-${order}`;
  return {
    id,
    kind: 'conversion',
    order,
    revision: 1,
    state,
    since: Date.now() - 12_300,
    nextTryAt: null,
    attempts: 0,
    name,
    sizeBytes: 58_000_000,
    durationSeconds: 200 + ((order * 97) % 300),
    connectionId: 'local',
    connectionName: 'This computer',
    voice: voiceOf(voice),
    sourceMedia: `${id}-source`,
    resultMedia: state === 'done' ? `${id}-result` : null,
    outputName: state === 'done' ? name.replace(/\.\w+$/, ', Clear fjord.flac') : null,
    problem: problem ?? null,
    ...change,
  };
}

const done = (count: number): readonly JobInfo[] =>
  Array.from({ length: count }, (_, k) =>
    job(
      `chapter ${String(k + 1).padStart(2, '0')}, ${['the ferry', 'low water', 'three lamps'][k % 3] ?? ''}.wav`,
      'done',
      {
        since: Date.now() - k * 600_000,
        voice: k % 5 === 4 ? 'warm-talker' : 'clear-fjord',
      },
    ),
  );

const running = job('chapter 04, the lighthouse.wav', 'converting');
const uploading = job('chapter 05, low water.wav', 'uploading', { durationSeconds: 340 });
const downloading = job('interview Bergen, second tape.m4a', 'converted', {
  voice: 'warm-talker',
  durationSeconds: 2889,
});

const empty: Scene = {
  info: { version: '0.1.0', platform: 'linux', languages: ['en-GB'] },
  settings,
  connections: [{ id: 'local', name: 'This computer', kind: 'local', pitch: ratio, speed: ratio }],
  voices: sceneVoices,
  jobs: [],
  pauses: [],
  progress: [],
  added: { added: 12, refused: 0, leftOut: 3, withoutPath: 0 },
  failures: {},
  silent: [],
};

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

const remote: Scene = {
  ...busy,
  settings: {
    ...settings,
    connectionId: 'north',
    outputFolder: '/home/ada/Recordings/Audiobook of the lighthouse/finished',
  },
  connections: [
    ...empty.connections,
    { id: 'north', name: 'Studio North', kind: 'remote', pitch: { min: -10, max: 10, default: 0 }, speed: ratio },
  ],
};

const inSettings = (scene: Scene, change: Partial<Settings>): Scene => ({
  ...scene,
  settings: { ...scene.settings, ...change },
});
const noVoice = inSettings(empty, {
  conversion: { ...settings.conversion, voiceId: '', pitch: 1, speed: 1, autoF0: false },
});

/** Everything that a picture is taken of, by name. */
export const scenes = {
  first: noVoice,
  'first-no-voices': { ...noVoice, failures: { 'voices:list': 'engine/not-started' } },
  empty,
  busy,
  names,
  remote,
  german: inSettings(busy, { language: 'de' }),
  'first-german': inSettings(noVoice, { language: 'de' }),
  contrast: inSettings(busy, { contrast: 'more' }),
  'no-voice': { ...busy, settings: noVoice.settings },
  failed: { ...empty, failures: { 'settings:get': 'settings/unreadable' } },
  refusing: { ...busy, failures: { 'jobs:add': 'engine/not-started' } },
  loading: { ...empty, silent: ['jobs:page'] },
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
