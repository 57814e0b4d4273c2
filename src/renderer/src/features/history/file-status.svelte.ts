import { SvelteMap } from 'svelte/reactivity';
import type { FileStatusReport, HistoryRow } from '../../../../shared/schemas/history.ts';
import type { Api } from '../../lib/api.ts';

/** The contract's limit for one look. */
const maxAtOnce = 100;
const maxKept = 2000;

/** Whether the files of shown rows are where they were: asked once each time that a row comes into view. */
export class FileStatuses {
  readonly #look: Api['history']['getFileStatus'];
  readonly #looks = new SvelteMap<string, FileStatusReport>();
  // Not state: only the answers are shown.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #shown: ReadonlySet<string> = new Set();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #waiting = new Set<string>();
  #isAsking = false;

  constructor(look: Api['history']['getFileStatus']) {
    this.#look = look;
  }

  of(id: string): FileStatusReport | undefined {
    return this.#looks.get(id);
  }

  /** These rows are in view now, and no others. */
  show(rows: readonly HistoryRow[]): void {
    const ids = rows.filter(({ state }) => state === 'done').map(({ id }) => id);
    for (const id of ids) if (!this.#shown.has(id)) this.#waiting.add(id);
    // eslint-disable-next-line svelte/prefer-svelte-reactivity
    this.#shown = new Set(ids);
    void this.#ask();
  }

  /** What is known of these may be wrong by now. */
  askAgain(ids: readonly string[]): void {
    for (const id of ids) if (this.#shown.has(id)) this.#waiting.add(id);
    void this.#ask();
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (let ids = this.#next(); ids.length > 0; ids = this.#next()) {
        // A look is a favour to whoever reads the row: without an answer it says nothing about its files.
        const looks = await this.#look({ ids }).catch(() => []);
        for (const look of looks) this.#looks.set(look.id, look);
        this.#forget();
      }
    } finally {
      this.#isAsking = false;
    }
  }

  /** What passed by while the list was dragged is not asked about. */
  #next(): readonly string[] {
    const ids = [...this.#waiting].filter((id) => this.#shown.has(id));
    this.#waiting.clear();
    ids.slice(maxAtOnce).forEach((id) => this.#waiting.add(id));
    return ids.slice(0, maxAtOnce);
  }

  #forget(): void {
    for (const id of this.#looks.keys()) {
      if (this.#looks.size <= maxKept) return;
      if (!this.#shown.has(id)) this.#looks.delete(id);
    }
  }
}
