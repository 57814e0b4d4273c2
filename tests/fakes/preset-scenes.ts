import { type Preset, referenceTo } from '../../src/shared/schemas/preset.ts';
import { done, empty, inSettings, job, settings, studio } from './base-scene.ts';
import type { Scene } from './fake-bridge.ts';
import { folder } from './watched-folders.ts';

const idOf = (n: number) => `00000000-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`;
const stored = { connectionId: 'local', connectionName: 'This computer', revision: 1, isDefault: false };

/** A preset of the scene's own voice and settings, with the given changes. */
export const presetOf = (n: number, name: string, change: Partial<Preset> = {}): Preset =>
  ({
    id: idOf(n),
    kind: 'conversion',
    name,
    voiceName: 'Clear fjord',
    settings: settings.conversion,
    ...stored,
    ...change,
  }) as Preset;

const audiobook = presetOf(1, 'Audiobook', { isDefault: true });
const reader = presetOf(5, 'Evening news', { kind: 'speech', settings: settings.speech });
const longName = 'Harbour master’s granddaughter, winter interviews, second attempt with less room';
const presets: readonly Preset[] = [
  audiobook,
  presetOf(2, 'Game characters, small', { settings: { ...settings.conversion, voiceId: 'small-spark', pitch: 1.4 } }),
  presetOf(3, 'Lessons', { connectionId: 'gone', connectionName: 'Studio South' }),
  presetOf(4, 'Trailer', { connectionId: 'north', connectionName: 'Studio North' }),
  presetOf(6, longName),
  reader,
];
const chosen = (conversion: string, speech = ''): Partial<Scene['settings']> => ({ presets: { conversion, speech } });

const base: Scene = {
  ...empty,
  connections: [...empty.connections, studio],
  jobs: [job('chapter 07, three lamps.wav', 'queued'), ...done(4)],
  presets,
  presetImport: {
    imported: 3,
    renamed: [{ from: 'Audiobook', to: 'Audiobook (2)' }],
    skipped: [
      { name: 'Trailer', reason: 'known', connection: 'Studio North' },
      { name: 'Radio play', reason: 'no-connection', connection: 'Studio West' },
    ],
  },
};
const modified = inSettings(base, {
  ...chosen(audiobook.id),
  conversion: { ...settings.conversion, speed: 1.1 },
});
const spoken = inSettings(base, {
  ...chosen('', reader.id),
  speech: { ...settings.speech, pitch: 1.2 },
});
const watched: Scene = {
  ...base,
  watch: {
    folders: [
      folder('interviews', { settings: { preset: { ...referenceTo(audiobook), revision: 0 } } }),
      folder('lectures', { settings: { preset: { id: idOf(99), name: 'Lecture hall', revision: 1 } } }),
    ],
    files: [],
  },
};

/** Presets in Convert, Speech and Watch. */
export const presetScenes = {
  presets: inSettings(base, chosen(audiobook.id)),
  'presets-modified': modified,
  'presets-german': inSettings(modified, { language: 'de' }),
  'presets-long': inSettings(modified, chosen(idOf(6))),
  'presets-voice-gone': {
    ...inSettings(base, { ...chosen(idOf(7)), conversion: { ...settings.conversion, voiceId: 'gone' } }),
    presets: [
      ...presets,
      presetOf(7, 'Old radio', { voiceName: 'Wen Jiayi', settings: { ...settings.conversion, voiceId: 'gone' } }),
    ],
  },
  'presets-refused': { ...modified, failures: { 'presets:update': 'data/not-writable' } },
  'presets-speech': { ...spoken, draft: 'Good evening. Here is the news of the harbour.' },
  'presets-speech-german': inSettings(spoken, { language: 'de' }),
  'presets-watch': watched,
  'presets-watch-german': inSettings(watched, { language: 'de' }),
} satisfies Readonly<Record<string, Scene>>;
