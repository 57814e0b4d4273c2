import { AppError, type Problem } from '../../../../shared/errors.ts';
import type { LocaleFormat } from '../../../../shared/messages/locale-format.ts';
import type { Model, ModelPage } from '../../../../shared/schemas/voice.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';

/** Models per page. */
export const modelsPerPage = 20;

/** The result of the last deletion. `not-found`: the service had no model of this name any more. */
export interface Deletion {
  readonly outcome: 'deleted' | 'not-found';
  readonly name: string;
}

/** The message of the interface for an unknown model name (operation 8); services differ in its HTTP status. */
const isUnknownName = (error: unknown): boolean =>
  error instanceof AppError && /^Invalid model name\b/i.test(error.problem.words ?? '');

/** The day a model was created; the service's own text if it is no date. */
export function creationDay(creationDate: string, format: LocaleFormat): string {
  const at = Date.parse(creationDate);
  return Number.isNaN(at) ? creationDate : format.date(at);
}

/** The user's own voices of one connection, page by page, and the commands on them. */
export class Models {
  readonly #api: Api['models'];
  readonly #onChanged: () => Promise<void>;
  #connectionId: string | null = null;
  readonly #beginRead = createLatest();

  currentPage = $state.raw<ModelPage | null>(null);
  isLoading = $state(false);
  /** Why the page could not be read. */
  problem = $state.raw<Problem | null>(null);
  /** From 1. */
  page = $state(1);
  selectedId = $state<string | null>(null);
  isDeleting = $state(false);
  deletion = $state.raw<Deletion | null>(null);
  isCreating = $state(false);
  /** Why the last deletion or creation failed. */
  failure = $state.raw<Problem | null>(null);

  readonly list: readonly Model[] = $derived(this.currentPage?.models ?? []);
  readonly pages: number = $derived(Math.max(1, this.currentPage?.pages ?? 1));
  readonly selected: Model | undefined = $derived(this.list.find(({ id }) => id === this.selectedId) ?? this.list[0]);

  /** `onChanged` reloads the other lists that contain own voices. */
  constructor(api: Api['models'], onChanged: () => Promise<void>) {
    this.#api = api;
    this.#onChanged = onChanged;
  }

  async open(connectionId: string): Promise<void> {
    if (this.#connectionId !== connectionId) {
      this.#connectionId = connectionId;
      this.currentPage = this.deletion = this.failure = this.problem = null;
      this.selectedId = null;
      this.page = 1;
    }
    await this.#read();
  }

  reload(): Promise<void> {
    this.deletion = this.failure = null;
    return this.#read();
  }

  goTo(page: number): Promise<void> {
    this.page = page;
    return this.#read();
  }

  /**
   * Deletes all models of a name; `count` of them are listed. The service deletes by name, either one model or all, so the call is
   * repeated until the service finds none. Says nothing once another connection is open.
   */
  async remove(name: string, count: number): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const index = this.list.findIndex((model) => model.name === name);
    this.isDeleting = true;
    this.deletion = this.failure = null;
    let deleted = 0;
    let deletion: Deletion | null = null;
    let failure: Problem | null = null;
    try {
      for (; deleted < count; deleted++) await this.#api.remove({ connectionId, name });
      deletion = { outcome: 'deleted', name };
    } catch (error) {
      if (isUnknownName(error)) deletion = { outcome: deleted > 0 ? 'deleted' : 'not-found', name };
      else failure = toProblem(error);
    }
    await Promise.all([this.#read(), this.#onChanged()]);
    this.isDeleting = false;
    if (this.#connectionId !== connectionId) return;
    this.deletion = deletion;
    this.failure = failure;
    // Selects the neighbour of the deleted model.
    if (deletion) this.selectedId = (this.list[index] ?? this.list[index - 1])?.id ?? null;
  }

  /** Returns whether a voice was created; false if the user cancelled the dialog, or with `failure` set. */
  async create(name: string, languageCode: string): Promise<boolean> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return false;
    const isOpen = () => this.#connectionId === connectionId;
    this.isCreating = true;
    this.failure = null;
    try {
      const created = await this.#api.create({ connectionId, name, languageCode });
      if (created === null) return false;
      if (isOpen()) {
        this.page = 1;
        this.deletion = null;
      }
      await Promise.all([this.#read(), this.#onChanged()]);
      if (isOpen()) this.selectedId = created.modelId;
      return true;
    } catch (error) {
      if (isOpen()) this.failure = toProblem(error);
      return false;
    } finally {
      this.isCreating = false;
    }
  }

  async #read(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const isLatest = this.#beginRead();
    this.isLoading = true;
    try {
      const reply = await this.#api.list({ connectionId, page: this.page, limit: modelsPerPage });
      if (!isLatest()) return;
      if (reply.models.length === 0 && this.page > 1) {
        // The last model of the page was deleted.
        await this.goTo(Math.max(1, Math.min(this.page - 1, reply.pages)));
        return;
      }
      this.currentPage = reply;
      this.problem = null;
    } catch (error) {
      if (!isLatest()) return;
      this.currentPage = null;
      this.problem = toProblem(error);
    }
    this.isLoading = false;
  }
}
