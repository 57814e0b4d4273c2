import type { Leader } from './processes.ts';
import type { Figures } from './scenario.ts';

/** What the process of a scenario tells the frame. */
export type ScenarioMessage =
  | { readonly type: 'note'; readonly step: string }
  /** A process that leads a session of its own, and so is no part of the scenario's. */
  | { readonly type: 'leader'; readonly leader: Leader }
  | { readonly type: 'passed'; readonly figures: Figures }
  | {
      readonly type: 'failed';
      readonly why: string;
      /** For defects of the scenario itself. */ readonly stack?: string;
    };

/** What the frame tells the process of a scenario. */
export interface ScenarioOrder {
  /** The one that exports it. */
  readonly module: string;
  readonly id: string;
  readonly folder: string;
  readonly seed: number;
  readonly full: boolean;
}
