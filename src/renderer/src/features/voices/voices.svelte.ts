import type { Problem } from '../../../../shared/errors.ts';
import { type Voice, voiceOfModel } from '../../../../shared/schemas/voice.ts';
import { SvelteMap } from 'svelte/reactivity';
import { type Api, toProblem } from '../../lib/api.ts';
import { debounced } from '../../lib/debounced.ts';
import { findSimilarVoice } from './similar-voice.ts';

/** Bound for a catalogue that never ends; more pages are of no use to the user. */
const maxPages = 200;
/** The maximum of the interface. */
const limit = 100;

interface VoiceLists {
  readonly voices: Pick<
    Api['voices'],
    'list' | 'findLastUsed' | 'listRecent' | 'listFavourites' | 'listNotes' | 'setNote'
  >;
  readonly models: Pick<Api['models'], 'list'>;
}

/** All voices of one connection, loaded page by page; the first can be selected while others are loading. */
export class Voices {
  readonly #api: VoiceLists;
  #connectionId: string | null = null;
  #loading: Promise<void> = Promise.resolve();

  /** The catalogue. */
  list = $state.raw<readonly Voice[]>([]);
  /** The user's own voices, which the catalogue does not list. */
  own = $state.raw<readonly Voice[]>([]);
  isLoading = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** Why own voices could not be loaded. Not shown, because a service may not have such a list. */
  ownProblem = $state.raw<Problem | null>(null);
  /** Why the service could not be reached, if voices come from the offline copy. */
  offline = $state.raw<Problem | null>(null);

  /** When the service listed them, in milliseconds since 1970; null before. */
  readAt = $state<number | null>(null);

  /** The catalogue has more voices than `list`: it was cut off, or the service returned fewer than its total. */
  hasMore = $state(false);
  #hasMoreOwn = $state(false);

  /** Own voices first, because the user created them to be used. */
  readonly all: readonly Voice[] = $derived([...this.own, ...this.list]);
  /** Ids of voices that were used last, and of favourites, as of the last `loadPreferred`. */
  recent = $state.raw<readonly string[]>([]);
  favourites = $state.raw<readonly string[]>([]);
  /** All voices, those that were used last at the top, then favourites. */
  readonly preferredFirst: readonly Voice[] = $derived.by(() => {
    if (this.recent.length === 0 && this.favourites.length === 0) return this.all;
    /* eslint-disable svelte/prefer-svelte-reactivity -- never shown */
    const byId = new Map(this.all.toReversed().map((voice) => [voice.id, voice]));
    const first = new Set([...this.recent, ...this.favourites].flatMap((id) => byId.get(id) ?? []));
    /* eslint-enable svelte/prefer-svelte-reactivity */
    return [...first, ...this.all.filter((voice) => !first.has(voice))];
  });
  /** Both lists are complete, so that a voice in neither no longer exists. */
  readonly isWhole: boolean = $derived(
    !this.isLoading && !this.hasMore && !this.#hasMoreOwn && this.problem === null && this.ownProblem === null,
  );

  /** The user's notes on voices, by id; null until they are loaded. */
  notes = $state.raw<Readonly<Record<string, string>> | null>(null);
  /** Why notes could not be loaded, or the last ones not saved. */
  noteProblem = $state.raw<Problem | null>(null);
  /** Changes that main does not have yet. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- never shown
  readonly #unsavedNotes = new Map<string, { connectionId: string; voiceId: string; text: string }>();
  readonly #saveNotesSoon = debounced(() => void this.saveNotes(), { delayMs: 400, maxDelayMs: 2000 });

  /** Voices that are gone, as they were last used, by connection and id; null if that is not known. */
  readonly #lastUsed = new SvelteMap<string, Voice | null>();

  constructor(api: VoiceLists) {
    this.#api = api;
  }

  /** True if the loaded connection certainly lacks this voice. */
  isMissing(id: string): boolean {
    return id !== '' && this.isWhole && this.offline === null && this.find(id) === undefined;
  }

  /** Looks up a missing voice for `findSimilar`, once. */
  async loadLastUsed(voiceId: string): Promise<void> {
    const connectionId = this.#connectionId;
    const key = `${connectionId} ${voiceId}`;
    if (connectionId === null || !this.isMissing(voiceId) || this.#lastUsed.has(key)) return;
    this.#lastUsed.set(key, null);
    try {
      this.#lastUsed.set(key, await this.#api.voices.findLastUsed({ connectionId, voiceId }));
    } catch {
      // Only an offer: without it the user chooses from all voices.
    }
  }

  /** The voice that is most like a missing one, which may be `known`; null if it is not missing or none is. */
  findSimilar(id: string, known?: Voice): Voice | null {
    const gone = this.isMissing(id) ? (known ?? this.#lastUsed.get(`${this.#connectionId} ${id}`)) : null;
    return gone ? findSimilarVoice(gone, this.all) : null;
  }

  /** Loads what the user used or marked lately. Only an addition: without it, the voices are in the service's order. */
  async loadPreferred(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const { listRecent, listFavourites } = this.#api.voices;
    const [recent, favourites] = await Promise.all(
      [listRecent, listFavourites].map((list) => list({ connectionId }).catch((): readonly string[] => [])),
    );
    if (this.#connectionId !== connectionId) return;
    this.recent = recent ?? [];
    this.favourites = favourites ?? [];
  }

  async #loadNotes(connectionId: string): Promise<void> {
    try {
      await this.saveNotes();
      const notes = await this.#api.voices.listNotes({ connectionId });
      if (this.#connectionId !== connectionId) return;
      this.notes = notes;
      // What main does not have yet was typed later.
      for (const note of this.#unsavedNotes.values()) {
        if (note.connectionId === connectionId) this.setNote(note.voiceId, note.text);
      }
    } catch (error) {
      if (this.#connectionId === connectionId) this.noteProblem = toProblem(error);
    }
  }

  /** Changes the note on a voice: shown and found at once, and saved when the user pauses. Blank removes it. */
  setNote(voiceId: string, text: string): void {
    const connectionId = this.#connectionId;
    if (connectionId === null || this.notes === null) return;
    const others = Object.entries(this.notes).filter(([id]) => id !== voiceId);
    this.notes = Object.fromEntries(text.trim() === '' ? others : [...others, [voiceId, text]]);
    this.#unsavedNotes.set(`${connectionId} ${voiceId}`, { connectionId, voiceId, text });
    this.#saveNotesSoon.call();
  }

  /** Saves the changed notes now. One that fails is saved with the next. */
  async saveNotes(): Promise<void> {
    this.#saveNotesSoon.cancel();
    for (const [key, note] of [...this.#unsavedNotes]) {
      try {
        await this.#api.voices.setNote(note);
        if (this.#unsavedNotes.get(key) === note) this.#unsavedNotes.delete(key);
        this.noteProblem = null;
      } catch (error) {
        this.noteProblem = toProblem(error);
      }
    }
  }

  find(id: string): Voice | undefined {
    return this.all.find((voice) => voice.id === id);
  }

  /**
   * Loads the voices of a connection, unless they are loaded or loading; a failed list, or one from the offline copy, is loaded again.
   * Resolves when they are there or `problem` has the reason.
   */
  load(connectionId: string): Promise<void> {
    const isWanted = this.isLoading || (this.problem === null && this.offline === null);
    const isCurrent = this.#connectionId === connectionId && isWanted;
    if (!isCurrent) this.#loading = this.#load(connectionId);
    return this.#loading;
  }

  /** Loads all voices again: the connection may have another service now. */
  reload(connectionId: string): Promise<void> {
    this.#loading = this.#load(connectionId);
    return this.#loading;
  }

  /** Loads the own voices again, after one was created or deleted. */
  async loadOwn(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    try {
      const own = await this.#loadOwnPages(connectionId);
      if (this.#connectionId !== connectionId) return;
      this.own = own;
      this.ownProblem = null;
    } catch (error) {
      if (this.#connectionId === connectionId) this.ownProblem = toProblem(error);
    }
  }

  async #load(connectionId: string): Promise<void> {
    const isOther = this.#connectionId !== connectionId;
    this.#connectionId = connectionId;
    if (isOther) {
      this.own = this.list = [];
      this.readAt = null;
      this.notes = null;
      this.recent = this.favourites = [];
      this.problem = this.offline = null;
    }
    this.hasMore = this.#hasMoreOwn = false;
    this.isLoading = true;
    void this.#loadNotes(connectionId);
    try {
      await this.#loadPages(connectionId);
      await this.loadOwn();
    } catch (error) {
      if (this.#connectionId === connectionId) {
        this.problem = toProblem(error);
        this.offline = null;
      }
    } finally {
      if (this.#connectionId === connectionId) this.isLoading = false;
    }
  }

  async #loadPages(connectionId: string): Promise<void> {
    // The previous list stays until the new one is longer.
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only `list` is shown
    const read = new Map<string, Voice>();
    for (let page = 0; page < maxPages; page++) {
      const answer = await this.#api.voices.list({ connectionId, page, limit, category: '', gender: '', language: '' });
      if (this.#connectionId !== connectionId) return;
      const before = read.size;
      for (const voice of answer.voices) read.set(voice.id, voice);
      if (page === 0) this.problem = this.offline = null;
      this.offline ??= answer.problem;
      this.readAt = answer.readAt;
      const isLast = read.size === before || read.size >= answer.total;
      if (isLast || read.size > this.list.length) this.list = [...read.values()];
      this.hasMore = read.size < answer.total && (isLast || page === maxPages - 1);
      if (isLast) return;
    }
  }

  async #loadOwnPages(connectionId: string): Promise<readonly Voice[]> {
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
