import type { ErrorCode, Facts } from '../errors.ts';

/** Returns a fact, or undefined if it is missing or has another type. */
export function numberFact(facts: Facts, name: string): number | undefined {
  const value = facts[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textFact(facts: Facts, name: string): string | undefined {
  const value = facts[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Joins sentences with a space and skips empty ones. */
export const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

/** What happened, and what the user can do about it. */
export interface ProblemText {
  readonly title: string;
  readonly advice: string;
}

export type ProblemTexts = Readonly<Record<ErrorCode, (facts: Facts) => ProblemText>>;

/** The texts of one group of error codes. */
export type ProblemTextsOf<G extends string> = Pick<ProblemTexts, Extract<ErrorCode, `${G}/${string}`>>;
