import type { Problem } from '../../../shared/errors.ts';
import { toProblem } from './api.ts';

/** State whose actions may fail. The last failure stays until the next action, or until the view sets `problem` to null. */
export abstract class ActionState {
  problem = $state.raw<Problem | null>(null);

  /** Undefined if the action failed. */
  protected async attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    this.problem = null;
    try {
      return await action();
    } catch (error) {
      this.problem = toProblem(error);
      return undefined;
    }
  }
}

/** Starts a request; the returned function tells whether it is still the latest, so that late responses can be ignored. */
export type BeginRequest = () => () => boolean;

export function createLatest(): BeginRequest {
  let latest = 0;
  return () => {
    const request = ++latest;
    return () => request === latest;
  };
}
