import type { OperationId } from './interface-table.ts';

/**
 * The interface's tables of errors, limits and versions, by hand as `interface-table.ts`. HTTP statuses are not among them: the
 * interface does not show them.
 */

export const errorRows = [
  { id: 'create-task', condition: 'voice missing', error: 'Invalid input parameters.', names: 'voice' },
  { id: 'upload', condition: 'audioFile missing', error: 'Invalid input parameters.', names: 'audioFile' },
  { id: 'convert', condition: 'pitch not positive', error: 'Invalid parameters.', names: 'pitch' },
  { id: 'speech', condition: 'a bad request', error: 'Bad Request', names: null },
  { id: 'voices', condition: 'limit above the maximum', error: 'Invalid parameters.', names: 'limit' },
  { id: 'voice-detail', condition: 'unknown voice identifier', error: 'Invalid voice identifier.', names: 'voice ID' },
  { id: 'models', condition: 'page not greater than 0', error: 'Invalid pagination parameters.', names: 'page' },
  { id: 'delete-model', condition: 'no model of this name', error: 'Invalid model name.', names: 'model' },
] as const satisfies readonly ErrorRow[];

export interface ErrorRow {
  /** The operation; each has one row. */
  readonly id: OperationId;
  readonly condition: string;
  /** The exact text of `error`. */
  readonly error: string;
  /** What `details` must name; null if there are no details. */
  readonly names: string | null;
}

export interface LimitRow {
  readonly id: string;
  readonly operation: OperationId;
  readonly field: string;
  readonly passes: readonly number[];
  readonly fails: readonly number[];
}

export const limitRows: readonly LimitRow[] = [
  { id: 'voices.limit', operation: 'voices', field: 'limit', passes: [1, 100], fails: [0, 101] },
  { id: 'voices.page', operation: 'voices', field: 'page', passes: [0], fails: [-1] },
  { id: 'models.page', operation: 'models', field: 'page', passes: [1], fails: [0] },
];

export interface VersionRow {
  readonly id: string;
  readonly operation: OperationId;
  readonly field: string;
  readonly allowed: readonly string[];
  /** One that exists elsewhere in the interface or might be thought to exist. */
  readonly refused: string;
}

export const versionRows: readonly VersionRow[] = [
  { id: 'voices.version', operation: 'voices', field: 'version', allowed: ['v2'], refused: 'v1' },
  { id: 'create-task.engine', operation: 'create-task', field: 'engine', allowed: ['v5', 'v7'], refused: 'v1' },
  { id: 'convert.engine', operation: 'convert', field: 'engine', allowed: ['v5', 'v7'], refused: 'v1' },
  { id: 'speech.engine', operation: 'speech', field: 'engine', allowed: ['v1', 'v5', 'v7'], refused: 'v6' },
];

/** Versions that no field carries. */
export const versionNotes = [
  { id: 'path-prefixes', says: 'the deletion of models is under /v1, the other operations of the service under /api' },
  { id: 'sample', says: 'the sample declares version 1.0.0, of which nothing is sent' },
] as const;
