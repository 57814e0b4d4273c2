import { createSubscriber } from 'svelte/reactivity';

/** The time, once a second, ticking only while somebody on screen reads it. */
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
