import { parseArgs } from 'node:util';
import type { ListedScenario } from '../scenarios.ts';

export interface Choice {
  readonly scenarios: readonly ListedScenario[];
  readonly full: boolean;
  readonly keep: boolean;
  /** Null: any. */
  readonly seed: number | null;
  /** A file that gets the counts as JSON, for a program that runs this one; null: none. */
  readonly report: string | null;
}

/** Reads `Q1 q3 --full --seed 7 --keep --report FILE`; without an id all. Throws an `Error` with one sentence for what it does not understand. */
export function chooseScenarios(args: readonly string[], known: readonly ListedScenario[]): Choice {
  const options = {
    full: { type: 'boolean' },
    keep: { type: 'boolean' },
    seed: { type: 'string' },
    report: { type: 'string' },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const ids = known.map(({ id }) => id).join(', ');
  const wanted = positionals.map((word) => {
    const found = known.find(({ id }) => id.toLowerCase() === word.toLowerCase());
    if (!found) throw new Error(`There is no scenario "${word}". There are: ${ids || 'none yet'}.`);
    return found;
  });
  if (known.length === 0) throw new Error('There is no scenario yet.');
  const seed = values.seed === undefined ? null : Number(values.seed);
  if (seed !== null && !(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)) {
    throw new Error('A seed is a whole number from 0 to 4294967295.');
  }
  return {
    scenarios: wanted.length > 0 ? wanted : known,
    full: values.full ?? false,
    keep: values.keep ?? false,
    seed,
    report: values.report ?? null,
  };
}
