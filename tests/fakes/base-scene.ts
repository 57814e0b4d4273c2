import { newDocument } from '../../src/shared/schemas/connection.ts';
import type { Problem } from '../../src/shared/errors.ts';
import type { JobInfo, JobState } from '../../src/shared/schemas/job.ts';
import { defaultSettings, type Settings } from '../../src/shared/schemas/settings.ts';
import type { Voice } from '../../src/shared/schemas/voice.ts';
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
const sceneVoices: readonly Voice[] = rows.map(([id, name, language, gender, category]) => ({
  id,
  name,
  language,
  gender,
  category,
}));
export const voiceOf = (id: string): Voice => {
  const voice = sceneVoices.find((entry) => entry.id === id);
  if (!voice) throw new Error(`No voice ${id}`);
  return voice;
};

export const settings: Settings = {
  ...defaultSettings,
  language: 'en',
  conversion: { ...defaultSettings.conversion, voiceId: 'clear-fjord', pitch: 1.1892, speed: 0.94, format: '.flac' },
  speech: { ...defaultSettings.speech, voiceId: 'clear-fjord', speed: 0.92 },
};
const ratio = { min: 0.5, max: 2, default: 1 };

let lastOrder = 0;
export interface JobChange extends Partial<Omit<JobInfo, 'voice' | 'problem'>> {
  readonly voice?: string;
  readonly problem?: Problem;
}
/** A job as main would send it, with the given changes. */
export function job(
  name: string,
  state: JobState,
  { voice = 'clear-fjord', problem, ...change }: JobChange = {},
): JobInfo {
  const order = ++lastOrder;
  const id = `job-${order}`;
  return {
    id,
    kind: 'conversion',
    position: order,
    revision: 1,
    state,
    stateChangedAt: Date.now() - 12_300,
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

export const done = (count: number): readonly JobInfo[] =>
  Array.from({ length: count }, (_, k) =>
    job(
      `chapter ${String(k + 1).padStart(2, '0')}, ${['the ferry', 'low water', 'three lamps'][k % 3] ?? ''}.wav`,
      'done',
      {
        stateChangedAt: Date.now() - k * 600_000,
        voice: k % 5 === 4 ? 'warm-talker' : 'clear-fjord',
      },
    ),
  );

export const empty: Scene = {
  info: {
    version: '0.1.0',
    platform: 'linux',
    languages: ['en-GB'],
    formatLocale: 'en-GB',
    portableFolder: null,
    fileActions: ['copy'],
  },
  settings,
  checks: [
    { operation: 'voices', outcome: 'understood', ms: 84, problem: null, suspect: null },
    { operation: 'voice-detail', outcome: 'understood', ms: 31, problem: null, suspect: null },
    { operation: 'models', outcome: 'understood', ms: 40, problem: null, suspect: null },
  ],
  document: {
    ...newDocument(),
    name: 'Studio North',
    hosts: {
      ...newDocument().hosts,
      voice: 'https://voice.studio-north.example',
      upload: 'https://upload.studio-north.example/v2',
    },
  },
  token: { place: 'keychain', keychainProblem: null, canBeInFile: true, otherOrigins: [], isRemovalPending: false },
  connections: [{ id: 'local', name: 'This computer', kind: 'local', pitch: ratio, speed: ratio, maxTextLength: null }],
  voices: sceneVoices,
  draft: '',
  jobs: [],
  pauses: [],
  processingSpeed: null,
  quitRequest: null,
  progress: [],
  added: { added: 12, refused: 0, ignored: 3, withoutPath: 0, addition: 1, createdIds: [] },
  failures: {},
  unanswered: [],
};

export const studio = {
  id: 'north',
  name: 'Studio North',
  kind: 'remote',
  pitch: { min: -10, max: 10, default: 0 },
  speed: ratio,
  maxTextLength: 5000,
} as const;

export const inSettings = (scene: Scene, change: Partial<Settings>): Scene => ({
  ...scene,
  settings: { ...scene.settings, ...change },
});
