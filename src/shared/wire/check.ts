import type { Problem } from '../problem.ts';

/** What one check of the doctor found, as facts: `messages/finding-text.ts` has the words. `connection` null is this computer. */
export type Finding =
  | { readonly kind: 'answers'; readonly connection: string | null }
  | { readonly kind: 'fails'; readonly connection: string | null; readonly problem: Problem }
  | { readonly kind: 'opens' }
  | { readonly kind: 'not-open'; readonly problem: Problem }
  | { readonly kind: 'keychain' }
  | { readonly kind: 'no-keychain'; readonly why: string }
  | { readonly kind: 'writable' | 'not-writable' | 'told' | 'not-told'; readonly folder: string }
  | { readonly kind: 'free' | 'full'; readonly folder: string; readonly bytes: number }
  | { readonly kind: 'clock' | 'clock-off'; readonly connection: string; readonly seconds: number }
  | { readonly kind: 'no-clock' };

export interface CheckResult {
  readonly ok: boolean;
  readonly finding: Finding;
}

/** One line of the doctor. `check` names what is looked at: `disk`, `clock`, `connection/<name>` and so on. */
export interface CheckLine {
  readonly check: string;
  /** Null while it is looked at. */
  readonly result: CheckResult | null;
}

/** All lines of one round, in their order. */
export interface CheckRound {
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** Timbre's. */
  readonly version: string;
  /** The system and what Timbre runs on, as they call themselves. */
  readonly system: string;
  readonly lines: readonly CheckLine[];
}
