import type { DiskResults } from '../../../../shared/schemas/history.ts';
import { ActionState, createLatest } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

interface LargestResultsApi {
  readonly history: Pick<Api['history'], 'largestResults'>;
  readonly jobs: Pick<Api['jobs'], 'reveal'>;
}

/** The dialog with the largest results on each disk, for a disk that is full. */
export class LargestResults extends ActionState {
  readonly #api: LargestResultsApi;
  readonly #begin = createLatest();

  isOpen = $state(false);
  /** The fullest disk first; null while they are being looked up. */
  disks = $state.raw<readonly DiskResults[] | null>(null);

  constructor(api: LargestResultsApi) {
    super();
    this.#api = api;
  }

  async open(): Promise<void> {
    const isLatest = this.#begin();
    this.isOpen = true;
    this.disks = null;
    await this.attempt(async () => {
      const disks = await this.#api.history.largestResults();
      if (isLatest()) this.disks = disks;
    });
  }

  close(): void {
    this.#begin();
    this.isOpen = false;
  }

  /** Shows a result in the system's file manager, where it can be moved or deleted. */
  reveal(id: string): Promise<void> {
    return this.attempt(() => this.#api.jobs.reveal({ id, which: 'result' }));
  }
}
