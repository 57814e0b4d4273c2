import * as v from 'valibot';
import type { Problem } from '../../../shared/errors.ts';
import {
  flag,
  fromRow,
  nullableNumber,
  nullableText,
  storedJson,
  storedProblem,
  type StoredRow,
  toRow,
} from '../database/columns.ts';
import type { Signature } from '../files/identity.ts';

const decisions = [
  'waiting',
  'budget',
  'job',
  'same-sound',
  'other-settings',
  'own-output',
  'refused',
  'link',
  'placeholder',
] as const;
/** How far a file is: `open` is in progress, `attention` needs the user, `rest` is settled. */
const stages = ['open', 'attention', 'rest'] as const;
/** What happened to the source once its result was made. `stays`: it could not be moved and is as it was. */
const disposalStates = ['pending', 'moved', 'trashed', 'stays'] as const;

/** Decision about a file that has a record. `waiting`: at the gate; `budget`: waits for another day, or for the folder's hours. */
export type RecordedDecision = (typeof decisions)[number];

/** What is known about one file of a folder. */
export interface FileRecord {
  readonly folderId: string;
  /** Relative to the folder, as this system writes paths. */
  readonly path: string;
  /** Newest is highest; each change of `decision` or `stage` gives the record a higher one. */
  readonly changeNumber: number;
  readonly stateChangedAt: number;
  readonly isPresent: boolean;
  readonly signature: Signature;
  readonly sha256: string | null;
  readonly durationSeconds: number | null;
  /** Baseline files have no record but a row of their own: see `Baseline`. */
  readonly decision: RecordedDecision | 'baseline';
  readonly stage: (typeof stages)[number];
  /** Path of the file with the same content that was converted. */
  readonly duplicateOf: string | null;
  readonly problem: Problem | null;
  readonly jobId: string | null;
  /** Consecutive failures of its job. */
  readonly failures: number;
  /** Time of the next attempt in milliseconds since 1970; null for none. */
  readonly nextTryAt: number | null;
  /** The user wants it converted, whatever the ledger says. */
  readonly isForced: boolean;
  readonly disposalState: (typeof disposalStates)[number] | null;
  readonly movedTo: string | null;
}

/** True while a file waits at the gate, or for the folder's budget or hours: Timbre has yet to decide about it. */
export const isAtGate = ({ decision }: Pick<FileRecord, 'decision'>): boolean =>
  decision === 'waiting' || decision === 'budget';

export const stampColumns = {
  device: v.string(),
  inode: v.string(),
  sizeBytes: v.number(),
  modifiedNs: v.string(),
  changedNs: v.string(),
};

const recordRow = v.object({
  folderId: v.string(),
  path: v.string(),
  changeNumber: v.number(),
  stateChangedAt: v.number(),
  isPresent: flag,
  ...stampColumns,
  sha256: nullableText,
  durationSeconds: nullableNumber,
  decision: v.picklist(decisions),
  stage: v.picklist(stages),
  duplicateOf: nullableText,
  problem: v.nullable(storedJson(storedProblem)),
  jobId: nullableText,
  failures: v.number(),
  nextTryAt: nullableNumber,
  isForced: flag,
  disposalState: v.nullable(v.picklist(disposalStates)),
  movedTo: nullableText,
});

export function readFileRecord(stored: StoredRow): FileRecord {
  const { device, inode, sizeBytes, modifiedNs, changedNs, ...record } = v.parse(recordRow, fromRow(stored));
  return { ...record, signature: { device, inode, sizeBytes, modifiedNs, changedNs } };
}

export const columnsOf = ({ signature, ...record }: FileRecord) => toRow({ ...record, ...signature });

/** Defaults of a new record. */
export const emptyRecord: Omit<FileRecord, 'folderId' | 'path' | 'changeNumber' | 'stateChangedAt' | 'signature'> = {
  isPresent: true,
  sha256: null,
  durationSeconds: null,
  decision: 'waiting',
  stage: 'rest',
  duplicateOf: null,
  problem: null,
  jobId: null,
  failures: 0,
  nextTryAt: null,
  isForced: false,
  disposalState: null,
  movedTo: null,
};

export const emptyStamp: Signature = { device: '0', inode: '0', sizeBytes: 0, modifiedNs: '0', changedNs: '0' };
