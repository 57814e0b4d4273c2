import { restoredText } from '../../shared/messages/history-text.ts';
import type { Data } from '../../main/core/data.ts';
import type { RestoredResult } from '../../main/core/history/restore-results.ts';
import { type Invocation, textFlag } from '../args.ts';
import { type ExitCode, exitCodes, sentence, usageError } from '../errors.ts';
import { findEntries, resolveId } from './list.ts';

type RestoreContext = Pick<Invocation, 'args' | 'flags' | 'output' | 'messages' | 'signal'>;

/**
 * `timbre history restore [ID...]`: puts results that are gone back from Timbre's copies; of all entries that match
 * `--search`, or of all, if no ID is given.
 */
export async function restoreEntries(
  { history, historyFiles }: Pick<Data, 'history' | 'historyFiles'>,
  { args, flags, output, messages, signal }: RestoreContext,
): Promise<ExitCode> {
  const { restore: t } = messages.cli.history;
  const search = textFlag(flags, 'search');
  if (search !== undefined && args.length > 0) throw usageError(t.either);
  const ids =
    args.length > 0
      ? args.map((id) => resolveId(history, id, messages))
      : await findEntries(history, search ?? '', messages);

  function report(result: RestoredResult): void {
    const { id, kind } = result;
    const path = history.get(id)?.resultPath ?? id;
    if (kind === 'restored') output.report(t.restored({ path: result.path }));
    else if (kind === 'failed') output.error(`${path}: ${sentence(messages, result.problem)}`);
    // All entries are meant if none is named, and most have no copy.
    else if (kind !== 'there' && (kind !== 'none' || args.length > 0)) output.error(t[kind]({ path }));
    if (kind === 'there') return;
    output.event({
      event: 'file',
      id,
      outcome: kind,
      output: path,
      ...(kind === 'failed' && { code: result.problem.code, message: sentence(messages, result.problem) }),
    });
  }

  const onProgress = ({ count }: { readonly count: number }) =>
    output.status(messages.cli.history.soFar({ entries: count }));
  const { firstProblem, ...counts } = await historyFiles
    .restore(ids, { signal, onProgress }, report)
    .finally(() => output.status(null));
  output.print(restoredText(messages, { ...counts, firstProblem }));
  output.event({ event: 'result', ...counts });
  if (counts.damaged + counts.away + counts.failed > 0) return exitCodes.other;
  return args.length > 0 && counts.none > 0 ? exitCodes.input : exitCodes.done;
}
