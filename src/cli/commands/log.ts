import { systemClock } from '../../main/core/clock.ts';
import { createLogReader, type ReadLog } from '../../main/core/diagnostics/log-reader.ts';
import { isFolder } from '../../main/core/files/folders.ts';
import { AppError } from '../../shared/errors.ts';
import { type LogFilter, logLevels, type LogRow, logText } from '../../shared/schemas/log.ts';
import { oneOf, type Run, wholeNumber } from '../args.ts';
import { logLimit } from '../command-table.ts';
import { exitCodes, UserError } from '../errors.ts';

const pollMs = 500;

/** Prints the newest entries, the latest last. With `--follow`, prints new ones until it is stopped. */
export const log: Run = async (invocation) => {
  const { flags, output, messages, dataFolder, signal } = invocation;
  const limit = wholeNumber(invocation, 'limit', 1, 10_000) ?? logLimit;
  const filter: LogFilter = { level: oneOf(invocation, 'level', logLevels) ?? 'debug', text: '' };
  const isFollowing = flags['follow'] === true;
  // A command creates its data folder, but this one would show an empty log for a mistyped name.
  if (!(await isFolder(dataFolder))) throw new UserError('input/missing', messages.cli.noFolder({ path: dataFolder }));
  const readLog = createLogReader(dataFolder);
  const read: ReadLog = (query) =>
    readLog(query).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new UserError(error.code, messages.cli.logUnreadable({ folder: dataFolder }));
    });
  let printed = 0;

  function print(rows: readonly LogRow[]): void {
    for (const row of rows) {
      printed += 1;
      const { time, level, area, message, detail } = row;
      for (const line of logText(row).split('\n')) output.print(line, level === 'error' ? 'bad' : undefined);
      output.event({ event: 'entry', time, level, area, message, ...(detail !== undefined && { detail }) });
    }
  }

  let page = await read({ ...filter, direction: 'older', cursor: null });
  let cursor = page.end;
  let rows = page.rows;
  while (rows.length < limit && page.start !== null) {
    signal.throwIfAborted();
    page = await read({ ...filter, direction: 'older', cursor: page.start });
    rows = [...page.rows, ...rows];
  }
  print(rows.slice(-limit));
  if (printed === 0 && !isFollowing) output.info(messages.cli.noLogEntries);
  while (isFollowing && !signal.aborted) {
    const newer = await read({ ...filter, direction: 'newer', cursor });
    ({ end: cursor } = newer);
    print(newer.rows);
    // Stopping it is its usual end.
    if (newer.rows.length === 0) await systemClock.sleep(pollMs, signal).catch(() => undefined);
  }
  output.event({ event: 'result', entries: printed });
  return exitCodes.done;
};
