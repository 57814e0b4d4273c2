import type { Facts } from '../problem.ts';

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
