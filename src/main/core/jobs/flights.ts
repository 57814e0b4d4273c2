/** Jobs in flight: what is under way, for which connection, and how to end it. */
export interface Flights {
  /** Runs `task` as this job's only occupation. Null is a place that counts for no connection: the source is looked at. */
  begin(id: string, connectionId: string | null, task: (signal: AbortSignal) => Promise<void>): void;
  has(id: string): boolean;
  ids(): readonly string[];
  countOf(connectionId: string | null): number;
  /** True while anything is under way at a service. */
  isActive(): boolean;
  abort(id: string, reason: Error): void;
  abortAll(): void;
  /** Resolves when nothing is in flight any more. */
  landed(): Promise<void>;
}

interface Flight {
  readonly controller: AbortController;
  readonly connectionId: string | null;
  readonly done: Promise<void>;
}

interface Dependencies {
  /** What a task threw. The flight goes on until this is over. */
  onFall(id: string, error: unknown, signal: AbortSignal): Promise<void>;
  onLanded(id: string): void;
  onDefect(error: unknown): void;
}

export function createFlights({ onFall, onLanded, onDefect }: Dependencies): Flights {
  const flights = new Map<string, Flight>();

  return {
    begin(id, connectionId, task) {
      const controller = new AbortController();
      const done = (async () => {
        // The flight is on record before its first step.
        await Promise.resolve();
        try {
          await task(controller.signal);
        } catch (error) {
          await onFall(id, error, controller.signal);
        }
      })()
        .catch(onDefect)
        .finally(() => {
          flights.delete(id);
          onLanded(id);
        });
      flights.set(id, { controller, connectionId, done });
    },
    has: (id) => flights.has(id),
    ids: () => [...flights.keys()],
    countOf: (connectionId) => [...flights.values()].filter((flight) => flight.connectionId === connectionId).length,
    isActive: () => [...flights.values()].some(({ connectionId }) => connectionId !== null),
    abort: (id, reason) => flights.get(id)?.controller.abort(reason),
    abortAll() {
      for (const { controller } of flights.values()) controller.abort();
    },
    async landed() {
      while (flights.size > 0) await Promise.all([...flights.values()].map(({ done }) => done));
    },
  };
}
