import type { Problem } from '../problem.ts';
import { de } from './de.ts';
import type { ProblemText } from './problem-texts.ts';
import { en, type Messages } from './en.ts';

export { problemKinds, type ProblemAction, type ProblemKind } from './problem-kinds.ts';
export type { ProblemText } from './problem-texts.ts';
export type { Messages } from './en.ts';

/** Languages that Timbre speaks, by their tag. English stands in for all others. */
const spoken: Readonly<Record<string, Messages>> = { en, de };

/** Words for a language tag such as `de-AT`, or for the first of several (best first) that Timbre speaks. */
export function messagesFor(language: string | readonly string[]): Messages {
  const wanted = typeof language === 'string' ? [language] : language;
  for (const tag of wanted) {
    const words = spoken[tag.toLowerCase().split('-')[0] ?? ''];
    if (words) return words;
  }
  return en;
}

/** The sentence for a problem and what to do about it, with the facts that are known. */
export const problemText = (messages: Messages, problem: Problem): ProblemText =>
  messages.problems[problem.code](problem.facts ?? {});
