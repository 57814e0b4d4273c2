import { SvelteMap } from 'svelte/reactivity';
import type { Api } from '../../lib/api.ts';

/**
 * The real-time factor of each connection: seconds of processing per second of sound. Refreshed when jobs end; refreshes of a
 * connection that arrive during a request are merged into one.
 */
export class ProcessingSpeeds {
  readonly #api: Pick<Api['jobs'], 'getProcessingSpeed'>;
  readonly #factors = new SvelteMap<string, number | null>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  readonly #requests = new Map<string, 'running' | 'refresh-again'>();

  constructor(api: Pick<Api['jobs'], 'getProcessingSpeed'>) {
    this.#api = api;
  }

  /** Null if too few jobs have ended for an estimate. */
  of(connectionId: string): number | null {
    return this.#factors.get(connectionId) ?? null;
  }

  async refresh(connectionId: string): Promise<void> {
    if (this.#requests.has(connectionId)) {
      this.#requests.set(connectionId, 'refresh-again');
      return;
    }
    do {
      this.#requests.set(connectionId, 'running');
      // An estimate is optional: when the request fails, none is shown.
      const speed = await this.#api.getProcessingSpeed({ connectionId }).catch(() => ({ secondsPerSecond: null }));
      this.#factors.set(connectionId, speed.secondsPerSecond);
    } while (this.#requests.get(connectionId) === 'refresh-again');
    this.#requests.delete(connectionId);
  }
}
