import type { HistoryRow } from '../../src/shared/schemas/history.ts';
import type { Voice } from '../../src/shared/schemas/voice.ts';

/** Entries newest first, worked out when one is asked for. */
export interface HistoryEntries {
  readonly count: number;
  at(index: number): HistoryRow;
  /** All entries with the same number have the same words to be searched. */
  sort(index: number): number;
  readonly sorts: number;
  indexOf(id: string): number;
  endedAt(index: number): number;
}

/** Entries that were made by hand. */
export const entriesOf = (rows: readonly HistoryRow[]): HistoryEntries => ({
  count: rows.length,
  at: (index) => rowAt(rows, index),
  sort: (index) => index,
  sorts: rows.length,
  indexOf: (id) => rows.findIndex((row) => row.id === id),
  endedAt: (index) => rowAt(rows, index).endedAt,
});

function rowAt(rows: readonly HistoryRow[], index: number): HistoryRow {
  const row = rows[index];
  if (!row) throw new Error(`No entry ${index}`);
  return row;
}

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
 * As many entries as wanted, back in time from `newest`: one each three minutes of busy days, with quiet nights in between, so that a
 * million of them reach back some years.
 */
export function syntheticEntries(count: number, newest: number, voices: readonly Voice[]): HistoryEntries {
  const perDay = 480;
  const midnight = new Date(newest).setHours(0, 0, 0, 0);
  const today = Math.max(1, Math.min(perDay, Math.floor((newest - midnight) / (3 * minute))));
  const endedAt = (index: number): number => {
    if (index < today) return newest - index * 3 * minute;
    const day = Math.floor((index - today) / perDay);
    const place = (index - today) % perDay;
    // Days by the calendar, since some have 23 hours.
    const date = new Date(midnight);
    date.setDate(date.getDate() - day - 1);
    return date.getTime() + (perDay - place) * 2.9 * minute;
  };
  const voiceOf = (index: number): Voice => {
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
        voice: voiceOf(index),
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
