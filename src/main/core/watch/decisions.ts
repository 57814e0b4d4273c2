import type { Problem } from '../../../shared/errors.ts';
import { slowestSpeed } from '../../../shared/schemas/speech.ts';
import { isTextPath, type WatchSettings } from '../../../shared/schemas/watch.ts';
import { hasEnded, type Job, wasNeverSent } from '../jobs/job.ts';
import type { StableFile, DiscoveredFile } from '../scanner/scanner.ts';
import { type FileRecord, isAtGate } from './file-record.ts';
import type { BaselineStage } from './folder-store.ts';
import type { LedgerEntry } from './ledger.ts';

/** What to do with a file that passed the stability gate. */
type StableDecision =
  | { readonly kind: 'job' }
  /** The file was converted, under this or a former name. */
  | { readonly kind: 'converted'; readonly entry: LedgerEntry }
  | { readonly kind: 'same-sound'; readonly entry: LedgerEntry }
  | { readonly kind: 'other-settings'; readonly entry: LedgerEntry }
  | { readonly kind: 'own-output' }
  | { readonly kind: 'budget' | 'hours' }
  | { readonly kind: 'refused'; readonly problem: Problem; readonly needsUser?: true };

interface StableContext {
  /** Former conversions of the same content, latest first. */
  readonly submitted: readonly LedgerEntry[];
  readonly settingsHash: string;
  readonly isOwnOutput: boolean;
  /** The user wants it converted, whatever the ledger says. */
  readonly isForced: boolean;
  readonly limitMinutes: number | null;
  readonly usedMinutes: number;
  /** Its subfolder names the voice. */
  readonly hasNamedVoice: boolean;
  /** False outside the folder's hours. */
  readonly isWithinHours: boolean;
  /** True if a file with this content is still at `path`. */
  hasFile(path: string): boolean;
}

/** Seconds of audio that a file stands for in a folder, from what the scanner found: a text takes longer at a lower speed. */
export function lengthOf<Length extends number | null>(
  path: string,
  seconds: Length,
  { speech }: Pick<WatchSettings, 'speech'>,
): Length | number {
  return speech && seconds !== null && isTextPath(path) ? seconds / slowestSpeed(speech) : seconds;
}

function overBudget(file: StableFile, limit: number, used: number, name: string): StableDecision | null {
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

/** Decides by content. `name` is the file name for problem texts. */
export function decideOnStable(file: StableFile, name: string, context: StableContext): StableDecision {
  const { submitted, settingsHash, isOwnOutput, isForced, hasNamedVoice, hasFile } = context;
  if (isForced) return { kind: 'job' };
  if (isOwnOutput) return { kind: 'own-output' };
  const same = submitted.find((entry) => entry.settingsHash === settingsHash);
  if (same) {
    const isItself = same.path === file.path || !hasFile(same.path);
    return { kind: isItself ? 'converted' : 'same-sound', entry: same };
  }
  const [other] = submitted;
  // Perhaps the user wants it with both voices, which would be paid for twice.
  if (other && hasNamedVoice) {
    return { kind: 'refused', problem: { code: 'watch/another-voice', facts: { name: other.path } }, needsUser: true };
  }
  if (other) return { kind: 'other-settings', entry: other };
  const { limitMinutes, usedMinutes, isWithinHours } = context;
  const over = limitMinutes === null ? null : overBudget(file, limitMinutes, usedMinutes, name);
  return over ?? { kind: isWithinHours ? 'job' : 'hours' };
}

/** What to do with a discovered file. `known`: nothing; `touch`: update only its signature. */
type DiscoveredDecision = 'known' | 'touch' | 'baseline' | 'link' | 'placeholder' | 'await-stable';

interface DiscoveredContext {
  readonly baselineStage: BaselineStage;
  /** A baseline file has this inode, size and time. */
  readonly isInBaseline: boolean;
}

/** Compares size and time, and inodes except for baseline files: some file systems make inodes up. */
function isUnchanged({ signature, decision }: FileRecord, file: DiscoveredFile): boolean {
  const { inode, sizeBytes, modifiedNs } = file.signature;
  if (signature.sizeBytes !== sizeBytes || signature.modifiedNs !== modifiedNs) return false;
  return decision === 'baseline' || signature.inode === inode;
}

/** The content of a placeholder is not local; only its metadata can be compared. */
function decideOnPlaceholder(
  file: DiscoveredFile,
  record: FileRecord | undefined,
  { baselineStage, isInBaseline }: DiscoveredContext,
): DiscoveredDecision {
  if (!record) return baselineStage === 'scanning' || isInBaseline ? 'baseline' : 'placeholder';
  const isKnown = record.isPresent || record.decision === 'baseline';
  return isKnown && !isAtGate(record) && isUnchanged(record, file) ? 'known' : 'placeholder';
}

/**
 * Decides from names and times whether to check a file closely. A needless check costs one read, a missed one
 * loses a recording. But a baseline file must not count as new, because its content is not in the ledger.
 */
export function decideOnDiscovered(
  file: DiscoveredFile,
  record: FileRecord | undefined,
  context: DiscoveredContext,
): DiscoveredDecision {
  const { baselineStage, isInBaseline } = context;
  if (file.kind === 'link') return record?.isPresent && record.decision === 'link' ? 'known' : 'link';
  if (file.kind === 'placeholder') return decideOnPlaceholder(file, record, context);
  if (!record) return baselineStage === 'scanning' || isInBaseline ? 'baseline' : 'await-stable';
  // It was no regular file when last seen, or was not read yet.
  if (isAtGate(record) || record.decision === 'placeholder' || record.decision === 'link') return 'await-stable';
  if (isUnchanged(record, file)) {
    const isMetadata = record.signature.changedNs !== file.signature.changedNs;
    // The permissions of an unreadable file may have changed.
    if (isMetadata && record.decision === 'refused') return 'await-stable';
    return isMetadata || !record.isPresent ? 'touch' : 'known';
  }
  return record.decision === 'baseline' && baselineStage === 'scanning' ? 'baseline' : 'await-stable';
}

/** What the end or restart of a job means for the record of its file. */
type JobEndDecision =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'open' }
  | { readonly kind: 'done' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'uncertain' }
  /** The file changed or was missing before it was sent: it goes to the gate again. */
  | { readonly kind: 'recheck' }
  | { readonly kind: 'retry'; readonly failures: number; readonly afterMs: number }
  | { readonly kind: 'quarantine'; readonly failures: number };

/** Maximum number of automatic attempts per file. */
const maxFailures = 3;
const retryDelaysMs = [10_000, 60_000];

/** A problem of the file or the voice does not go away by retrying. A result that is gone was paid for as often as was agreed to. */
const isLasting = (code: string): boolean =>
  code.startsWith('input/') || code.startsWith('voice/') || code === 'service/result-gone';

export function decideOnJobEnd(job: Job, record: Pick<FileRecord, 'stage' | 'nextTryAt' | 'failures'>): JobEndDecision {
  if (!hasEnded(job))
    return record.stage === 'open' && record.nextTryAt === null ? { kind: 'nothing' } : { kind: 'open' };
  // This end was handled before.
  if (record.stage !== 'open' || record.nextTryAt !== null) return { kind: 'nothing' };
  if (job.state === 'done') return { kind: 'done' };
  if (job.state === 'cancelled') return { kind: 'cancelled' };
  if (job.state === 'uncertain') return { kind: 'uncertain' };
  if (wasNeverSent(job)) return { kind: 'recheck' };
  const code = job.problem?.code ?? 'internal';
  const failures = record.failures + 1;
  const afterMs = retryDelaysMs[failures - 1];
  if (failures >= maxFailures || afterMs === undefined || isLasting(code)) return { kind: 'quarantine', failures };
  return { kind: 'retry', failures, afterMs };
}
