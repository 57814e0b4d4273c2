import type { Problem } from '../../../../shared/errors.ts';
import type { HistoryDetail } from '../../../../shared/schemas/history.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';

/** The details of the selected entry. */
export class HistoryEntry {
  readonly #detail: Api['history']['detail'];
  readonly #begin = createLatest();

  id = $state<string | null>(null);
  detail = $state.raw<HistoryDetail | null>(null);
  /** Why `detail` could not be loaded. */
  problem = $state.raw<Problem | null>(null);

  constructor(detail: Api['history']['detail']) {
    this.#detail = detail;
  }

  async show(id: string | null): Promise<void> {
    if (id === this.id && this.problem === null) return;
    this.id = id;
    this.detail = this.problem = null;
    await this.reload();
  }

  /** Keeps showing the current details until the reply arrives. */
  async reload(): Promise<void> {
    const isLatest = this.#begin();
    const { id } = this;
    if (id === null) return;
    try {
      const detail = await this.#detail({ id });
      if (!isLatest()) return;
      this.detail = detail;
      this.problem = null;
    } catch (error) {
      if (isLatest()) this.problem = toProblem(error);
    }
  }
}
