import { text, type Flags } from './command.ts';
import { usageError } from './usage-error.ts';

/** A positive number, written with a point whatever the language of the system. */
export function positiveNumber(flags: Flags, name: string): number | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
  if (!(value > 0)) throw usageError(`--${name} takes a number above 0 such as 1.2, not "${given}".`);
  return value;
}

export function wholeNumber(
  flags: Flags,
  name: string,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (!(value >= min && value <= max)) {
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw usageError(`--${name} takes a whole number ${range}, not "${given}".`);
  }
  return value;
}

export function oneOf<const T extends string>(flags: Flags, name: string, choices: readonly T[]): T | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const found = choices.find((choice) => choice === given);
  if (!found) throw usageError(`--${name} takes ${choices.join(', ')}, not "${given}".`);
  return found;
}
