import { resolve } from 'node:path';
import type { Data } from '../../main/core/data.ts';
import { type Invocation, type Run, textFlag, wholeNumber } from '../args.ts';
import { entriesLimit } from '../command-table.ts';
import { exitCodes, type ExitCode } from '../errors.ts';
import { exportEntries, importEntries } from '../history/transfer.ts';
import { findEntries, listEntries } from '../history/list.ts';
import { repeatEntry } from '../history/repeat.ts';
import { restoreEntries } from '../history/restore.ts';
import { showEntry } from '../history/show.ts';
import { printStatistics } from '../history/statistics.ts';
import { openCore } from '../session.ts';

async function runAction(
  data: Pick<Data, 'history' | 'historyFiles' | 'statistics'>,
  invocation: Invocation,
): Promise<ExitCode> {
  const { verb, args, flags, messages } = invocation;
  const { history, historyFiles } = data;
  const [arg = ''] = args;
  const limit = wholeNumber(invocation, 'limit', 1) ?? entriesLimit;
  switch (verb) {
    case 'list':
    case 'search':
      await listEntries(history, args.join(' '), limit, invocation);
      return exitCodes.done;
    case 'show':
      await showEntry(data, arg, invocation);
      return exitCodes.done;
    case 'statistics':
      await printStatistics(data.statistics, invocation);
      return exitCodes.done;
    case 'restore':
      return restoreEntries(data, invocation);
    case 'export':
      return exportEntries(
        historyFiles,
        arg,
        await findEntries(history, textFlag(flags, 'search') ?? '', messages),
        invocation,
      );
    default:
      return importEntries(historyFiles, arg, resolve(textFlag(flags, 'out') ?? 'Timbre import'), invocation);
  }
}

/** These change nothing. */
const readingVerbs: ReadonlySet<string> = new Set(['list', 'search', 'show', 'statistics', 'export']);

export const history: Run = async (invocation) => {
  const { verb, args } = invocation;
  if (verb === 'again') return repeatEntry(args[0] ?? '', invocation);
  const core = openCore(invocation, [], { readsNewer: readingVerbs.has(verb) });
  try {
    return await runAction(await core.data(), invocation);
  } finally {
    await core.stop();
  }
};
