import type { Field, FieldType } from './interface-table.ts';

const text = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const formatName = /^[a-z0-9]+$/i;

const fitsType: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  decimal: text(/^-?\d+\.\d+$/),
  extension: text(/^\.[a-z0-9]+$/i),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  file: (value) => value instanceof Uint8Array && value.length > 0,
  uuid: text(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  url: (value) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value),
  language: text(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i),
  region: text(/^[a-z]{2,3}(-[A-Z][a-z]{3})?-([A-Z]{2}|\d{3})$/),
  time: text(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/),
  formats: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && formatName.test(one)),
};

const keyOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/** The value at a dotted path; with `[]`, one value for each entry of the list. */
export const valuesAt = (body: unknown, path: string): readonly unknown[] =>
  path.split('.').reduce<readonly unknown[]>(
    (values, key) => {
      const found = values.map((value) => keyOf(value, key.replace('[]', '')));
      return key.endsWith('[]') ? found.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])) : found;
    },
    [body],
  );

/** The one value at a dotted path. */
export const valueAt = (body: unknown, path: string): unknown => valuesAt(body, path)[0];

/** The text at a dotted path. Throws where there is none. */
export function textAt(body: unknown, path: string): string {
  const value = valueAt(body, path);
  if (typeof value !== 'string' || value === '') throw new Error(`no text at ${path} of ${JSON.stringify(body)}`);
  return value;
}

/** True for a value of the field's type that is one of its allowed ones. */
export const fits = ({ type, values }: Field, value: unknown): boolean =>
  fitsType[type](value) && (!values || values.some((allowed) => allowed === value));

/** The dotted paths of everything in a JSON object that is no object itself, in order. */
export function leavesOf(body: unknown, prefix = ''): readonly string[] {
  if (typeof body !== 'object' || body === null) return [prefix.slice(0, -1)];
  return Object.entries(body)
    .flatMap(([key, value]) => leavesOf(value, `${prefix}${key}.`))
    .sort();
}
