import { foldWords } from '../../../shared/fold-text.ts';
import { historyStates } from '../../../shared/wire/history.ts';

/** Filters of a search, `name:value`. */
export const filterNames = ['voice', 'status', 'kind', 'language', 'from', 'after', 'before', 'tag', 'is'] as const;
export type FilterName = (typeof filterNames)[number];

const known: ReadonlySet<string> = new Set(filterNames);
export const isFilterName = (name: string): name is FilterName => known.has(name);

/** Values of filters that have only these. */
export const fixedValues = {
  status: historyStates,
  kind: ['conversion', 'speech'],
  is: ['favourite'],
} as const satisfies Partial<Record<FilterName, readonly string[]>>;

const isFixed = (name: FilterName): name is keyof typeof fixedValues => name in fixedValues;

/** True of a value that its filter knows. Dates are not asked here. */
export function isValueOf(name: FilterName, value: string): boolean {
  if (isFixed(name)) return fixedValues[name].some((one) => one === value.toLowerCase());
  if (name === 'language') return /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i.test(value);
  return name === 'tag' || foldWords(value).length > 0;
}
