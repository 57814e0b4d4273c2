import type { Problem } from '../../../../shared/errors.ts';
import { type Voice, voiceOfModel } from '../../../../shared/schemas/voice.ts';
import { type Api, toProblem } from '../../lib/api.ts';

/** A catalogue that never ends is cut here: 200 pages are more than a person looks through. */
const maxPages = 200;
/** The most that the interface allows. */
const limit = 100;

interface VoiceLists {
  readonly voices: Pick<Api['voices'], 'list'>;
  readonly models: Pick<Api['models'], 'list'>;
}

/** All voices of one connection, page by page: the first can be chosen while the rest still comes. */
export class Voices {
  readonly #api: VoiceLists;
  #connectionId: string | null = null;
  #reading: Promise<void> = Promise.resolve();

  /** The catalogue. */
  list = $state.raw<readonly Voice[]>([]);
  /** The person's own voices, which are in no catalogue. */
  own = $state.raw<readonly Voice[]>([]);
  isLoading = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** Why the own voices could not be read. A service without such a list is no problem to anybody, so it is told nowhere. */
  ownProblem = $state.raw<Problem | null>(null);
  /** Why the service could not be asked, where a part of the list comes from the copy on this computer. */
  offline = $state.raw<Problem | null>(null);

  /** The catalogue is longer than `list`: it was cut, or the service told of voices that it did not give. */
  hasMore = $state(false);
  #hasMoreOwn = $state(false);

  /** Own voices first: whoever made one means to use it. */
  readonly all: readonly Voice[] = $derived([...this.own, ...this.list]);
  /** Both lists were read to their ends, so that a voice which is in neither is gone. */
  readonly isWhole: boolean = $derived(
    !this.isLoading && !this.hasMore && !this.#hasMoreOwn && this.problem === null && this.ownProblem === null,
  );

  constructor(api: VoiceLists) {
    this.#api = api;
  }

  find(id: string): Voice | undefined {
    return this.all.find((voice) => voice.id === id);
  }

  /**
   * Reads the voices of a connection; what is already read, or on its way, is kept, what failed or came from the copy is read again.
   * Resolves when they are there, or `problem` says why not.
   */
  load(connectionId: string): Promise<void> {
    const isKept = this.#connectionId === connectionId && this.problem === null && this.offline === null;
    if (!isKept) this.#reading = this.#read(connectionId);
    return this.#reading;
  }

  /** Reads them all again: the service may be another one under the same name. */
  reload(connectionId: string): Promise<void> {
    this.#reading = this.#read(connectionId);
    return this.#reading;
  }

  /** Reads the own voices again: one was made or deleted. */
  async loadOwn(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    try {
      const own = await this.#readOwn(connectionId);
      if (this.#connectionId !== connectionId) return;
      this.own = own;
      this.ownProblem = null;
    } catch (error) {
      if (this.#connectionId === connectionId) this.ownProblem = toProblem(error);
    }
  }

  async #read(connectionId: string): Promise<void> {
    const isOther = this.#connectionId !== connectionId;
    this.#connectionId = connectionId;
    if (isOther) this.own = this.list = [];
    this.hasMore = this.#hasMoreOwn = false;
    this.problem = null;
    this.offline = null;
    this.isLoading = true;
    try {
      await this.#readPages(connectionId);
      await this.loadOwn();
    } catch (error) {
      if (this.#connectionId === connectionId) this.problem = toProblem(error);
    } finally {
      if (this.#connectionId === connectionId) this.isLoading = false;
    }
  }

  async #readPages(connectionId: string): Promise<void> {
    // What is on the screen stays there until there is more to show.
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only `list` is shown
    const read = new Map<string, Voice>();
    for (let page = 0; page < maxPages; page++) {
      const answer = await this.#api.voices.list({ connectionId, page, limit, category: '', gender: '', language: '' });
      if (this.#connectionId !== connectionId) return;
      const before = read.size;
      for (const voice of answer.voices) read.set(voice.id, voice);
      this.offline ??= answer.problem;
      const isLast = read.size === before || read.size >= answer.total;
      if (isLast || read.size > this.list.length) this.list = [...read.values()];
      this.hasMore = read.size < answer.total && (isLast || page === maxPages - 1);
      if (isLast) return;
    }
  }

  async #readOwn(connectionId: string): Promise<readonly Voice[]> {
    const own: Voice[] = [];
    let hasMore = true;
    for (let page = 1; page <= maxPages; page++) {
      const { models, pages } = await this.#api.models.list({ connectionId, page, limit });
      own.push(...models.map(voiceOfModel));
      hasMore = models.length > 0 && page < pages;
      if (!hasMore) break;
    }
    if (this.#connectionId === connectionId) this.#hasMoreOwn = hasMore;
    return own;
  }
}
