import type { CopyStatus } from '../../../../shared/schemas/copies.ts';
import type { CopySettings } from '../../../../shared/schemas/settings.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** Timbre's own copies of results: how many there are, and what the user does with them. */
export class CopiesState extends ActionState {
  readonly #api: Api['copies'];
  #loading: Promise<void> | null = null;
  #isStale = false;

  /** Null until it was loaded. */
  status = $state.raw<CopyStatus | null>(null);

  constructor(api: Api['copies']) {
    super();
    this.#api = api;
  }

  /** Called when the form opens. Returns a function to call when it closes. */
  open(): () => void {
    void this.#load();
    return this.#api.onChanged(() => void this.#load());
  }

  async update(change: Omit<CopySettings, 'since'>): Promise<void> {
    await this.attempt(() => this.#api.update(change));
  }

  /** Returns whether it has begun. */
  async copyExisting(): Promise<boolean> {
    return (await this.attempt(() => this.#api.copyExisting().then(() => true))) ?? false;
  }

  async removeAll(): Promise<void> {
    await this.attempt(() => this.#api.removeAll());
    await this.#load();
  }

  async reveal(): Promise<void> {
    await this.attempt(() => this.#api.reveal());
  }

  /** One request at a time: while many results are copied, each is a change. */
  #load(): Promise<void> {
    this.#isStale = true;
    return (this.#loading ??= this.#loadUntilCurrent());
  }

  async #loadUntilCurrent(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        this.status = await this.#api.status();
      }
    } catch (error) {
      // The last known state stays; the form shows why it is not current.
      await this.attempt(() => Promise.reject(error as Error));
    } finally {
      this.#loading = null;
    }
  }
}
