/** What one check of `timbre doctor` came to. `message` says what is right, or what to do. */
export interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly message: string;
}
