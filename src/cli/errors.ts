import { closeSync, openSync } from 'node:fs';
import { isDamage } from '../main/core/database/sqlite.ts';
import { isWriteBlocked } from '../main/core/database/write-gate.ts';
import { errnoOf, isOutOfHandles } from '../main/core/files/errno.ts';
import { AppError, type ErrorCode } from '../shared/errors.ts';
import type { CliMessages } from '../shared/messages/cli.ts';
import { textFact } from '../shared/messages/facts.ts';
import { problemSentence } from '../shared/messages/problem-text.ts';

/** An error with its own sentence for the user, because only the code that parsed the command line knows what to suggest. */
export class UserError extends AppError {
  readonly sentence: string;

  constructor(code: ErrorCode, sentence: string) {
    super(code, sentence);
    this.sentence = sentence;
  }
}

/** An invalid command line. `sentence` says what to type instead. */
export const usageError = (sentence: string): UserError => new UserError('request/invalid', sentence);

export { problemSentence as sentence };

/** The sentence for an error: its own if it is a `UserError`, otherwise that of its problem. */
export const errorText = (messages: CliMessages, error: AppError): string =>
  error instanceof UserError ? error.sentence : problemSentence(messages, error.problem);

const isInFolder = (error: unknown, folder: string): boolean =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' && error.path.startsWith(folder);

/** True if the process has no free file handle: some libraries only report that they can’t open a file. */
function hasNoHandle(): boolean {
  try {
    closeSync(openSync(process.execPath, 'r'));
    return false;
  } catch (error) {
    return isOutOfHandles(error);
  }
}

/** True if the working directory was deleted, so that relative paths mean nothing. */
export const isCurrentFolderGone = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';

export const damagedData = (dataFolder: string, cli: CliMessages['cli']): UserError =>
  new UserError('data/damaged', cli.dataDamaged({ folder: dataFolder }));

/**
 * Converts anything thrown to an error with a sentence: no free file handle, the current folder is gone, damaged data,
 * the data folder is not writable, or an internal error.
 */
export function toAppError(error: unknown, dataFolder: string, { cli }: CliMessages): AppError {
  // The usual advice is for the window, which waits for the other one. A command ends.
  if (error instanceof AppError && error.code === 'watch/elsewhere') {
    return new UserError(
      error.code,
      cli.watch.elsewhere({ folder: textFact(error.problem.facts ?? {}, 'folder') ?? '' }),
    );
  }
  if (error instanceof AppError && error.code !== 'data/not-writable') return error;
  if (isOutOfHandles(error) || hasNoHandle()) return new AppError('system/too-many-files', String(error));
  if (isCurrentFolderGone(error)) return new UserError('input/missing', cli.noCurrentFolder);
  if (isDamage(error)) return damagedData(dataFolder, cli);
  if (isWriteBlocked(error) || (errnoOf(error) !== undefined && isInFolder(error, dataFolder))) {
    return new UserError('data/not-writable', cli.dataNotWritable({ folder: dataFolder }));
  }
  const message = error instanceof Error ? error.message : String(error);
  return new UserError('internal', cli.unexpected({ message: message.split('\n')[0] ?? '' }));
}

/** Exit codes of the process (design, section 9). */
export const exitCodes = {
  done: 0,
  other: 1,
  usage: 2,
  token: 3,
  quota: 4,
  input: 5,
  network: 6,
  cancelled: 7,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const exitCodeByArea: Readonly<Record<string, ExitCode>> = {
  input: exitCodes.input,
  table: exitCodes.input,
  voice: exitCodes.input,
  watch: exitCodes.input,
  history: exitCodes.input,
  preset: exitCodes.input,
  pronunciation: exitCodes.input,
  job: exitCodes.input,
  auth: exitCodes.token,
  quota: exitCodes.quota,
  network: exitCodes.network,
  request: exitCodes.usage,
  connection: exitCodes.usage,
};

export function exitCodeOf(code: ErrorCode): ExitCode {
  if (code === 'job/cancelled') return exitCodes.cancelled;
  if (code === 'job/elsewhere') return exitCodes.other;
  // A document that cannot be used is a file like any other; which one is meant is part of how a command is written.
  if (code === 'connection/invalid') return exitCodes.input;
  if (code === 'output/not-writable') return exitCodes.input;
  const [area = ''] = code.split('/');
  return exitCodeByArea[area] ?? exitCodes.other;
}
