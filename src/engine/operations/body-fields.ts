import type { HttpError } from '../http-error.ts';
import type { JsonObject } from '../read-json.ts';

/** A field of a body that may be left out. `problem` words a refusal as the operation does. */
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

/** As `optionalText`, and one of `choices` where it is given. */
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
