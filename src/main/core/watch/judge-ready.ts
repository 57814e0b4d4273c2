import type { Problem } from '../../../shared/problem.ts';
import type { ReadyFile } from './eyes/eyes.ts';
import type { LedgerEntry } from './ledger.ts';

/** What is to be done with a file that passed the gate. */
export type ReadyJudgement =
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

function overBudget(file: ReadyFile, limit: number, used: number, name: string): ReadyJudgement | null {
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
export function judgeReady(file: ReadyFile, name: string, circumstances: Circumstances): ReadyJudgement {
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
