import { maxRefusedLines, type HistoryRow, type RefusedLine } from '../../src/shared/schemas/history.ts';
import type { Voice } from '../../src/shared/schemas/voice.ts';
import type { Scene } from './fake-bridge.ts';
import { empty, inSettings, studio, voiceOf } from './base-scene.ts';
import { entriesOf, type HistoryEntries } from './fake-history.ts';
import { noAmounts, noStatistics, statisticsOf } from './fake-statistics.ts';

const subjects = [
  'chapter, three lamps',
  'chapter, the ferry',
  'chapter, low water',
  'interview Bergen, tape',
  'museum guide, whale-oil lamps, stop',
  'safety film, lamp check',
  'advert 30 s, take',
  'choir, evening',
  'voicemail',
  '“Turn the lamp towards the door.”',
  '“Mind the gap.”',
  'podcast, episode',
  'lampoon, take',
] as const;
const minute = 60_000;

/**
 * `count` entries back in time from `newest`: one every three minutes of a day, none at night, so that a million cover some years.
 */
function syntheticEntries(count: number, newest: number, voices: readonly Voice[]): HistoryEntries {
  const perDay = 480;
  const midnight = new Date(newest).setHours(0, 0, 0, 0);
  const today = Math.max(1, Math.min(perDay, Math.floor((newest - midnight) / (3 * minute))));
  const endedAt = (index: number): number => {
    if (index < today) return newest - index * 3 * minute;
    const day = Math.floor((index - today) / perDay);
    const place = (index - today) % perDay;
    // Calendar days, because some have 23 hours.
    const date = new Date(midnight);
    date.setDate(date.getDate() - day - 1);
    return date.getTime() + (perDay - place) * 2.9 * minute;
  };
  const voiceAt = (index: number): Voice => {
    const voice = voices[(index * 7) % voices.length];
    if (!voice) throw new Error('No voices');
    return voice;
  };
  const sort = (index: number): number => (index * 7 + Math.floor(index / 480)) % subjects.length;
  return {
    count,
    sorts: subjects.length,
    sort,
    endedAt,
    indexOf: (id) => count - 1 - Number.parseInt(id.slice(-12), 16),
    at(index) {
      const subject = subjects[sort(index)] ?? '';
      const isSpeech = subject.startsWith('“');
      const number = count - index;
      const id = `00000000-0000-4000-8000-${(number - 1).toString(16).padStart(12, '0')}`;
      return {
        id,
        kind: isSpeech ? 'speech' : 'conversion',
        state: 'done',
        endedAt: endedAt(index),
        name: isSpeech ? subject : `${subject} ${number}.wav`,
        voice: voiceAt(index),
        durationSeconds: isSpeech ? 4 : 20 + ((index * 97) % 600),
        sourceMedia: isSpeech ? null : `${id}-source`,
        resultMedia: `${id}-result`,
        isWatched: index % 11 === 3,
        isFavourite: index % 97 === 5,
        tags: [],
        problem: null,
      };
    },
  };
}

const noon = new Date().setHours(14, 31, 0, 0);
const dayMs = 86_400_000;

let made = 0;
interface EntryChange extends Partial<Omit<HistoryRow, 'voice'>> {
  readonly voice?: string;
}
/** An entry `daysAgo` days ago at `clock`, with the given changes. */
function entry(
  daysAgo: number,
  clock: string,
  name: string,
  seconds: number,
  { voice, ...change }: EntryChange = {},
): HistoryRow {
  const number = made++;
  const id = `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
  const isSpeech = name.startsWith('“');
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  const ids = ['clear-fjord', 'warm-talker', 'unit', 'bright-reader', 'lamplighter', 'small-spark', 'open-air'];
  return {
    id,
    kind: isSpeech ? 'speech' : 'conversion',
    state: 'done',
    endedAt: new Date(noon - daysAgo * dayMs).setHours(hour, minute, 0, 0),
    name,
    voice: voiceOf(voice ?? ids[(number * 5) % ids.length] ?? 'unit'),
    durationSeconds: seconds,
    sourceMedia: isSpeech ? null : `${id}-source`,
    resultMedia: `${id}-result`,
    isWatched: false,
    isFavourite: false,
    tags: [],
    problem: null,
    ...change,
  };
}

const watched = { isWatched: true };
const lamps: readonly HistoryRow[] = [
  entry(0, '14:31', 'chapter 07, three lamps.wav', 298, { ...watched, tags: ['audiobook', 'to be checked'] }),
  entry(0, '13:20', 'lamp-lit street, narration.wav', 132, { isFavourite: true }),
  entry(0, '11:47', 'Lamplighter’s song, verse 2.flac', 64),
  entry(0, '10:02', '“Nobody could say who paid for the lamp oil.”', 4),
  entry(0, '09:58', 'advert, desk lamp 20 s.mp3', 20),
  entry(0, '09:55', 'advert, desk lamp 30 s.mp3', 30),
  entry(1, '17:40', 'interview, the lamp maker of Odda.m4a', 2889, watched),
  entry(1, '16:02', 'lampade test.wav', 12),
  entry(1, '15:31', 'museum guide, stop 14, whale-oil lamps.wav', 108),
  entry(1, '15:30', 'museum guide, stop 13, lamp room.wav', 82),
  entry(3, '12:14', 'safety film, headlamps.wav', 190, watched),
  entry(3, '12:13', 'safety film, lamp check.wav', 161, {
    state: 'failed',
    problem: { code: 'input/cut' },
    resultMedia: null,
  }),
  entry(3, '11:02', 'choir, whole evening.wav', 9068, { state: 'cancelled', resultMedia: null }),
  entry(3, '10:45', '“Turn the lamp towards the door.”', 3),
  entry(3, '10:45', '“Leave the lamp on.”', 2),
  entry(3, '10:12', 'voicemail from the pier.wav', 41, {
    state: 'uncertain',
    problem: { code: 'service/uncertain' },
    resultMedia: null,
  }),
  ...Array.from({ length: 40 }, (_, k) => entry(4 + k * 9, '09:30', `lampoon, take ${40 - k}.wav`, 49 + (k % 3))),
];

const suggestions = [
  'voice:',
  'voice:"Clear fjord"',
  'voice:"Warm talker"',
  'voice:"Bright reader"',
  'status:failed',
  'tag:audiobook',
];
const first = lamps[0];

const history: Scene = {
  ...empty,
  history: {
    entries: entriesOf(lamps),
    fileStatuses: { 'lampade test.wav': 'missing', 'museum guide, stop 13, lamp room.wav': 'away' },
    suggestions,
    details: {
      'chapter 07, three lamps.wav': {
        others: lamps.slice(1, 4).map((row) => ({ ...row, name: first?.name ?? '', voice: row.voice })),
      },
      '“Nobody could say who paid for the lamp oil.”': {
        text: '“Nobody could say who paid for the lamp oil,” the keeper’s daughter said, “and nobody asked.” In the winter of the long ice the ferry did not come for eleven weeks.',
      },
    },
  },
};

const longName =
  '2026-11-18 Interview with the harbour master’s granddaughter about the winter the lamp went out (second attempt, final FINAL).wav';
const names: Scene = {
  ...empty,
  history: {
    entries: entriesOf([
      entry(0, '14:02', longName, 10_089, { ...watched, isFavourite: true, voice: 'long', tags: ['x'.repeat(64)] }),
      entry(0, '13:02', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft.flac', 412, {
        voice: 'quiet-bell',
      }),
      entry(0, '12:02', 'الفصل الرابع، المنارة القديمة على الشاطئ الشمالي للجزيرة.wav', 412, {
        voice: 'calm-copper',
      }),
      entry(0, '11:02', '第四章、灯台.wav', 61),
      entry(1, '10:02', 'x'.repeat(240), 5, { state: 'failed', problem: { code: 'voice/not-found' }, voice: 'long' }),
      entry(1, '10:01', '<b>not markup</b> & "quotes".wav', 5),
      entry(1, '10:00', 'a.wav', 1, { durationSeconds: null }),
      entry(400, '10:00', `${'y'.repeat(180)}.wav`, 36_009),
    ]),
    fileStatuses: { [`${'y'.repeat(180)}.wav`]: 'missing' },
  },
};

const million: Scene = {
  ...empty,
  history: { entries: syntheticEntries(1_000_000, noon, empty.voices), suggestions },
};

/** A long import shortly after its start. */
const importing: Scene = {
  ...history,
  history: { entries: entriesOf(lamps), runningTask: { kind: 'import', share: 0.26, count: 5200 } },
};

/** An import that refuses more lines than are listed. */
const imported: Scene = {
  ...history,
  history: {
    entries: entriesOf(lamps),
    importReport: {
      ...{ added: 1212, known: 30, broughtBack: 2, refused: 1205, undo: 'import' },
      refusedLines: Array.from({ length: maxRefusedLines }, (_, k): RefusedLine => {
        const line = 18 + k * k;
        if (k === 1) return { line, reason: 'missing', field: 'settings.speakers.0.pronunciations.12.languageCode' };
        if (k % 3 === 0) return { line, reason: 'no-object', field: '' };
        return { line, reason: 'wrong', field: 'result.sha256' };
      }),
    },
  },
};

/** A search for an original that is gone. */
const searching: Scene = {
  ...history,
  history: { entries: entriesOf(lamps), runningTask: { kind: 'find', share: null, count: 41_200 } },
  failures: { 'history:repeat': 'input/missing' },
};

/** Entries whose voice or connection is gone. */
const gone: Scene = {
  ...history,
  voices: empty.voices.filter(({ id }) => id !== 'clear-fjord' && id !== first?.voice.id),
  history: {
    entries: entriesOf(lamps),
    details: { 'lamp-lit street, narration.wav': { connectionId: 'studio', connectionName: 'Studio North' } },
  },
};

/** One of several recordings is missing; a service is connected besides this computer. */
const skipped: Scene = {
  ...history,
  settings: { ...empty.settings, connectionId: studio.id },
  connections: [...empty.connections, studio],
  history: {
    entries: entriesOf(lamps),
    skippedEntry: { name: 'lampade test.wav', problem: { code: 'input/missing' } },
  },
};

const statisticsVoices = [
  'Low bronze',
  'Clear fjord',
  'Calm copper',
  'Quiet bell',
  'Warm brass',
  'Bright tin',
  'Soft felt',
  'Old reed',
  'Dry oak',
  'Deep well',
] as const;

/** A history of three years with this computer and a service. */
const statistics: Scene = {
  ...history,
  connections: [...empty.connections, studio],
  history: {
    entries: entriesOf(lamps),
    statistics: statisticsOf({
      now: noon,
      years: 3,
      voices: statisticsVoices,
      voiceCount: 38,
      connections: [...empty.connections, studio].map(({ id, name }) => ({ id, name })),
    }),
  },
};

const longStatistics: Scene = {
  ...history,
  history: {
    entries: entriesOf(lamps),
    statistics: statisticsOf({
      now: noon,
      years: 40,
      voices: [
        'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft, zweite Besetzung',
        'المنارة القديمة على الشاطئ الشمالي',
        '第四章、灯台',
        '<b>not markup</b> & "quotes"',
        '',
      ],
      voiceCount: 12_345,
      connections: [
        {
          id: 'imported:1',
          name: 'The studio at the northern end of the harbour, second floor, behind the ferry office',
        },
        { id: 'imported:2', name: 'x'.repeat(100) },
      ],
    }),
  },
};

/** The scenes of History. */
export const historyScenes = {
  history,
  'history-german': inSettings(history, { language: 'de' }),
  'history-contrast': inSettings(history, { contrast: 'more' }),
  'history-empty': empty,
  'history-empty-german': inSettings(empty, { language: 'de' }),
  'history-one': { ...empty, history: { entries: entriesOf(lamps.slice(0, 1)) } },
  'history-names': names,
  'history-thousand': { ...empty, history: { entries: syntheticEntries(1000, noon, empty.voices) } },
  'history-million': million,
  /** The list alone, without waveforms and file status. */
  'history-bare': { ...million, unanswered: ['jobs:getWaveform', 'history:getFileStatus'] },
  'history-failed': { ...empty, failures: { 'history:search': 'data/unreadable' } },
  'history-rows-failed': { ...million, failures: { 'history:rows': 'data/unreadable' } },
  'history-gone': gone,
  'history-gone-german': inSettings(gone, { language: 'de' }),
  'history-left': skipped,
  'history-left-german': inSettings(skipped, { language: 'de' }),
  'history-importing': importing,
  'history-importing-german': inSettings(importing, { language: 'de' }),
  'history-imported': imported,
  'history-imported-german': inSettings(imported, { language: 'de' }),
  'history-searching': searching,
  'history-no-voices': { ...history, failures: { 'voices:list': 'network/unreachable' } },
  'history-no-source': { ...history, failures: { 'history:repeat': 'input/missing' } },
  statistics,
  'statistics-german': inSettings(statistics, { language: 'de' }),
  'statistics-contrast': inSettings(statistics, { contrast: 'more' }),
  'statistics-empty': empty,
  'statistics-unused': {
    ...statistics,
    history: {
      entries: entriesOf(lamps),
      statistics: (query) => ({
        ...noStatistics(query),
        time:
          statistics.history?.statistics?.({ ...query, kind: 'all' }).time.map((step) => ({ ...step, ...noAmounts })) ??
          [],
        years: [2021],
      }),
    },
  },
  'statistics-long': longStatistics,
  'statistics-failed': { ...statistics, failures: { 'history:statistics': 'data/unreadable' } },
  'statistics-full': { ...statistics, failures: { 'history:exportStatistics': 'output/disk-full' } },
  'history-refusing': { ...history, failures: { 'history:remove': 'data/unreadable' } },
} as const satisfies Readonly<Record<string, Scene>>;
