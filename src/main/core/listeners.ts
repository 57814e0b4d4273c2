/** A list of listeners with one way in and one way out. A listener that throws does not keep the news from the others. */
export function createListeners<T>(onError: (error: unknown) => void = reportLater): {
  add(listener: (value: T) => void): () => void;
  tell(value: T): void;
} {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(value) {
      for (const listener of [...listeners]) {
        try {
          listener(value);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

/** An error in a listener is a defect: it ends up where uncaught errors do, after everyone was told. */
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
