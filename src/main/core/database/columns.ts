import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import { type ErrorCode, isErrorCode } from '../../../shared/errors.ts';

/** A row as SQLite returns it. */
export type StoredRow = Record<string, SQLOutputValue>;

const largest = BigInt(Number.MAX_SAFE_INTEGER);
const clamped = (value: bigint): number => Number(value > largest ? largest : value < -largest ? -largest : value);

const members = new Map<string, string>();
function memberOf(column: string): string {
  let member = members.get(column);
  if (member === undefined) {
    member = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    members.set(column, member);
  }
  return member;
}

/**
 * Returns a row under the names of its members: `endedAt` for `ended_at`. A row with integers beyond the safe range
 * needs `setReadBigInts`, or node:sqlite throws; they are clamped, so that the user can still see and remove the row.
 */
export function fromRow(row: StoredRow): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const column in row) {
    const value = row[column];
    values[memberOf(column)] = typeof value === 'bigint' ? clamped(value) : value;
  }
  return values;
}

function toColumn(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number);
}

const columns = new Map<string, string>();
function columnOf(member: string): string {
  let column = columns.get(member);
  if (column === undefined) {
    column = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columns.set(member, column);
  }
  return column;
}

/** Returns the columns of an object: `ended_at` for `endedAt`, 0 and 1 for booleans, JSON for objects. */
export function toRow(values: object): Record<string, SQLInputValue> {
  const row: Record<string, SQLInputValue> = {};
  for (const [member, value] of Object.entries(values)) {
    row[columnOf(member)] = toColumn(value);
  }
  return row;
}

export const nullableText = v.nullable(v.string());
export const nullableNumber = v.nullable(v.number());

export const flag = v.pipe(
  v.number(),
  v.transform((value) => value === 1),
);

export const storedJson = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);

export const storedProblem = v.object({
  // A later version's unknown code still gets a general message.
  code: v.pipe(
    v.string(),
    v.transform((code): ErrorCode => (isErrorCode(code) ? code : 'internal')),
  ),
  facts: v.exactOptional(v.record(v.string(), v.union([v.string(), v.pipe(v.number(), v.finite())]))),
  words: v.exactOptional(v.string()),
});

export const storedVoice = v.object({
  id: v.string(),
  name: v.string(),
  language: v.string(),
  gender: v.string(),
  category: v.string(),
});

/** SQL condition for a column in a list that is bound as a JSON array. */
export const isIn = (column: string, parameter: string): string =>
  `${column} IN (SELECT value FROM json_each(${parameter}))`;
