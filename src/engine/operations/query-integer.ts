import type { HttpError } from '../http-error.ts';

/** Reads an integer from the query; `fallback` if it is missing or empty. */
export function queryInteger(
  query: URLSearchParams,
  name: string,
  fallback: number,
  problem: (details: string) => HttpError,
): number {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  if (!/^-?\d{1,15}$/.test(text)) throw problem(`${name} must be an integer.`);
  return Number(text);
}
