import type { BatchRow } from '../../src/shared/schemas/speech.ts';
import type { Scene } from './fake-bridge.ts';
import { empty, inSettings, job, settings, studio, type JobChange } from './base-scene.ts';

const chapter = [
  'The ferry had left without him again.',
  'He stood where the ramp had been and counted the gulls, because counting was something a man could do with an empty afternoon.',
  'Eleven.',
  '',
  'Behind him the harbour office kept its one lamp burning, as it had every day since the war. Nobody could say who paid for the oil.',
  '',
  '“You’ll want the morning boat,” said a voice from the doorway. It was not a question.',
].join('\n');

const spoken = (name: string, state: 'done' | 'converting' | 'queued' | 'failed', change: JobChange = {}) =>
  job(name, state, {
    kind: 'speech',
    sourceMedia: null,
    sizeBytes: null,
    durationSeconds: state === 'done' ? 27 : null,
    ...change,
  });

const written: Scene = {
  ...empty,
  draft: chapter,
  jobs: [
    spoken('Welcome aboard. Dinner is served from seven…', 'done', { stateChangedAt: Date.now() - 5_400_000 }),
    spoken('The ferry had left without him again.', 'done', {
      stateChangedAt: Date.now() - 600_000,
      voice: 'warm-talker',
    }),
    spoken('Please mind the gap between the boat and the…', 'failed', {
      problem: { code: 'service/refused', words: 'Bad Request' },
    }),
    spoken('Nobody could say who paid for the oil.', 'converting'),
  ],
};

const remote: Scene = {
  ...written,
  settings: {
    ...settings,
    connectionId: 'north',
    speech: { ...settings.speech, language: 'de-DE', speed: 1, pitch: 3 },
  },
  connections: [...empty.connections, studio],
};

const play = [
  'The harbour at night. A bell rings far out.',
  '',
  'Anna: Is anybody there?',
  'Old man with the lantern: Only me, and the gulls.',
  'Anna: Then who rang the bell?',
  'Old man with the lantern: The sea did.',
  '',
  'Ben: I did. I thought nobody would come.',
  '',
  'Nobody laughed.',
  '',
  'Ben: It is a good bell.',
].join('\n');
const speakers = [
  { name: 'Anna', voiceId: 'warm-talker', voiceName: 'Warm talker' },
  { name: 'Old man with the lantern', voiceId: 'gone', voiceName: 'Quiet harbour master' },
  { name: 'Clara', voiceId: 'warm-talker', voiceName: 'Warm talker' },
];
const dialogue: Scene = {
  ...written,
  draft: play,
  spokenPassages: 3,
  settings: { ...settings, speech: { ...settings.speech, speakers } },
};

const pronounced: Scene = {
  ...written,
  pronunciations: [
    { language: '', word: 'nginx', spoken: 'engine x' },
    { language: '', word: 'SQL', spoken: 'sequel' },
    { language: '', word: 'Donaudampfschifffahrtsgesellschaft', spoken: 'Donau Dampf Schifffahrts Gesellschaft' },
    { language: 'de', word: 'Cafe', spoken: 'Café' },
  ],
};

const batchRow = (row: number, text: string, change: Partial<BatchRow> = {}): BatchRow => ({
  ...{ file: 'announcements.csv', row, text, title: `announcements ${row}`, subtitles: null },
  ...{ voice: 'Low bronze', language: 'en-GB', characters: text.length, calls: 1, problem: null },
  ...change,
});

const announcements: readonly BatchRow[] = [
  batchRow(4, '', { calls: 0, characters: 0, problem: { code: 'table/no-text' } }),
  batchRow(5, 'Mind the gap.', {
    voice: 'Harbor master',
    calls: 0,
    characters: 0,
    problem: { code: 'table/no-voice', facts: { name: 'Harbor master' } },
  }),
  batchRow(6, 'Dinner is served', {
    calls: 0,
    characters: 0,
    problem: { code: 'table/columns', facts: { actual: 5, expected: 4 } },
  }),
  batchRow(2, 'Welcome aboard.', { characters: 0, calls: 0, title: 'welcome' }),
  batchRow(3, 'The ferry to the outer islands leaves from pier four in ten minutes.', { title: 'pier-4' }),
  ...Array.from({ length: 60 }, (_, k) =>
    batchRow(7 + k, `Cabin ${k + 1} is ready. Please collect your key at the desk.`, {
      title: k === 3 ? 'a-name-that-is-much-longer-than-the-column-it-has-to-fit-into' : `cabin-${k + 1}`,
    }),
  ),
];

const batch: NonNullable<Scene['batch']> = {
  opened: { kind: 'batch', name: 'announcements.csv', files: 1, divisions: ['whole'], isEditable: false },
  page: { rows: announcements, next: null, texts: 65, bad: 3, characters: 3318, calls: 61 },
};

const chapters: NonNullable<Scene['batch']> = {
  opened: {
    ...{ kind: 'batch', name: 'The ferry.md', files: 1, isEditable: true },
    divisions: ['chapters', 'paragraphs', 'whole'],
  },
  page: {
    rows: [1, 2, 3].map((k) =>
      batchRow(0, `Part ${k}. ${chapter.slice(0, 150)}`, {
        file: 'The ferry.md',
        row: null,
        title: `${k} Part ${k}`,
        characters: 4200,
        calls: 51,
      }),
    ),
    ...{ next: null, texts: 3, bad: 0, characters: 12_600, calls: 153 },
  },
};

const paragraphs: NonNullable<Scene['batch']> = {
  opened: { kind: 'batch', name: null, files: 0, divisions: ['paragraphs'], isEditable: false },
  page: {
    rows: chapter
      .repeat(14)
      .split('\n\n')
      .map((text, k) =>
        batchRow(0, text, {
          ...{ file: '', row: null, title: `The ferry left without him again ${String(k + 1).padStart(3, '0')}` },
          ...(k < 4 ? { characters: 0, calls: 0 } : { characters: text.length, calls: 3 }),
        }),
      ),
    ...{ next: null, texts: 42, bad: 0, characters: 11_900, calls: 149 },
  },
};

const subtitles = `1
00:00:01,500 --> 00:00:04,000
The ferry left without him again.

2
00:00:04,000 --> 00:00:05,000
[gulls]

3
00:00:05,000 --> 00:00:08,200
He stood where the ramp had been,
and counted the gulls.
`;

/** The scenes of Speech. */
export const speechScenes = {
  speech: written,
  'speech-empty': empty,
  'speech-german': inSettings(written, { language: 'de' }),
  'speech-remote': remote,
  'speech-book': { ...remote, draft: `${chapter}\n\n`.repeat(14), spokenPassages: 30 },
  'speech-large': { ...remote, draft: `${chapter}\n\n`.repeat(300), spokenPassages: 30 },
  'speech-dialogue': dialogue,
  'speech-dialogue-german': inSettings(dialogue, { language: 'de' }),
  'speech-pronunciation': pronounced,
  'speech-pronunciation-german': inSettings(pronounced, { language: 'de' }),
  'speech-all-spoken': { ...written, spokenPassages: 99 },
  'speech-no-voice': { ...written, settings: { ...settings, speech: { ...settings.speech, voiceId: 'gone' } } },
  'speech-batch': { ...remote, batch },
  'speech-batch-german': inSettings({ ...remote, batch }, { language: 'de' }),
  'speech-batch-chapters': { ...written, batch: chapters },
  'speech-subtitles': { ...remote, draft: subtitles },
  'speech-paragraphs': { ...remote, batch: paragraphs },
  'speech-loading': { ...empty, unanswered: ['speech:readText', 'voices:list'] },
  'speech-refused': { ...written, failures: { 'speech:speak': 'data/unreadable' } },
  'speech-arabic': { ...written, draft: 'غادرت العبّارة من دونه مرة أخرى.\nوقف حيث كان المنحدر وعدّ النوارس.' },
} as const satisfies Readonly<Record<string, Scene>>;
