import { problemText, type Messages, type ProblemText } from '../../../../shared/messages/index.ts';
import type { Problem } from '../../../../shared/problem.ts';

/** What happened and what to do, for a file that nobody added by hand: it is looked at again by itself. */
export function watchedProblemText(problem: Problem, messages: Messages): ProblemText {
  const text = problemText(messages, problem);
  const advice = messages.watch.advice[problem.code]?.(problem.facts ?? {});
  return advice === undefined ? text : { ...text, advice };
}
