import type { HistoryEntry } from '../../main/core/history/entries.ts';
import { withoutAddresses } from '../../main/core/history/archive-format.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { Problem } from '../../shared/errors.ts';
import { sentence } from '../sentence.ts';
import { columnsOf, padColumns, printable } from '../printable.ts';

/** As many signs of an id as tell entries apart, as good as always. */
const shortId = 8;

/** By the clock of this place; the same width everywhere, and in the order of time where lines are sorted. */
export function stamp(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** What happened, for whoever reads a terminal: an address of a result may be signed, and is left out. */
export const problemLine = (problem: Problem, messages: Messages): string =>
  printable(withoutAddresses(sentence(messages, problem)));

/** One entry as a program reads it. */
export function toEntryEvent(entry: HistoryEntry, messages: Messages): Readonly<Record<string, unknown>> {
  const { id, kind, state, endedAt, name, voice, durationSeconds, sourcePath, resultPath } = entry;
  const { isWatched, isFavourite, tags, problem } = entry;
  return {
    event: 'entry',
    id,
    kind,
    state,
    endedAt,
    name,
    voice: { id: voice.id, name: voice.name },
    durationSeconds,
    source: sourcePath,
    output: resultPath,
    isWatched,
    isFavourite,
    tags,
    ...(problem && { code: problem.code, message: problemLine(problem, messages) }),
  };
}

/**
 * Writes entries as lines whose columns stand below each other: the beginning of the id, when it ended, its state, voice and name. A
 * column grows where it has to, and never shrinks again.
 */
export function createEntryLines(messages: Messages): (entries: readonly HistoryEntry[]) => readonly string[] {
  const { state: states } = messages.history;
  const stateWidth = Math.max(...Object.values(states).map(columnsOf));
  let voiceWidth = 0;
  return (entries) => {
    const rows = entries.map((entry) => ({ ...entry, voiceName: printable(entry.voice.name) }));
    for (const { voiceName } of rows) voiceWidth = Math.max(voiceWidth, columnsOf(voiceName));
    return rows.map(({ id, endedAt, state, voiceName, name }) =>
      [
        id.slice(0, shortId),
        stamp(endedAt),
        padColumns(states[state], stateWidth),
        padColumns(voiceName, voiceWidth),
        printable(name),
      ].join('  '),
    );
  };
}
