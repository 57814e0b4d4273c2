import type { Problem } from '../problem.ts';
import { problemText, type Messages } from './index.ts';

/**
 * A problem in one line: what happened, what to do, and the words of whoever refused. What is wrong with a document follows on lines
 * of its own, one a field.
 */
export function problemSentence(messages: Messages, { words = '', ...problem }: Problem): string {
  const { title, advice } = problemText(messages, problem);
  const told = [/[.!?]$/.test(title) ? title : `${title}.`, advice].join(' ');
  if (words === '') return told;
  return `${told}${problem.code === 'connection/invalid' ? '\n' : ' '}${words}`;
}
