import type { Model, Voice } from '../../src/shared/schemas/voice.ts';
import type { Scene } from './fake-bridge.ts';
import type { VoiceServiceScene } from './fake-voices.ts';
import { empty, inSettings, settings, studio } from './base-scene.ts';

const looks = ['Low', 'Bright', 'Grey', 'Amber', 'Clear', 'Old', 'Small', 'Far', 'Warm', 'Thin', 'Late', 'Silver'];
const things = ['bronze', 'reed', 'harbour', 'lantern', 'fjord', 'oak', 'spark', 'hill', 'ferry', 'glass', 'train'];
const tags = [
  'en-GB',
  'nb-NO',
  'de-DE',
  'pt-BR',
  'ja-JP',
  'en-NG',
  'fr-FR',
  'uk-UA',
  'ar-MA',
  'he-IL',
  'sw-KE',
  'pt-PT',
];
const categories = ['natural', 'narration', 'natural', 'character', 'narration', 'singing', 'synthetic'];
const at = <T>(list: readonly T[], k: number): T => list[k % list.length] as T;

const voicesOf = (count: number): readonly Voice[] =>
  Array.from({ length: count }, (_, k) => ({
    id: `voice-${k}`,
    name: `${at(looks, k)} ${at(things, k * 5 + Math.floor(k / 12))}${k < 130 ? '' : ` ${k}`}`,
    language: at(tags, k * 7 + Math.floor(k / 5)),
    gender: k % 2 === 0 ? 'female' : 'male',
    category: at(categories, k * 3 + Math.floor(k / 9)),
  }));

const some: Scene = {
  ...empty,
  voices: [...empty.voices, ...voicesOf(118)],
  voiceService: {
    favourites: ['lamplighter', 'clear-fjord', 'voice-9', 'calm-copper'],
    notes: { lamplighter: 'The captain in “Northern lights”.' },
  },
};
const north: Scene = {
  ...some,
  connections: [...empty.connections, studio],
  settings: { ...settings, connectionId: 'north' },
};
const day = 86_400_000;

const long = 'Interview double for the long documentary about the Hardanger bridge';
const names: Scene = {
  ...some,
  voices: [
    {
      id: 'a',
      name: 'صوت النحاس الهادئ في آخر المساء على الشاطئ',
      language: 'ar-MA',
      gender: 'male',
      category: 'natural',
    },
    { id: 'b', name: 'קול פעמון נחושת', language: 'he-IL', gender: 'female', category: 'singing' },
    { id: 'c', name: long, language: 'en-GB', gender: 'female', category: 'natural' },
    {
      id: 'd',
      name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
      language: 'de-AT',
      gender: 'male',
      category: 'x'.repeat(60),
    },
    { id: 'e'.repeat(90), name: '<b>not markup</b>', language: 'not a tag', gender: 'female', category: '' },
    { id: 'f', name: 'Ö', language: 'zh-Hant-TW', gender: 'female', category: 'robot' },
  ],
  settings: { ...settings, conversion: { ...settings.conversion, voiceId: 'a' } },
  voiceService: {
    favourites: ['a', 'c'],
    detail: {
      description:
        'صوت هادئ وعميق. It is long: ' +
        'it goes on and on about what it is good for, and where it was recorded. '.repeat(6),
      pitch: null,
      supportedFormats: ['wav', 'mp3', 'flac', 'ogg', 'opus', 'aac', 'm4a', 'webm', 'aiff', 'wma'],
    },
  },
};

const modelOf = (name: string, languageCode: string, date: string, k: number): Model => ({
  id: `model-${k}`,
  name,
  voiceId: `model-${k}`,
  languageCode,
  gender: k % 2 === 0 ? 'female' : 'male',
  creationDate: `${date}T10:00:00.000Z`,
});
const own: readonly Model[] = [
  modelOf('My narration voice', 'en-GB', '2026-03-03', 0),
  modelOf('Podcast, close microphone', 'en-GB', '2026-01-14', 1),
  modelOf('Dad reading', 'nb-NO', '2025-12-24', 2),
  modelOf('Dad reading', 'nb-NO', '2025-12-20', 3),
  modelOf('Studio 2 booth', 'de-DE', '2025-11-02', 4),
  modelOf(long, 'en-GB', '2025-08-08', 5),
  modelOf('صوت أبي في المطبخ', 'ar-MA', '2025-07-01', 6),
];

const excerpt = { id: 'part', name: 'interview with Ann, second take.wav', startSeconds: 12, seconds: 10 };
/** Voices are heard on a recording. */
const trying = (voiceService: VoiceServiceScene = {}, scene = north): Scene => ({
  ...inSettings(scene, { previewContent: 'recording' }),
  voiceService: { excerpt, ...voiceService },
});

const asking = (reason: 'first' | 'lost'): Scene => ({
  ...north,
  voiceService: {
    previewQuestion: {
      kind: 'ask',
      reason,
      material: { kind: 'text', text: 'Good morning. This is how I sound when I read a story aloud.' },
    },
  },
});

const askingToTry = {
  kind: 'ask',
  reason: 'first',
  material: { kind: 'recording', name: excerpt.name, seconds: excerpt.seconds },
} as const;

const unmade: Scene = {
  ...north,
  voiceService: { unmade: empty.voices.slice(1, 3).map(({ id }) => id) },
};

/** The scenes of Voices and Models. */
export const voiceScenes = {
  voices: some,
  'voices-german': inSettings(north, { language: 'de' }),
  'voices-contrast': inSettings(some, { contrast: 'more' }),
  'voices-20000': { ...north, voices: voicesOf(20_000) },
  'voices-3000': { ...north, voices: voicesOf(3000) },
  'voices-names': names,
  'voices-offline': {
    ...north,
    voiceService: {
      ...some.voiceService,
      copy: {
        ageMs: 3 * day,
        problem: { code: 'network/unreachable', facts: { host: 'voices.studio-north.example' } },
      },
    },
  },
  'voices-offline-german': {
    ...inSettings(north, { language: 'de' }),
    voiceService: {
      ...some.voiceService,
      copy: { ageMs: 9 * day, problem: { code: 'auth/refused', words: 'Token expired on 19 November.' } },
    },
  },
  'voices-empty': { ...north, voices: [] },
  'voices-failed': { ...north, failures: { 'voices:list': 'service/unavailable' } },
  'voices-loading': { ...some, unanswered: ['voices:list'] },
  'voices-detail-failed': { ...some, failures: { 'voices:get': 'network/timeout' } },
  'voices-detail-loading': { ...some, unanswered: ['voices:get'] },
  'voices-preview-asks': asking('first'),
  'voices-preview-asks-german': inSettings(asking('first'), { language: 'de' }),
  'voices-preview-lost': asking('lost'),
  'voices-preview-loading': { ...some, unanswered: ['voices:preview'] },
  'voices-preview-failed': { ...north, failures: { 'voices:preview': 'auth/refused' } },
  'voices-similar': {
    ...some,
    voiceService: {
      ...some.voiceService,
      heard: ['clear-fjord', 'voice-9', 'voice-20', 'voice-31', 'voice-42', 'calm-copper', 'lamplighter'],
    },
  },
  'voices-similar-german': {
    ...inSettings(north, { language: 'de' }),
    voiceService: {
      heard: ['clear-fjord'],
      notes: { 'clear-fjord': 'Für die Kapitelanfänge im Hörbuch.\nLangsamer als die anderen.' },
    },
  },
  'voices-trying': trying(),
  'voices-trying-none': trying({ excerpt: null }),
  'voices-trying-german': inSettings(trying(), { language: 'de' }),
  'voices-trying-names': trying({ excerpt: { ...excerpt, name: `${long}, ${long}.wav` } }),
  'voices-trying-rtl': trying({ excerpt: { ...excerpt, name: 'تسجيل المطبخ، المحاولة الثانية.wav' } }),
  'voices-trying-failed': { ...trying(), failures: { 'voices:openRecording': 'input/missing' } },
  'voices-trying-opening': { ...trying(), unanswered: ['voices:openRecording'] },
  'voices-trying-asks': trying({ previewQuestion: askingToTry }),
  'voices-trying-asks-german': inSettings(trying({ previewQuestion: askingToTry }), { language: 'de' }),
  'voices-trying-compare-asks': trying({ unmade: empty.voices.slice(1, 3).map(({ id }) => id) }),
  'voices-compare-asks': unmade,
  'voices-compare-asks-german': inSettings(unmade, { language: 'de' }),
  'voices-unmarked': { ...some, voiceService: {} },
  'voices-unkept': { ...some, failures: { 'voices:setFavourite': 'data/unreadable' } },
  'voices-own': {
    ...inSettings(some, { conversion: { ...settings.conversion, voiceId: 'model-2' } }),
    voiceService: { models: own },
  },
  models: { ...north, voiceService: { models: own } },
  'models-german': { ...inSettings(north, { language: 'de' }), voiceService: { models: own } },
  'models-local': {
    ...inSettings(some, { conversion: { ...settings.conversion, voiceId: 'model-0' } }),
    voiceService: { models: own.slice(0, 2) },
  },
  'models-many': {
    ...north,
    voiceService: {
      models: [...own, ...Array.from({ length: 66 }, (_, k) => modelOf(`Take ${k}`, 'en-GB', '2025-01-01', k + 10))],
    },
  },
  'models-empty': some,
  'models-empty-remote': north,
  'models-failed': { ...north, failures: { 'models:list': 'auth/refused' } },
  'models-loading': { ...north, unanswered: ['models:list'] },
  'models-undeletable': { ...north, voiceService: { models: own }, failures: { 'models:remove': 'network/timeout' } },
  'models-taken': {
    ...some,
    voiceService: {
      models: own,
      refusal: { code: 'service/refused', facts: { status: 409 }, words: 'There is a model already.' },
    },
  },
  'models-not-sound': {
    ...inSettings(some, { language: 'de' }),
    voiceService: {
      models: own,
      refusal: {
        code: 'service/refused',
        facts: { status: 400 },
        words: 'Invalid input parameters. The file holds no audio.',
      },
    },
  },
} as const satisfies Readonly<Record<string, Scene>>;
