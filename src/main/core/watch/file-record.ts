import type { SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import type { Problem } from '../../../shared/errors.ts';
import { storedJson, storedProblem } from '../jobs/job-row.ts';
import type { Signature } from '../scanner/scanner.ts';

/** A file that is left alone has no row here: see `left-alone`. */
export type ToldVerdict = Exclude<Verdict, 'before'>;

const text = v.nullable(v.string());
const number = v.nullable(v.number());
const isOne = v.pipe(
  v.number(),
  v.transform((value) => value === 1),
);
const verdicts = [
  'waiting',
  'budget',
  'job',
  'same-sound',
  'other-settings',
  'own-output',
  'refused',
  'link',
  'placeholder',
] as const satisfies readonly ToldVerdict[];
const standings = ['open', 'attention', 'rest'] as const satisfies readonly Standing[];

const lineRow = v.object({
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
  verdict: v.picklist(verdicts),
  standing: v.picklist(standings),
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
  const row = v.parse(lineRow, stored);
  return {
    folderId: row.folder_id,
    path: row.path,
    order: row.change,
    at: row.at,
    isThere: row.is_there,
    signature: {
      device: row.device,
      inode: row.inode,
      sizeBytes: row.size_bytes,
      modifiedNs: row.modified_ns,
      changedNs: row.changed_ns,
    },
    sha256: row.sha256,
    durationSeconds: row.duration_seconds,
    verdict: row.verdict,
    standing: row.standing,
    sameAs: row.same_as,
    problem: row.problem,
    jobId: row.job_id,
    failures: row.failures,
    nextTryAt: row.next_try_at,
    isForced: row.is_forced,
    sourceEnd: row.source_end,
    movedTo: row.moved_to,
  };
}

export const columnsOf = (line: FileRecord) => ({
  folder_id: line.folderId,
  path: line.path,
  change: line.order,
  at: line.at,
  is_there: line.isThere ? 1 : 0,
  device: line.signature.device,
  inode: line.signature.inode,
  size_bytes: line.signature.sizeBytes,
  modified_ns: line.signature.modifiedNs,
  changed_ns: line.signature.changedNs,
  sha256: line.sha256,
  duration_seconds: line.durationSeconds,
  verdict: line.verdict,
  standing: line.standing,
  same_as: line.sameAs,
  problem: line.problem && JSON.stringify(line.problem),
  job_id: line.jobId,
  failures: line.failures,
  next_try_at: line.nextTryAt,
  is_forced: line.isForced ? 1 : 0,
  source_end: line.sourceEnd,
  moved_to: line.movedTo,
});

/** A line of which nothing is known yet. */
export const emptyRecord: Omit<FileRecord, 'folderId' | 'path' | 'order' | 'at' | 'signature'> = {
  isThere: true,
  sha256: null,
  durationSeconds: null,
  verdict: 'waiting',
  standing: 'rest',
  sameAs: null,
  problem: null,
  jobId: null,
  failures: 0,
  nextTryAt: null,
  isForced: false,
  sourceEnd: null,
  movedTo: null,
};

export const emptyStamp: Signature = { device: '0', inode: '0', sizeBytes: 0, modifiedNs: '0', changedNs: '0' };

/** What was decided about a file. `waiting` is at the gate, `budget` waits for another day. */
export type Verdict =
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

/** What it means for a person: under way, theirs to look at, or over. */
export type Standing = 'open' | 'attention' | 'rest';

/** What becomes of the source once its result is there. `stays` could not be done, and the source is as it was. */
export type DisposalState = 'pending' | 'moved' | 'trashed' | 'stays';

/** What is known of one file of a folder. */
export interface FileRecord {
  readonly folderId: string;
  /** Relative to the folder, as this system writes paths. */
  readonly path: string;
  /** Newest is highest; each change of `verdict` or `standing` gives the line a higher one. */
  readonly order: number;
  readonly at: number;
  readonly isThere: boolean;
  readonly signature: Signature;
  readonly sha256: string | null;
  readonly durationSeconds: number | null;
  readonly verdict: Verdict;
  readonly standing: Standing;
  /** The path whose sound this is. */
  readonly sameAs: string | null;
  readonly problem: Problem | null;
  readonly jobId: string | null;
  /** How often its job failed in a row. */
  readonly failures: number;
  /** When its job is begun again; null where it is not. */
  readonly nextTryAt: number | null;
  /** A person wants it converted, whatever the ledger says. */
  readonly isForced: boolean;
  readonly sourceEnd: DisposalState | null;
  readonly movedTo: string | null;
}
