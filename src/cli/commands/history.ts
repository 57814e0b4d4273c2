import { resolve } from 'node:path';
import type { Data } from '../../main/core/data.ts';
import { type Invocation, type Run, text, wholeNumber } from '../args.ts';
import { entriesLimit } from '../command-table.ts';
import { exitCodes, type ExitCode } from '../errors.ts';
import { exportEntries, importEntries } from '../history/transfer.ts';
import { findEntries, listEntries } from '../history/list.ts';
import { makeAgain } from '../history/repeat.ts';
import { showEntry } from '../history/show.ts';
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
