import type { Problem } from '../../../shared/problem.ts';
import type { Api } from '../api.ts';
import { problemOf } from './problem-of.ts';

/** The voices of one connection that the person marked. A mark shows at once; what main answers is the truth. */
export class Favourites {
  readonly #api: Pick<Api['voices'], 'favourites' | 'setFavourite'>;
  #connectionId: string | null = null;
  #changes = 0;

  ids = $state.raw<readonly string[]>([]);
  /** Why marks could not be read, or the last one not be kept. */
  problem = $state.raw<Problem | null>(null);

  constructor(api: Pick<Api['voices'], 'favourites' | 'setFavourite'>) {
    this.#api = api;
  }

  has(voiceId: string): boolean {
    return this.ids.includes(voiceId);
  }

  async load(connectionId: string): Promise<void> {
    if (this.#connectionId !== connectionId) this.ids = [];
    this.#connectionId = connectionId;
    await this.#follow(this.#api.favourites({ connectionId }));
  }

  async toggle(voiceId: string): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const before = this.ids;
    const isFavourite = !before.includes(voiceId);
    this.ids = isFavourite ? [...before, voiceId] : before.filter((id) => id !== voiceId);
    if (!(await this.#follow(this.#api.setFavourite({ connectionId, voiceId, isFavourite })))) this.ids = before;
  }

  /** Takes the answer, unless another change was made since it was asked for. False where the wish failed. */
  async #follow(answer: Promise<readonly string[]>): Promise<boolean> {
    const change = ++this.#changes;
    try {
      const ids = await answer;
      if (change !== this.#changes) return true;
      this.ids = ids;
      this.problem = null;
      return true;
    } catch (error) {
      if (change !== this.#changes) return true;
      this.problem = problemOf(error);
      return false;
    }
  }
}
