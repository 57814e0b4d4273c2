/** The jobs in flight: which job runs for which connection, and how to abort it. */
export interface ActiveJobs {
  /** Runs `task` as the job's only task. Null counts towards no connection, for example in a preflight. */
  start(id: string, connectionId: string | null, task: (signal: AbortSignal) => Promise<void>): void;
  has(id: string): boolean;
  /** True while the task that was started with this signal is the job's task. */
  isTask(id: string, signal: AbortSignal): boolean;
  ids(): readonly string[];
  countOf(connectionId: string | null): number;
  /** True while any job uses a service. */
  isActive(): boolean;
  abort(id: string, reason: Error): void;
  /** Aborts a job and resolves when it is no longer in flight. */
  end(id: string, reason: Error): Promise<void>;
  abortAll(): void;
  /** Resolves when no job is in flight. */
  whenIdle(): Promise<void>;
}

interface ActiveJob {
  readonly controller: AbortController;
  readonly connectionId: string | null;
  readonly done: Promise<void>;
}

interface Dependencies {
  /** Called with whatever a task throws. The job stays in flight until it resolves. */
  onError(id: string, error: unknown, signal: AbortSignal): Promise<void>;
  onFinished(id: string): void;
  onDefect(error: unknown): void;
}

export function createActiveJobs({ onError, onFinished, onDefect }: Dependencies): ActiveJobs {
  const activeJobs = new Map<string, ActiveJob>();

  return {
    start(id, connectionId, task) {
      const controller = new AbortController();
      const done = (async () => {
        // Registers the job before its first step runs.
        await Promise.resolve();
        try {
          await task(controller.signal);
        } catch (error) {
          await onError(id, error, controller.signal);
        }
      })()
        .catch(onDefect)
        .finally(() => {
          activeJobs.delete(id);
          onFinished(id);
        });
      activeJobs.set(id, { controller, connectionId, done });
    },
    has: (id) => activeJobs.has(id),
    isTask: (id, signal) => activeJobs.get(id)?.controller.signal === signal,
    ids: () => [...activeJobs.keys()],
    countOf: (connectionId) => [...activeJobs.values()].filter((job) => job.connectionId === connectionId).length,
    isActive: () => [...activeJobs.values()].some(({ connectionId }) => connectionId !== null),
    abort: (id, reason) => activeJobs.get(id)?.controller.abort(reason),
    async end(id, reason) {
      const job = activeJobs.get(id);
      job?.controller.abort(reason);
      await job?.done;
    },
    abortAll() {
      for (const { controller } of activeJobs.values()) controller.abort();
    },
    async whenIdle() {
      while (activeJobs.size > 0) await Promise.all([...activeJobs.values()].map(({ done }) => done));
    },
  };
}
