import { resolve } from 'node:path';
import type { Data } from '../../main/core/data.ts';
import { text, type Invocation, type Run } from '../command.ts';
import { entriesLimit } from '../command-table.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { exportEntries, importEntries } from '../history/exchange.ts';
import { findEntries } from '../history/find-entries.ts';
import { listEntries } from '../history/list-entries.ts';
import { makeAgain } from '../history/make-again.ts';
import { showEntry } from '../history/show-entry.ts';
import { wholeNumber } from '../read-flags.ts';
import { openCore } from '../session.ts';

async function act(data: Pick<Data, 'history' | 'historyFiles'>, invocation: Invocation): Promise<ExitCode> {
  const { verb, words, flags, messages } = invocation;
  const { history, historyFiles } = data;
  const [word = ''] = words;
  const limit = wholeNumber(invocation, 'limit', 1) ?? entriesLimit;
  switch (verb) {
    case 'list':
    case 'search':
      await listEntries(history, words.join(' '), limit, invocation);
      return exitCodes.done;
    case 'show':
      await showEntry(data, word, invocation);
      return exitCodes.done;
    case 'export':
      return exportEntries(
        historyFiles,
        word,
        await findEntries(history, text(flags, 'search') ?? '', messages),
        invocation,
      );
    default:
      return importEntries(historyFiles, word, resolve(text(flags, 'out') ?? 'Timbre import'), invocation);
  }
}

export const history: Run = async (invocation) => {
  const { verb, words } = invocation;
  if (verb === 'again') return makeAgain(words[0] ?? '', invocation);
  const core = openCore(invocation);
  try {
    return await act(await core.data(), invocation);
  } finally {
    await core.stop();
  }
};
