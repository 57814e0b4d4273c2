import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { HistoryFiles } from '../../main/core/history/history-files.ts';
import type { OnProgress } from '../../main/core/events.ts';
import { AppError } from '../../shared/errors.ts';
import type { Invocation } from '../args.ts';
import { type ExitCode, exitCodes, sentence, UserError, usageError } from '../errors.ts';
import { notWritten } from '../write-new-file.ts';

type TransferFiles = Pick<HistoryFiles, 'exportTo' | 'importFrom'>;
type TransferContext = Pick<Invocation, 'output' | 'messages' | 'signal'>;

const contentByExtension: ReadonlyMap<string, 'list' | 'sound'> = new Map([
  ['.jsonl', 'list'],
  ['.zip', 'sound'],
]);

/** Shows the number of processed entries in the status line while `work` runs. */
async function withProgress<T>(
  work: (onProgress: OnProgress) => Promise<T>,
  { output, messages }: TransferContext,
): Promise<T> {
  try {
    return await work(({ count }) => output.status(messages.cli.history.soFar({ entries: count })));
  } finally {
    output.status(null);
  }
}

/**
 * `timbre history export FILE`: a `.zip` also contains the audio files. An existing file is never replaced, because
 * the command can't ask for confirmation.
 */
export async function exportEntries(
  files: TransferFiles,
  given: string,
  ids: readonly string[],
  context: TransferContext,
): Promise<ExitCode> {
  const { output, messages, signal } = context;
  const { history } = messages.cli;
  const path = resolve(given);
  const what = contentByExtension.get(extname(path).toLowerCase());
  if (!what) throw usageError(history.otherEnding({ path: given }));
  if (await stat(path).catch(() => undefined)) throw usageError(history.exists({ path }));
  const {
    entries,
    files: sounds,
    withoutFile,
  } = await withProgress(
    (onProgress) => files.exportTo(path, ids, what, 'keep', { signal, onProgress }),
    context,
  ).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'job/cancelled')
      throw new UserError(error.code, history.exportCancelled);
    // Another program may have created it meanwhile.
    const isTaken = error instanceof AppError && error.problem.facts?.['reason'] === 'EEXIST';
    throw isTaken ? usageError(history.exists({ path })) : notWritten(error, given, messages);
  });
  output.print(what === 'sound' ? history.exportedWithSound({ entries, sounds }) : history.exported({ entries }));
  if (withoutFile > 0) output.print(history.withoutFile({ n: withoutFile }));
  output.event({ event: 'result', path, entries, files: sounds, withoutFile });
  return exitCodes.done;
}

/** `timbre history import FILE`: saves the audio files in `folder`. Lines that contain no entry need attention. */
export async function importEntries(
  files: TransferFiles,
  given: string,
  folder: string,
  context: TransferContext,
): Promise<ExitCode> {
  const { output, messages, signal } = context;
  const { history } = messages.cli;
  if (!(await stat(given).catch(() => undefined)))
    throw new UserError('input/missing', messages.cli.noFile({ path: given }));
  const { added, known, refused, withoutFile } = await withProgress(
    (onProgress) => files.importFrom(resolve(given), folder, { signal, onProgress }),
    context,
  ).catch((error: unknown) => {
    if (!(error instanceof AppError) || !error.code.startsWith('input/')) throw error;
    throw new UserError(error.code, `${given}: ${sentence(messages, error.problem)}`);
  });
  output.print(history.imported({ added, known }));
  if (refused > 0) output.error(history.refused({ n: refused }));
  if (withoutFile > 0) output.print(history.notBrought({ n: withoutFile }));
  output.event({ event: 'result', added, known, refused, withoutFile });
  return refused > 0 ? exitCodes.input : exitCodes.done;
}
