import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { HistoryFiles } from '../../main/core/library/history-files.ts';
import type { Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { usageError } from '../usage-error.ts';

type Files = Pick<HistoryFiles, 'exportTo' | 'importFrom'>;
type Asked = Pick<Invocation, 'output' | 'messages' | 'signal'>;

const whatByEnding: ReadonlyMap<string, 'list' | 'sound'> = new Map([
  ['.jsonl', 'list'],
  ['.zip', 'sound'],
]);

/**
 * `timbre history export FILE`: a name that ends in `.zip` takes the sounds along. Nobody can be asked here whether a file may be
 * replaced: none is.
 */
export async function exportEntries(
  files: Files,
  given: string,
  ids: readonly string[],
  { output, messages, signal }: Asked,
): Promise<ExitCode> {
  const { history } = messages.cli;
  const path = resolve(given);
  const what = whatByEnding.get(extname(path).toLowerCase());
  if (!what) throw usageError(history.otherEnding(given));
  if (await stat(path).catch(() => undefined)) throw usageError(history.exists(path));
  const { entries, files: sounds, withoutFile } = await files.exportTo(path, ids, what, signal);
  output.say(what === 'sound' ? history.exportedWithSound(entries, sounds) : history.exported(entries));
  if (withoutFile > 0) output.say(history.withoutFile(withoutFile));
  output.event({ event: 'result', path, entries, files: sounds, withoutFile });
  return exitCodes.done;
}

/** `timbre history import FILE`: sounds go to `folder`. */
export async function importEntries(
  files: Files,
  given: string,
  folder: string,
  { output, messages, signal }: Asked,
): Promise<ExitCode> {
  const { history } = messages.cli;
  const { added, known, refused } = await files.importFrom(resolve(given), folder, signal);
  output.say(history.imported(added, known));
  if (refused > 0) output.complain(history.refused(refused));
  output.event({ event: 'result', added, known, refused });
  return exitCodes.done;
}
