import type { ErrorCode } from '../error-code.ts';
import type { Facts } from '../problem.ts';

/** What happened, and what to do about it. */
export interface ProblemText {
  readonly title: string;
  readonly advice: string;
}

export type ProblemTexts = Readonly<Record<ErrorCode, (facts: Facts) => ProblemText>>;

/** Those of one group of codes, which have a file of their own in each language. */
export type ProblemTextsOf<G extends string> = Pick<ProblemTexts, Extract<ErrorCode, `${G}/${string}`>>;
