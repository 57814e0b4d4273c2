import type { AppError } from '../shared/app-error.ts';
import { problemText, type Messages } from '../shared/messages/index.ts';
import type { Problem } from '../shared/problem.ts';
import { ToldError } from './usage-error.ts';

/**
 * A problem in one line: what happened, what to do, and the words of whoever refused. What is wrong with a document follows on lines
 * of its own, one a field.
 */
export function sentence(messages: Messages, { words = '', ...problem }: Problem): string {
  const { title, advice } = problemText(messages, problem);
  const told = [/[.!?]$/.test(title) ? title : `${title}.`, advice].join(' ');
  if (words === '') return told;
  return `${told}${problem.code === 'connection/invalid' ? '\n' : ' '}${words}`;
}

/** As `sentence`, or the one that an error brings along. */
export const sentenceOf = (messages: Messages, error: AppError): string =>
  error instanceof ToldError ? error.sentence : sentence(messages, error.problem);
