import type { HttpError } from '../http-error.ts';
import type { JsonObject } from '../read-json.ts';

/** Reads an optional text field of a body. `problem` creates the error in the operation's words. */
export function optionalText(
  body: JsonObject,
  field: string,
  problem: (details: string) => HttpError,
): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw problem(`${field} must be a string.`);
  return value;
}

/** Like `optionalText`; a value must be one of `choices`. */
export function optionalChoice<T extends string>(
  body: JsonObject,
  field: string,
  choices: readonly T[],
  problem: (details: string) => HttpError,
): T | undefined {
  const value = optionalText(body, field, problem);
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw problem(`${field} must be ${choices.join(' or ')}.`);
  return found;
}
