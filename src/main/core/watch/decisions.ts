import type { Problem } from '../../../shared/errors.ts';
import type { WatchedState, WatchWait } from '../../../shared/schemas/watch.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import type { ReadyFile, SeenFile } from '../scanner/scanner.ts';
import type { FileRecord } from './file-record.ts';
import type { ExistingStage } from './folder-store.ts';
import type { LedgerEntry } from './ledger.ts';

/** What is to be done with a file that passed the gate. */
export type StableDecision =
  | { readonly kind: 'job' }
  /** It was converted, under this name or one that it had before. */
  | { readonly kind: 'converted'; readonly entry: LedgerEntry }
  | { readonly kind: 'same-sound'; readonly entry: LedgerEntry }
  | { readonly kind: 'other-settings'; readonly entry: LedgerEntry }
  | { readonly kind: 'own-output' }
  | { readonly kind: 'budget' }
  | { readonly kind: 'refused'; readonly problem: Problem };

interface Circumstances {
  /** What its content was converted with before, latest first. */
  readonly taken: readonly LedgerEntry[];
  readonly settingsHash: string;
  readonly isOwnOutput: boolean;
  /** A person wants it converted, whatever was before. */
  readonly isForced: boolean;
  readonly limitMinutes: number | null;
  readonly usedMinutes: number;
  /** Whether a file with that content still lies at a path. */
  hasFile(path: string): boolean;
}

function overBudget(file: ReadyFile, limit: number, used: number, name: string): StableDecision | null {
  if (file.durationSeconds === null)
    return { kind: 'refused', problem: { code: 'watch/length-unknown', facts: { name } } };
  const minutes = file.durationSeconds / 60;
  if (minutes > limit) {
    return {
      kind: 'refused',
      problem: { code: 'watch/too-long', facts: { name, minutes: Math.ceil(minutes), limit } },
    };
  }
  return used + minutes > limit ? { kind: 'budget' } : null;
}

/** Decides by content. `name` is that of the file, for sentences. */
export function decideOnStable(file: ReadyFile, name: string, circumstances: Circumstances): StableDecision {
  const { taken, settingsHash, isOwnOutput, isForced, limitMinutes, usedMinutes, hasFile } = circumstances;
  if (isForced) return { kind: 'job' };
  if (isOwnOutput) return { kind: 'own-output' };
  const same = taken.find((entry) => entry.settingsHash === settingsHash);
  if (same) {
    const isItself = same.path === file.path || !hasFile(same.path);
    return { kind: isItself ? 'converted' : 'same-sound', entry: same };
  }
  const [other] = taken;
  if (other) return { kind: 'other-settings', entry: other };
  return (limitMinutes !== null && overBudget(file, limitMinutes, usedMinutes, name)) || { kind: 'job' };
}

/** What is to be done about a file that the eyes saw. `known`: nothing; `touch`: only its signature is news. */
export type SeenDecision = 'known' | 'touch' | 'before' | 'link' | 'placeholder' | 'consider';

interface JudgeSeenCircumstances {
  readonly existing: ExistingStage;
  /** A file that was left alone has this inode, size and time. */
  readonly wasBefore: boolean;
}

/** The same recording at the same path? Inodes change where a disk makes them up: for a file that was left alone they do not count. */
function isUnchanged({ signature, verdict }: FileRecord, seen: SeenFile): boolean {
  const { inode, sizeBytes, modifiedNs } = seen.signature;
  if (signature.sizeBytes !== sizeBytes || signature.modifiedNs !== modifiedNs) return false;
  return verdict === 'before' || signature.inode === inode;
}

const isAtGate = ({ verdict }: FileRecord) => verdict === 'waiting' || verdict === 'budget';

/** Its content is elsewhere just now: nothing can be said of it but whether it is the file that is known. */
function judgePlaceholder(
  seen: SeenFile,
  line: FileRecord | undefined,
  { existing, wasBefore }: JudgeSeenCircumstances,
): SeenDecision {
  if (!line) return existing === 'scanning' || wasBefore ? 'before' : 'placeholder';
  const isKnown = line.isThere || line.verdict === 'before';
  return isKnown && !isAtGate(line) && isUnchanged(line, seen) ? 'known' : 'placeholder';
}

/**
 * Decides from names and times whether a file is worth a closer look. To look once too often costs a reading; to look once too rarely
 * loses a recording; only a file that was left alone must not be taken for a new one, because nobody knows its content.
 */
export function decideOnSeen(
  seen: SeenFile,
  line: FileRecord | undefined,
  circumstances: JudgeSeenCircumstances,
): SeenDecision {
  const { existing, wasBefore } = circumstances;
  if (seen.kind === 'link') return line?.isThere && line.verdict === 'link' ? 'known' : 'link';
  if (seen.kind === 'placeholder') return judgePlaceholder(seen, line, circumstances);
  if (!line) return existing === 'scanning' || wasBefore ? 'before' : 'consider';
  // What is a file now was none when it was last seen, or nobody has read it yet.
  if (isAtGate(line) || line.verdict === 'placeholder' || line.verdict === 'link') return 'consider';
  if (isUnchanged(line, seen)) {
    const isMetadata = line.signature.changedNs !== seen.signature.changedNs;
    // A file that could not be read may have got other permissions.
    if (isMetadata && line.verdict === 'refused') return 'consider';
    return isMetadata || !line.isThere ? 'touch' : 'known';
  }
  return line.verdict === 'before' && existing === 'scanning' ? 'before' : 'consider';
}

/** What the end of a job, or its new beginning, means for the line of its file. */
export type JobEndDecision =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'open' }
  | { readonly kind: 'done' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'uncertain' }
  /** The file was not there to be sent as it was taken up: it goes to the gate again. */
  | { readonly kind: 'look-again' }
  | { readonly kind: 'retry'; readonly failures: number; readonly afterMs: number }
  | { readonly kind: 'quarantine'; readonly failures: number };

/** As often as a file is sent by itself. */
const maxFailures = 3;
const pausesMs = [10_000, 60_000];

/** What is wrong with the file itself does not pass while nobody changes it. */
const isLasting = (code: string): boolean => code.startsWith('input/') || code.startsWith('voice/');

/**
 * True where the recording could not be sent as it was taken up, and so nothing was paid for it. It is another one by now, or its folder
 * is away for a while, with all of its files: the gate tells which, and waits for the folder.
 */
export const wasNeverSent = ({ state, problem }: Pick<Job, 'state' | 'problem'>): boolean =>
  state === 'failed' &&
  (problem?.code === 'input/changed' || problem?.code === 'input/missing' || problem?.code === 'input/unreadable');

export function decideOnJobEnd(
  job: Job,
  line: Pick<FileRecord, 'standing' | 'nextTryAt' | 'failures'>,
): JobEndDecision {
  if (!hasEnded(job))
    return line.standing === 'open' && line.nextTryAt === null ? { kind: 'nothing' } : { kind: 'open' };
  // Its end was told before.
  if (line.standing !== 'open' || line.nextTryAt !== null) return { kind: 'nothing' };
  if (job.state === 'done') return { kind: 'done' };
  if (job.state === 'cancelled') return { kind: 'cancelled' };
  if (job.state === 'uncertain') return { kind: 'uncertain' };
  if (wasNeverSent(job)) return { kind: 'look-again' };
  const code = job.problem?.code ?? 'internal';
  const failures = line.failures + 1;
  const afterMs = pausesMs[failures - 1];
  if (failures >= maxFailures || afterMs === undefined || isLasting(code)) return { kind: 'quarantine', failures };
  return { kind: 'retry', failures, afterMs };
}

/** A file as it is to be shown: its line, its job, and what it waits for just now. */
export interface WatchedFileView {
  readonly line: FileRecord;
  readonly job: Job | undefined;
  readonly wait: WatchWait | undefined;
}

/** What became of a file, for a page. `budget` is what its folder has used and may use. */
export function toWatchedState(
  { line, job, wait }: WatchedFileView,
  budget: { readonly usedMinutes: number; readonly limitMinutes: number },
): WatchedState {
  switch (line.verdict) {
    case 'waiting':
      return { kind: 'waiting', wait: wait ?? { kind: 'turn' } };
    case 'budget':
      return { kind: 'waiting', wait: { kind: 'budget', ...budget } };
    case 'refused':
      return { kind: 'refused', problem: line.problem ?? { code: 'internal' } };
    case 'same-sound':
      return { kind: 'same-sound', as: line.sameAs ?? '' };
    case 'job':
      return ofJob(line, job);
    default:
      return { kind: line.verdict };
  }
}

function ofJob({ failures, nextTryAt, standing, sourceEnd, ...line }: FileRecord, job: Job | undefined): WatchedState {
  const problem = job?.problem ?? { code: 'internal' };
  if (job?.state === 'failed' && nextTryAt !== null) return { kind: 'retrying', failures, at: nextTryAt, problem };
  if (job?.state === 'failed' && standing === 'attention') return { kind: 'quarantined', failures, problem };
  if (sourceEnd === 'stays') return { kind: 'source-stays', problem: line.problem ?? { code: 'internal' } };
  return { kind: 'job' };
}
