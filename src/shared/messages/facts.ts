import type { ErrorCode, Facts } from '../errors.ts';

/** Reads one fact, or undefined where it is missing or of the other kind. */
export function numberFact(facts: Facts, name: string): number | undefined {
  const value = facts[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textFact(facts: Facts, name: string): string | undefined {
  const value = facts[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Sentences with a space between; those that have nothing to say are left out. */
export const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

/** What happened, and what to do about it. */
export interface ProblemText {
  readonly title: string;
  readonly advice: string;
}

export type ProblemTexts = Readonly<Record<ErrorCode, (facts: Facts) => ProblemText>>;

/** Those of one group of codes, which have a file of their own in each language. */
export type ProblemTextsOf<G extends string> = Pick<ProblemTexts, Extract<ErrorCode, `${G}/${string}`>>;
