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
}
