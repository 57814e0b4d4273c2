import type { Problem } from '../problem.ts';

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** A connection as a page may know it: nothing secret, nothing that only main needs. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  /** `local` is the engine on this computer: no account, no cost, no network. */
  readonly kind: 'local' | 'remote';
  readonly pitch: Range;
  readonly speed: Range;
  /** Characters that one piece of speech may have; null where no limit is known. */
  readonly maxTextLength: number | null;
}

/** What one operation of a connection's test came to. */
export interface ConnectionCheck {
  readonly operation: 'voices' | 'voice' | 'models';
  readonly outcome: 'understood' | 'unreached' | 'unauthorised' | 'not-understood';
  readonly ms: number;
  readonly problem: Problem | null;
  /** The field of the document that seems to be wrong, in its own words; null where none does. */
  readonly suspect: string | null;
}

/** What is known of a connection's token; never the token itself. */
export interface TokenState {
  /** Null where there is none. */
  readonly place: 'keychain' | 'session' | 'file' | null;
  /** Why the system's keychain cannot be used; null where it can. */
  readonly keychainProblem: string | null;
}
