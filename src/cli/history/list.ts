import { setImmediate as nextTurn } from 'node:timers/promises';
import { withoutAddresses } from '../../main/core/history/archive-format.ts';
import type { HistoryEntry } from '../../main/core/history/entries.ts';
import type { History } from '../../main/core/history/history.ts';
import { fixedValues } from '../../main/core/history/query.ts';
import type { Problem } from '../../shared/errors.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { QueryError } from '../../shared/schemas/history.ts';
import type { Invocation } from '../args.ts';
import { sentence, UserError, usageError } from '../errors.ts';
import { columnsOf, padColumns, printable } from '../output.ts';

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

function faultSentence({ kind, word }: QueryError, { cli, history }: Messages): string {
  const [, name = ''] = /^-?([a-z]+):/i.exec(word) ?? [];
  const choices = Object.entries(fixedValues).find(([filter]) => filter === name.toLowerCase())?.[1];
  // The window offers the values that fit; here they are named.
  return kind === 'bad-value' && choices
    ? cli.history.badValue(word, choices.map((value) => `${name}:${value}`).join(', '))
    : history.search.fault(kind, word);
}

/** Ids of what a search finds, newest first. A search that cannot be read is a usage error: a sentence for each fault. */
export async function findEntries(
  history: Pick<History, 'find'>,
  query: string,
  messages: Messages,
  most?: number,
): Promise<readonly string[]> {
  const { ids, faults } = await history.find(query, most);
  if (faults.length > 0) throw usageError(faults.map((fault) => faultSentence(fault, messages)).join('\n'));
  return ids;
}

type Asked = Pick<Invocation, 'output' | 'messages' | 'signal'>;

/** Read and written together; whoever reads along and has read enough ends the rest. */
const entriesAtOnce = 500;

/** `timbre history list` and `search`: newest first, up to `limit`. Throws where the search cannot be read. */
export async function listEntries(
  history: Pick<History, 'find' | 'getAll'>,
  query: string,
  limit: number,
  asked: Asked,
): Promise<void> {
  const { output, messages, signal } = asked;
  const { cli } = messages;
  // One more tells whether there are more.
  const found = await findEntries(history, query, messages, limit + 1);
  const ids = found.slice(0, limit);
  const linesOf = createEntryLines(messages);
  for (let from = 0; from < ids.length; from += entriesAtOnce) {
    signal.throwIfAborted();
    const entries = history.getAll(ids.slice(from, from + entriesAtOnce));
    for (const line of linesOf(entries)) output.say(line);
    for (const entry of entries) output.event(toEntryEvent(entry, messages));
    await nextTurn();
  }
  if (ids.length === 0) output.say(query.trim() === '' ? cli.history.none : cli.history.noMatch);
  const isWhole = found.length <= limit;
  if (!isWhole) output.remark(cli.history.more(limit));
  output.event({ event: 'result', entries: ids.length, isWhole });
}

/** A beginning that fits more than this names nothing. */
const mostNamed = 5;

/** The one entry whose id begins so. */
export function resolveId(history: Pick<History, 'findIdsByPrefix'>, beginning: string, { cli }: Messages): string {
  const [id, ...others] = history.findIdsByPrefix(beginning, mostNamed + 1);
  if (id === undefined) throw new UserError('job/not-found', cli.history.unknown(beginning));
  if (others.length === 0 || id === beginning.toLowerCase()) return id;
  const all = [id, ...others];
  throw usageError(cli.history.ambiguous(beginning, all.slice(0, mostNamed).join(', '), all.length > mostNamed));
}
