import { AgainDraft, type AgainApi } from './again-draft.svelte.ts';
import type { Connections } from './connections.svelte.ts';
import type { HistoryDeeds } from './history-deeds.svelte.ts';
import { problemOf } from './problem-of.ts';

/** Makes one entry again with something changed: at most one form is open, and what came of it is told where other deeds are. */
export class SameAgain {
  readonly #api: AgainApi;
  readonly #connections: Connections;
  readonly #deeds: HistoryDeeds;
  #asked = 0;

  draft = $state.raw<AgainDraft | null>(null);

  constructor(api: AgainApi, connections: Connections, deeds: HistoryDeeds) {
    this.#api = api;
    this.#connections = connections;
    this.#deeds = deeds;
  }

  async open(id: string): Promise<void> {
    const asked = ++this.#asked;
    this.#deeds.problem = null;
    try {
      const detail = await this.#api.history.detail({ id });
      if (asked === this.#asked) this.draft = new AgainDraft(this.#api, this.#connections, detail);
    } catch (error) {
      if (asked === this.#asked) this.#deeds.problem = problemOf(error);
    }
  }

  close(): void {
    this.#asked++;
    this.draft = null;
  }

  /** Closes the form once its job is in the queue. Where the person has closed it before, what came of it is told all the same. */
  async send(): Promise<void> {
    const { draft } = this;
    if (!draft) return;
    const isChanged = Object.keys(draft.changes).length > 0;
    const isSent = await draft.send();
    if (isSent) this.#deeds.outcome = { kind: 'again', added: 1, left: 0, first: null, isChanged };
    else if (this.draft !== draft) this.#deeds.problem = draft.problem;
    if (isSent && this.draft === draft) this.draft = null;
  }
}
