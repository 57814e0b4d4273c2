import { SvelteMap } from 'svelte/reactivity';
import type { FileStatusReport, HistoryRow } from '../../../../shared/schemas/history.ts';
import type { Api } from '../../lib/api.ts';

/** The contract's limit for entries in one call. */
const maxPerCall = 100;
const maxCached = 2000;

/** Whether the files of visible rows still exist; requested each time a row scrolls into view. */
export class FileStatuses {
  readonly #getStatus: Api['history']['getFileStatus'];
  readonly #byId = new SvelteMap<string, FileStatusReport>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  #visible: ReadonlySet<string> = new Set();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  readonly #queue = new Set<string>();
  #isRequesting = false;

  constructor(getStatus: Api['history']['getFileStatus']) {
    this.#getStatus = getStatus;
  }

  of(id: string): FileStatusReport | undefined {
    return this.#byId.get(id);
  }

  /** Sets the rows that are in view. */
  setVisible(rows: readonly HistoryRow[]): void {
    const ids = rows.filter(({ state }) => state === 'done').map(({ id }) => id);
    for (const id of ids) if (!this.#visible.has(id)) this.#queue.add(id);
    // eslint-disable-next-line svelte/prefer-svelte-reactivity
    this.#visible = new Set(ids);
    void this.#request();
  }

  /** Requests the status of these again if they are visible. */
  refresh(ids: readonly string[]): void {
    for (const id of ids) if (this.#visible.has(id)) this.#queue.add(id);
    void this.#request();
  }

  async #request(): Promise<void> {
    if (this.#isRequesting) return;
    this.#isRequesting = true;
    try {
      for (let ids = this.#nextIds(); ids.length > 0; ids = this.#nextIds()) {
        // The status is optional: if the request fails, the rows show none.
        const statuses = await this.#getStatus({ ids }).catch(() => []);
        for (const status of statuses) this.#byId.set(status.id, status);
        this.#trim();
      }
    } finally {
      this.#isRequesting = false;
    }
  }

  /** Skips rows that have scrolled out of view. */
  #nextIds(): readonly string[] {
    const ids = [...this.#queue].filter((id) => this.#visible.has(id));
    this.#queue.clear();
    ids.slice(maxPerCall).forEach((id) => this.#queue.add(id));
    return ids.slice(0, maxPerCall);
  }

  #trim(): void {
    for (const id of this.#byId.keys()) {
      if (this.#byId.size <= maxCached) return;
      if (!this.#visible.has(id)) this.#byId.delete(id);
    }
  }
}
