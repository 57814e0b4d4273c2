import { problemText, type Messages } from '../shared/messages/index.ts';
import type { Problem } from '../shared/problem.ts';

/** A problem in one line: what happened, what to do, and the words of whoever refused. */
export function sentence(messages: Messages, { words = '', ...problem }: Problem): string {
  // A wrong command line comes with its own sentence: only whoever reads it knows what it should have been.
  if (problem.code === 'request/invalid' && words) return words;
  const { title, advice } = problemText(messages, problem);
  return [/[.!?]$/.test(title) ? title : `${title}.`, advice, words].filter(Boolean).join(' ');
}
