import { SvelteMap } from 'svelte/reactivity';
import type { Api } from '../../lib/api.ts';

/**
 * How fast each connection was for this person: seconds of work a second of sound. Asked for again when jobs end; while one answer is
 * on its way, further wishes for the same connection become one.
 */
export class ProcessingSpeeds {
  readonly #api: Pick<Api['jobs'], 'getProcessingSpeed'>;
  readonly #paces = new SvelteMap<string, number | null>();
  // Not state: only `#paces` is shown.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #asking = new Map<string, 'once' | 'again'>();

  constructor(api: Pick<Api['jobs'], 'getProcessingSpeed'>) {
    this.#api = api;
  }

  /** Null where there is too little past to tell. */
  of(connectionId: string): number | null {
    return this.#paces.get(connectionId) ?? null;
  }

  async refresh(connectionId: string): Promise<void> {
    if (this.#asking.has(connectionId)) {
      this.#asking.set(connectionId, 'again');
      return;
    }
    do {
      this.#asking.set(connectionId, 'once');
      // An estimate is an ornament: where it cannot be had, none is shown.
      const answer = await this.#api.getProcessingSpeed({ connectionId }).catch(() => ({ secondsPerSecond: null }));
      this.#paces.set(connectionId, answer.secondsPerSecond);
    } while (this.#asking.get(connectionId) === 'again');
    this.#asking.delete(connectionId);
  }
}
