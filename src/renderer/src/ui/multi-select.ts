/** A value that can be selected beside others. */
export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  /** What it would find. */
  readonly count: number;
}
