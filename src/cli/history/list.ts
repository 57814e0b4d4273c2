import { queryErrorText } from '../../shared/messages/history-text.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withoutAddresses } from '../../main/core/history/archive-format.ts';
import type { HistoryEntry } from '../../main/core/history/entries.ts';
import type { History } from '../../main/core/history/history.ts';
import { fixedValues } from '../../main/core/history/query.ts';
import type { Problem } from '../../shared/errors.ts';
import type { CliMessages } from '../../shared/messages/cli.ts';
import type { QueryError } from '../../shared/schemas/history.ts';
import type { Invocation } from '../args.ts';
import { isoDay, twoDigits } from '../../shared/text/iso-day.ts';
import { sentence, UserError, usageError } from '../errors.ts';
import { columnsOf, padColumns, printable } from '../output.ts';

/** Characters of an id that almost always identify an entry. */
const shortIdLength = 8;

/** Local time with a fixed width, which sorts chronologically. */
export function timestamp(at: number): string {
  const date = new Date(at);
  return `${isoDay(date)} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** The sentence for a problem on one line, without addresses: the URL of a result may be signed. */
export const problemLine = (problem: Problem, messages: CliMessages): string =>
  printable(withoutAddresses(sentence(messages, problem)));

/** The `--json` object for an entry. */
export function toEntryEvent(entry: HistoryEntry, messages: CliMessages): Readonly<Record<string, unknown>> {
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
 * Formats entries as aligned lines: short id, end time, state, voice and name. The voice column can grow
 * from batch to batch, but never shrinks.
 */
export function createEntryLines(messages: CliMessages): (entries: readonly HistoryEntry[]) => readonly string[] {
  const { state: states } = messages.history;
  const stateWidth = Math.max(...Object.values(states).map(columnsOf));
  let voiceWidth = 0;
  return (entries) => {
    const rows = entries.map((entry) => ({ ...entry, voiceName: printable(entry.voice.name) }));
    for (const { voiceName } of rows) voiceWidth = Math.max(voiceWidth, columnsOf(voiceName));
    return rows.map(({ id, endedAt, state, voiceName, name }) =>
      [
        id.slice(0, shortIdLength),
        timestamp(endedAt),
        padColumns(states[state], stateWidth),
        padColumns(voiceName, voiceWidth),
        printable(name),
      ].join('  '),
    );
  };
}

function faultSentence(error: QueryError, messages: CliMessages): string {
  const { kind, word } = error;
  const { cli } = messages;
  const [, name = ''] = /^-?([a-z]+):/i.exec(word) ?? [];
  const choices = Object.entries(fixedValues).find(([filter]) => filter === name.toLowerCase())?.[1];
  // The window suggests valid values; the command line lists them.
  return kind === 'bad-value' && choices
    ? cli.history.badValue({ word, choices: choices.map((value) => `${name}:${value}`).join(', ') })
    : queryErrorText(messages, error);
}

/** Ids of the matching entries, newest first. Throws a usage error with a sentence for each fault in the query. */
export async function findEntries(
  history: Pick<History, 'find'>,
  query: string,
  messages: CliMessages,
  limit?: number,
): Promise<readonly string[]> {
  const { ids, errors } = await history.find(query, limit);
  if (errors.length > 0) throw usageError(errors.map((error) => faultSentence(error, messages)).join('\n'));
  return ids;
}

type ListContext = Pick<Invocation, 'output' | 'messages' | 'signal'>;

/** Entries read and printed at once. Between batches the event loop runs, so that a closed pipe or a signal ends the list. */
const entriesPerBatch = 500;

/** `timbre history list` and `search`: prints up to `limit` entries, newest first. Throws a usage error for an invalid query. */
export async function listEntries(
  history: Pick<History, 'find' | 'getAll'>,
  query: string,
  limit: number,
  context: ListContext,
): Promise<void> {
  const { output, messages, signal } = context;
  const { cli } = messages;
  // One extra id shows whether there are more.
  const found = await findEntries(history, query, messages, limit + 1);
  const ids = found.slice(0, limit);
  const linesOf = createEntryLines(messages);
  for (let from = 0; from < ids.length; from += entriesPerBatch) {
    signal.throwIfAborted();
    const entries = history.getAll(ids.slice(from, from + entriesPerBatch));
    for (const line of linesOf(entries)) output.print(line);
    for (const entry of entries) output.event(toEntryEvent(entry, messages));
    await nextTurn();
  }
  if (ids.length === 0) output.print(query.trim() === '' ? cli.history.none : cli.history.noMatch);
  const isWhole = found.length <= limit;
  if (!isWhole) output.info(cli.history.more({ n: limit }));
  output.event({ event: 'result', entries: ids.length, isWhole });
}

/** Candidates listed for an ambiguous prefix. */
const maxCandidates = 5;

/** The id of the only entry with this prefix. Throws `job/not-found`, or a usage error if it is ambiguous. */
export function resolveId(history: Pick<History, 'findIdsByPrefix'>, prefix: string, { cli }: CliMessages): string {
  const [id, ...others] = history.findIdsByPrefix(prefix, maxCandidates + 1);
  if (id === undefined) throw new UserError('job/not-found', cli.history.unknown({ id: prefix }));
  if (others.length === 0 || id === prefix.toLowerCase()) return id;
  const all = [id, ...others];
  throw usageError(
    cli.history.ambiguous({
      id: prefix,
      ids: all.slice(0, maxCandidates).join(', '),
      hasMore: all.length > maxCandidates,
    }),
  );
}
