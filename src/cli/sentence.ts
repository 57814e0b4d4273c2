import { cannotWrite } from '../main/core/database/write-gate.ts';
import { codeOf } from '../main/core/files/errno.ts';
import { AppError } from '../shared/errors.ts';
import type { Messages } from '../shared/messages/index.ts';
import { problemSentence } from '../shared/messages/problem-text.ts';
import { ToldError } from './usage-error.ts';

export { problemSentence as sentence };

/** As `sentence`, or the one that an error brings along. */
export const sentenceOf = (messages: Messages, error: AppError): string =>
  error instanceof ToldError ? error.sentence : problemSentence(messages, error.problem);

const isOfFolder = (error: unknown, folder: string): boolean =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' && error.path.startsWith(folder);

/** Whatever was thrown as something that has a sentence: what the data folder's disk refused, or a defect. */
export function toAppError(error: unknown, dataFolder: string, { cli }: Messages): AppError {
  if (error instanceof AppError) return error;
  if (cannotWrite(error) || (codeOf(error) !== undefined && isOfFolder(error, dataFolder))) {
    return new ToldError('data/not-writable', cli.dataNotWritable(dataFolder));
  }
  const said = error instanceof Error ? error.message : String(error);
  return new ToldError('internal', cli.unexpected(said.split('\n')[0] ?? ''));
}
