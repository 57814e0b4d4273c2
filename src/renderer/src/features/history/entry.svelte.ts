import type { Problem } from '../../../../shared/errors.ts';
import type { HistoryDetail } from '../../../../shared/schemas/history.ts';
import { type Api, toProblem } from '../../lib/api.ts';

/** Everything about the entry that is looked at. */
export class HistoryEntry {
  readonly #detail: Api['history']['detail'];
  #asked = 0;

  id = $state<string | null>(null);
  detail = $state.raw<HistoryDetail | null>(null);
  /** Why there is no detail. */
  problem = $state.raw<Problem | null>(null);

  constructor(detail: Api['history']['detail']) {
    this.#detail = detail;
  }

  async show(id: string | null): Promise<void> {
    if (id === this.id && this.problem === null) return;
    this.id = id;
    this.detail = null;
    await this.readAgain();
  }

  /** What is shown stays until the answer is here. */
  async readAgain(): Promise<void> {
    const asked = ++this.#asked;
    const { id } = this;
    this.problem = null;
    if (id === null) return;
    try {
      const detail = await this.#detail({ id });
      if (asked === this.#asked) this.detail = detail;
    } catch (error) {
      if (asked === this.#asked) this.problem = toProblem(error);
    }
  }
}
