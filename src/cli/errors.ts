import { isWriteBlocked } from '../main/core/database/write-gate.ts';
import { errnoOf } from '../main/core/files/errno.ts';
import { AppError, type ErrorCode } from '../shared/errors.ts';
import type { Messages } from '../shared/messages/index.ts';
import { problemSentence } from '../shared/messages/problem-text.ts';

/** A problem that brings its own whole sentence: only whoever read the command line knows what it should have been. */
export class UserError extends AppError {
  readonly sentence: string;

  constructor(code: ErrorCode, sentence: string) {
    super(code, sentence);
    this.sentence = sentence;
  }
}

/** A command line that cannot be run. `sentence` says what to write instead. */
export const usageError = (sentence: string): UserError => new UserError('request/invalid', sentence);

export { problemSentence as sentence };

/** As `sentence`, or the one that an error brings along. */
export const errorText = (messages: Messages, error: AppError): string =>
  error instanceof UserError ? error.sentence : problemSentence(messages, error.problem);

const isOfFolder = (error: unknown, folder: string): boolean =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' && error.path.startsWith(folder);

/** Whatever was thrown as something that has a sentence: what the data folder's disk refused, or a defect. */
export function toAppError(error: unknown, dataFolder: string, { cli }: Messages): AppError {
  if (error instanceof AppError) return error;
  if (isWriteBlocked(error) || (errnoOf(error) !== undefined && isOfFolder(error, dataFolder))) {
    return new UserError('data/not-writable', cli.dataNotWritable(dataFolder));
  }
  const said = error instanceof Error ? error.message : String(error);
  return new UserError('internal', cli.unexpected(said.split('\n')[0] ?? ''));
}

/** What the process answers with (design, section 9). */
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

const byArea: Readonly<Record<string, ExitCode>> = {
  input: exitCodes.input,
  voice: exitCodes.input,
  watch: exitCodes.input,
  history: exitCodes.input,
  job: exitCodes.input,
  auth: exitCodes.token,
  quota: exitCodes.quota,
  network: exitCodes.network,
  request: exitCodes.usage,
  connection: exitCodes.usage,
};

export function exitCodeOf(code: ErrorCode): ExitCode {
  if (code === 'job/cancelled') return exitCodes.cancelled;
  if (code === 'output/not-writable') return exitCodes.input;
  const [area = ''] = code.split('/');
  return byArea[area] ?? exitCodes.other;
}
