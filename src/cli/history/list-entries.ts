import { setImmediate as nextTurn } from 'node:timers/promises';
import type { History } from '../../main/core/history/history.ts';
import type { Invocation } from '../command.ts';
import { createEntryLines, toEntryEvent } from './entry-lines.ts';
import { findEntries } from './find-entries.ts';

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
