import type { History } from '../../main/core/history/history.ts';
import { fixedValues } from '../../main/core/history/query.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { QueryFault } from '../../shared/schemas/history.ts';
import { usageError } from '../usage-error.ts';

function faultSentence({ kind, word }: QueryFault, { cli, history }: Messages): string {
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
