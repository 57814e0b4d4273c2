import { AppError, type Problem } from '../../../../shared/errors.ts';
import type { Model, ModelPage } from '../../../../shared/schemas/voice.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';

/** Models on a page. */
export const modelsPerPage = 20;

/** What became of the last deletion. `gone`: the service knew of none of this name any more. */
export interface Deletion {
  readonly outcome: 'deleted' | 'gone';
  readonly name: string;
}

/** The interface's own words for a model that there is none of (operation 8); services differ in the status that they give them. */
const isUnknownName = (error: unknown): boolean =>
  error instanceof AppError && /^Invalid model name\b/i.test(error.problem.words ?? '');

/** A person's own voices at one connection, page by page, and what is done with them. */
export class Models {
  readonly #api: Api['models'];
  readonly #onChanged: () => Promise<void>;
  #connectionId: string | null = null;
  readonly #beginRead = createLatest();

  answer = $state.raw<ModelPage | null>(null);
  isLoading = $state(false);
  /** Why there is no list. */
  problem = $state.raw<Problem | null>(null);
  /** From 1. */
  page = $state(1);
  selectedId = $state<string | null>(null);
  isDeleting = $state(false);
  deletion = $state.raw<Deletion | null>(null);
  isMaking = $state(false);
  /** Why the last deletion, or the last voice from a recording, came to nothing. */
  failure = $state.raw<Problem | null>(null);

  readonly list: readonly Model[] = $derived(this.answer?.models ?? []);
  readonly pages: number = $derived(Math.max(1, this.answer?.pages ?? 1));
  readonly selected: Model | undefined = $derived(this.list.find(({ id }) => id === this.selectedId) ?? this.list[0]);

  /** `onChanged` reads the lists again in which own voices are offered. */
  constructor(api: Api['models'], onChanged: () => Promise<void>) {
    this.#api = api;
    this.#onChanged = onChanged;
  }

  async open(connectionId: string): Promise<void> {
    if (this.#connectionId !== connectionId) {
      this.#connectionId = connectionId;
      this.answer = this.deletion = this.failure = null;
      this.selectedId = null;
      this.page = 1;
    }
    await this.#read();
  }

  readAgain(): Promise<void> {
    this.deletion = this.failure = null;
    return this.#read();
  }

  goTo(page: number): Promise<void> {
    this.page = page;
    return this.#read();
  }

  /**
   * Deletes every model of a name: `count` of them, as far as is known. The service deletes by name and may take one of several or all,
   * so it is asked again until it knows of no more.
   */
  async remove(name: string, count: number): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const index = this.list.findIndex((model) => model.name === name);
    this.isDeleting = true;
    this.deletion = this.failure = null;
    let deleted = 0;
    try {
      for (; deleted < count; deleted++) await this.#api.remove({ connectionId, name });
      this.deletion = { outcome: 'deleted', name };
    } catch (error) {
      if (isUnknownName(error)) this.deletion = { outcome: deleted > 0 ? 'deleted' : 'gone', name };
      else this.failure = toProblem(error);
    }
    await Promise.all([this.#read(), this.#onChanged()]);
    this.isDeleting = false;
    // The neighbour takes the place of what is gone.
    if (this.deletion) this.selectedId = (this.list[index] ?? this.list[index - 1])?.id ?? null;
  }

  /** True where a voice was made; false where the person thought better of it, or `failure` says why not. */
  async create(name: string, languageCode: string): Promise<boolean> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return false;
    this.isMaking = true;
    this.failure = null;
    try {
      const made = await this.#api.create({ connectionId, name, languageCode });
      if (made === null) return false;
      this.page = 1;
      this.deletion = null;
      await Promise.all([this.#read(), this.#onChanged()]);
      this.selectedId = made.modelId;
      return true;
    } catch (error) {
      this.failure = toProblem(error);
      return false;
    } finally {
      this.isMaking = false;
    }
  }

  async #read(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const isLatest = this.#beginRead();
    this.isLoading = true;
    this.problem = null;
    try {
      const answer = await this.#api.list({ connectionId, page: this.page, limit: modelsPerPage });
      if (!isLatest()) return;
      if (answer.models.length === 0 && this.page > 1) {
        // The page went with its last model.
        await this.goTo(Math.max(1, Math.min(this.page - 1, answer.pages)));
        return;
      }
      this.answer = answer;
    } catch (error) {
      if (!isLatest()) return;
      this.answer = null;
      this.problem = toProblem(error);
    }
    this.isLoading = false;
  }
}
