import type { SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import type { Problem } from '../../../shared/errors.ts';
import { storedJson, storedProblem } from '../jobs/job-row.ts';
import type { Signature } from '../scanner/scanner.ts';

/** Decision about a file. `waiting`: at the gate; `budget`: waits for another day; `before`: in the baseline. */
type FileDecision =
  | 'waiting'
  | 'budget'
  | 'job'
  | 'before'
  | 'same-sound'
  | 'other-settings'
  | 'own-output'
  | 'refused'
  | 'link'
  | 'placeholder';

/** How far a file is: `open` is in progress, `attention` needs the user, `rest` is settled. */
export type Stage = 'open' | 'attention' | 'rest';

/** What happened to the source once its result was made. `stays`: it could not be moved and is as it was. */
type DisposalState = 'pending' | 'moved' | 'trashed' | 'stays';

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
  readonly decision: FileDecision;
  readonly stage: Stage;
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
  readonly disposalState: DisposalState | null;
  readonly movedTo: string | null;
}

/** The decisions that a record can have. Baseline files have no record but a row of their own: see `Baseline`. */
export type RecordedDecision = Exclude<FileDecision, 'before'>;

const text = v.nullable(v.string());
const number = v.nullable(v.number());
const isOne = v.pipe(
  v.number(),
  v.transform((value) => value === 1),
);
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
] as const satisfies readonly RecordedDecision[];
const stages = ['open', 'attention', 'rest'] as const satisfies readonly Stage[];

const recordRow = v.object({
  folder_id: v.string(),
  path: v.string(),
  change: v.number(),
  at: v.number(),
  is_there: isOne,
  device: v.string(),
  inode: v.string(),
  size_bytes: v.number(),
  modified_ns: v.string(),
  changed_ns: v.string(),
  sha256: text,
  duration_seconds: number,
  verdict: v.picklist(decisions),
  standing: v.picklist(stages),
  same_as: text,
  problem: v.nullable(storedJson(storedProblem)),
  job_id: text,
  failures: v.number(),
  next_try_at: number,
  is_forced: isOne,
  source_end: v.nullable(v.picklist(['pending', 'moved', 'trashed', 'stays'])),
  moved_to: text,
});

export type Row = Record<string, SQLOutputValue>;

export function readFileRecord(stored: Row): FileRecord {
  const row = v.parse(recordRow, stored);
  return {
    folderId: row.folder_id,
    path: row.path,
    changeNumber: row.change,
    stateChangedAt: row.at,
    isPresent: row.is_there,
    signature: {
      device: row.device,
      inode: row.inode,
      sizeBytes: row.size_bytes,
      modifiedNs: row.modified_ns,
      changedNs: row.changed_ns,
    },
    sha256: row.sha256,
    durationSeconds: row.duration_seconds,
    decision: row.verdict,
    stage: row.standing,
    duplicateOf: row.same_as,
    problem: row.problem,
    jobId: row.job_id,
    failures: row.failures,
    nextTryAt: row.next_try_at,
    isForced: row.is_forced,
    disposalState: row.source_end,
    movedTo: row.moved_to,
  };
}

export const columnsOf = (record: FileRecord) => ({
  folder_id: record.folderId,
  path: record.path,
  change: record.changeNumber,
  at: record.stateChangedAt,
  is_there: record.isPresent ? 1 : 0,
  device: record.signature.device,
  inode: record.signature.inode,
  size_bytes: record.signature.sizeBytes,
  modified_ns: record.signature.modifiedNs,
  changed_ns: record.signature.changedNs,
  sha256: record.sha256,
  duration_seconds: record.durationSeconds,
  verdict: record.decision,
  standing: record.stage,
  same_as: record.duplicateOf,
  problem: record.problem && JSON.stringify(record.problem),
  job_id: record.jobId,
  failures: record.failures,
  next_try_at: record.nextTryAt,
  is_forced: record.isForced ? 1 : 0,
  source_end: record.disposalState,
  moved_to: record.movedTo,
});

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
