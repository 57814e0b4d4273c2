import type { Problem } from '../../../shared/problem.ts';
import type { Voice } from '../../../shared/wire/voice.ts';
import type { Api } from '../api.ts';
import { problemOf } from './problem-of.ts';

/** A catalogue that never ends is cut here: 200 pages are more than a person looks through. */
const maxPages = 200;

/** The catalogue of one connection, page by page: the first voices can be chosen while the rest still comes. */
export class Voices {
  readonly #api: Api['voices'];
  #connectionId: string | null = null;
  #reading: Promise<void> = Promise.resolve();

  list = $state.raw<readonly Voice[]>([]);
  isLoading = $state(false);
  problem = $state.raw<Problem | null>(null);

  constructor(api: Api['voices']) {
    this.#api = api;
  }

  find(id: string): Voice | undefined {
    return this.list.find((voice) => voice.id === id);
  }

  /**
   * Reads the catalogue of a connection; one that is already read, or on its way, is kept, one that failed is read again. Resolves when
   * it is there, or `problem` says why not.
   */
  load(connectionId: string): Promise<void> {
    if (this.#connectionId !== connectionId || this.problem !== null) this.#reading = this.#read(connectionId);
    return this.#reading;
  }

  async #read(connectionId: string): Promise<void> {
    this.#connectionId = connectionId;
    this.list = [];
    this.problem = null;
    this.isLoading = true;
    try {
      await this.#readPages(connectionId);
    } catch (error) {
      if (this.#connectionId === connectionId) this.problem = problemOf(error);
    } finally {
      if (this.#connectionId === connectionId) this.isLoading = false;
    }
  }

  async #readPages(connectionId: string): Promise<void> {
    for (let page = 0; page < maxPages; page++) {
      const { voices, total } = await this.#api.list({ connectionId, page });
      if (this.#connectionId !== connectionId) return;
      const fresh = voices.filter(({ id }) => this.find(id) === undefined);
      this.list = [...this.list, ...fresh];
      if (fresh.length === 0 || this.list.length >= total) return;
    }
  }
}
