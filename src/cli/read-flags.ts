import type { ConnectionDocument } from '../shared/schemas/connection.ts';
import { text, type Asked } from './command.ts';
import { usageError } from './usage-error.ts';

/** Those of these values that were given. */
export const givenOf = <T extends object>(all: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<T>;

/** As much text as can be stored with a job: a longer one would be refused when the job is read again. */
export function shortText({ flags, messages }: Asked, name: string, most: number): string | undefined {
  const given = text(flags, name);
  if (given !== undefined && given.length > most) throw usageError(messages.cli.usage.tooLong(name, most));
  return given;
}

/** A positive number, written with a point whatever the language of the system. */
export function positiveNumber({ flags, messages }: Asked, name: string): number | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
  if (!(value > 0)) throw usageError(messages.cli.usage.aboveZero(name, given));
  return value;
}

export function wholeNumber(
  { flags, messages: { cli } }: Asked,
  name: string,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (value >= min && value <= max) return value;
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  throw usageError(isOpen ? cli.usage.from(name, min, given) : cli.usage.fromTo(name, min, max, given));
}

export function oneOf<const T extends string>(
  { flags, messages }: Asked,
  name: string,
  choices: readonly T[],
): T | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const found = choices.find((choice) => choice === given);
  if (found === undefined) throw usageError(messages.cli.usage.oneOf(name, choices.join(', '), given));
  return found;
}

/** Speed and pitch are asked for only as the connection, which people call `name`, says that they can be. */
export function mustBeInRange(
  given: { readonly speed?: number | undefined; readonly pitch?: number | undefined },
  { ranges }: ConnectionDocument,
  { messages: { cli } }: Pick<Asked, 'messages'>,
  name: string,
): void {
  for (const flag of ['speed', 'pitch'] as const) {
    const { min, max } = ranges[flag];
    const value = given[flag] ?? min;
    if (value < min || value > max) throw usageError(cli.usage.inRange(flag, min, max, name));
  }
}
