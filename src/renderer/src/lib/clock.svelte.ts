import { createSubscriber } from 'svelte/reactivity';

/** The current time, once a second; ticks only while a component reads it. */
export class Clock {
  readonly #subscribe: () => void;

  constructor(everyMs = 1000) {
    this.#subscribe = createSubscriber((update) => {
      const timer = setInterval(update, everyMs);
      return () => clearInterval(timer);
    });
  }

  /** Milliseconds since 1970. */
  get now(): number {
    this.#subscribe();
    return Date.now();
  }
}
