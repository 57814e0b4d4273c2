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

interface ProblemSource {
  problem: Problem | null;
}

/** Each problem once: a full disk, for one, stops several sources in the same way. */
export function distinctProblems(
  sources: readonly ProblemSource[],
): readonly { readonly problem: Problem; dismiss(): void }[] {
  const groups = Map.groupBy(sources, ({ problem }) => JSON.stringify(problem));
  return [...groups.values()].flatMap((same) => {
    const problem = same[0]?.problem;
    return problem ? [{ problem, dismiss: () => same.forEach((source) => (source.problem = null)) }] : [];
  });
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
