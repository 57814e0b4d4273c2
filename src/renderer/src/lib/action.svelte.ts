import type { Problem } from '../../../shared/errors.ts';
import { toProblem } from './api.ts';

/**
 * State whose actions may fail. The last failure stays until a later action succeeds, so that its button to try again keeps the focus
 * meanwhile, or until the view sets `problem` to null.
 */
export abstract class ActionState {
  problem = $state.raw<Problem | null>(null);

  /** Undefined if the action failed. */
  protected async attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    const { problem } = this;
    try {
      const result = await action();
      if (this.problem === problem) this.problem = null;
      return result;
    } catch (error) {
      this.problem = toProblem(error);
      return undefined;
    }
  }
}

/** Each problem once, with its sources: a full disk, for one, stops several of them in the same way. */
export const distinctProblems = <Source extends { readonly problem: Problem | null }>(sources: readonly Source[]) =>
  [...Map.groupBy(sources, ({ problem }) => JSON.stringify(problem)).values()].filter(([source]) => source?.problem);

/** Starts a request; the returned function tells whether it is still the latest, so that late responses can be ignored. */
export type BeginRequest = () => () => boolean;

export function createLatest(): BeginRequest {
  let latest = 0;
  return () => {
    const request = ++latest;
    return () => request === latest;
  };
}

/** Returns a function that coalesces reloads: calls while `load` runs cause one more run. */
export function createReload(load: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isStale = false;
  async function run(): Promise<void> {
    try {
      while (isStale) {
        isStale = false;
        await load();
      }
    } finally {
      running = null;
    }
  }
  return () => {
    isStale = true;
    return (running ??= run());
  };
}
