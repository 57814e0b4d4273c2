import type { AppError } from '../shared/app-error.ts';
import type { Messages } from '../shared/messages/index.ts';
import { problemSentence } from '../shared/messages/problem-sentence.ts';
import { ToldError } from './usage-error.ts';

export { problemSentence as sentence };

/** As `sentence`, or the one that an error brings along. */
export const sentenceOf = (messages: Messages, error: AppError): string =>
  error instanceof ToldError ? error.sentence : problemSentence(messages, error.problem);
