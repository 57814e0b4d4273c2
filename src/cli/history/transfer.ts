import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { HistoryFiles } from '../../main/core/history/history-files.ts';
import type { OnProgress } from '../../main/core/events.ts';
import type { Invocation } from '../args.ts';
import { type ExitCode, exitCodes, UserError, usageError } from '../errors.ts';

type Files = Pick<HistoryFiles, 'exportTo' | 'importFrom'>;
type Asked = Pick<Invocation, 'output' | 'messages' | 'signal'>;

const whatByEnding: ReadonlyMap<string, 'list' | 'sound'> = new Map([
  ['.jsonl', 'list'],
  ['.zip', 'sound'],
]);

/** Says in the last line of a terminal how many entries were gone through. */
async function shown<T>(work: (onProgress: OnProgress) => Promise<T>, { output, messages }: Asked): Promise<T> {
  try {
    return await work(({ count }) => output.status(messages.cli.history.soFar(count)));
  } finally {
    output.status(null);
  }
}

/**
 * `timbre history export FILE`: a name that ends in `.zip` takes the sounds along. Nobody can be asked here whether a file may be
 * replaced: none is.
 */
export async function exportEntries(
  files: Files,
  given: string,
  ids: readonly string[],
  asked: Asked,
): Promise<ExitCode> {
  const { output, messages, signal } = asked;
  const { history } = messages.cli;
  const path = resolve(given);
  const what = whatByEnding.get(extname(path).toLowerCase());
  if (!what) throw usageError(history.otherEnding(given));
  if (await stat(path).catch(() => undefined)) throw usageError(history.exists(path));
  const {
    entries,
    files: sounds,
    withoutFile,
  } = await shown((onProgress) => files.exportTo(path, ids, what, { signal, onProgress }), asked);
  output.say(what === 'sound' ? history.exportedWithSound(entries, sounds) : history.exported(entries));
  if (withoutFile > 0) output.say(history.withoutFile(withoutFile));
  output.event({ event: 'result', path, entries, files: sounds, withoutFile });
  return exitCodes.done;
}

/** `timbre history import FILE`: sounds go to `folder`. */
export async function importEntries(files: Files, given: string, folder: string, asked: Asked): Promise<ExitCode> {
  const { output, messages, signal } = asked;
  const { history } = messages.cli;
  if (!(await stat(given).catch(() => undefined))) throw new UserError('input/missing', messages.cli.noFile(given));
  const { added, known, refused, withoutFile } = await shown(
    (onProgress) => files.importFrom(resolve(given), folder, { signal, onProgress }),
    asked,
  );
  output.say(history.imported(added, known));
  if (refused > 0) output.complain(history.refused(refused));
  if (withoutFile > 0) output.say(history.notBrought(withoutFile));
  output.event({ event: 'result', added, known, refused, withoutFile });
  return exitCodes.done;
}
