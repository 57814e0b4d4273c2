import { untrack } from 'svelte';
import type { Problem } from '../../../../shared/errors.ts';
import type { CataloguePage, Voice, VoiceFilters } from '../../../../shared/schemas/voice.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import type { I18n } from '../../lib/i18n.svelte.ts';
import type { Shell } from '../../lib/shell.svelte.ts';
import { VoiceDetails } from './voice-details.svelte.ts';
import { findVoices } from './voice-search.ts';
import type { PreviewPlayer } from './preview-player.svelte.ts';
import type { Voices } from './voices.svelte.ts';

/** The user's favourite voices of one connection. A change shows at once and then follows main. */
export class Favourites {
  readonly #api: Pick<Api['voices'], 'listFavourites' | 'setFavourite'>;
  #connectionId: string | null = null;
  readonly #beginChange = createLatest();

  ids = $state.raw<readonly string[]>([]);
  /** Why favourites could not be loaded, or the last change not saved. */
  problem = $state.raw<Problem | null>(null);

  constructor(api: Pick<Api['voices'], 'listFavourites' | 'setFavourite'>) {
    this.#api = api;
  }

  has(voiceId: string): boolean {
    return this.ids.includes(voiceId);
  }

  async load(connectionId: string): Promise<void> {
    if (this.#connectionId !== connectionId) this.ids = [];
    this.#connectionId = connectionId;
    await this.#apply(this.#api.listFavourites({ connectionId }));
  }

  async toggle(voiceId: string): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const before = this.ids;
    const isFavourite = !before.includes(voiceId);
    this.ids = isFavourite ? [...before, voiceId] : before.filter((id) => id !== voiceId);
    if (!(await this.#apply(this.#api.setFavourite({ connectionId, voiceId, isFavourite })))) this.ids = before;
  }

  /** Applies the response unless a later request was sent. Returns false if it failed. */
  async #apply(response: Promise<readonly string[]>): Promise<boolean> {
    const isLatest = this.#beginChange();
    try {
      const ids = await response;
      if (!isLatest()) return true;
      this.ids = ids;
      this.problem = null;
      return true;
    } catch (error) {
      if (!isLatest()) return true;
      this.problem = toProblem(error);
      return false;
    }
  }
}

export const pageSizes = [24, 50, 100] as const;
export type FilterName = keyof VoiceFilters | 'text' | 'favourites';

/** A filter whose removal would find voices, and how many. */
export interface FilterSuggestion {
  readonly filter: FilterName;
  readonly matches: number;
}

const open: VoiceFilters = { category: '', gender: '', language: '' };
const filterNames = Object.keys(open) as readonly (keyof VoiceFilters)[];

const matchesFilters = (voice: Voice, filters: VoiceFilters): boolean =>
  filterNames.every((name) => filters[name] === '' || voice[name] === filters[name]);

/** In ascending order of a number, which is found once for each. */
function sortedBy(voices: readonly Voice[], numberOf: (voice: Voice) => number): readonly Voice[] {
  return voices
    .map((voice) => ({ voice, number: numberOf(voice) }))
    .sort((a, b) => (a.number === b.number ? 0 : a.number - b.number))
    .map(({ voice }) => voice);
}

/** The suggestion with the most matches; undefined if no suggestion has a match. */
const best = (suggestions: readonly FilterSuggestion[]): FilterSuggestion | undefined =>
  suggestions.filter(({ matches }) => matches > 0).sort((a, b) => b.matches - a.matches)[0];

/** Orders of the voices. `service` is the one of the catalogue. */
export const voiceOrders = ['service', 'name', 'pitch', 'recent'] as const;
export type VoiceOrder = (typeof voiceOrders)[number];

interface Dependencies {
  /** All voices of the connection. */
  readonly all: Voices;
  readonly previews: Pick<PreviewPlayer, 'featuresOf' | 'observeLoads'>;
  readonly i18n: I18n;
  readonly shell: Shell;
}

/**
 * The catalogue as the Voices view shows it. The service filters by language, gender and category, page by page; text and favourites,
 * which it cannot filter by, are matched in the loaded voices.
 */
export class VoiceBrowser {
  readonly #api: Api['voices'];
  readonly #all: Voices;
  readonly #previews: Dependencies['previews'];
  readonly #i18n: I18n;
  readonly #shell: Shell;
  #connectionId = $state<string | null>(null);
  readonly #beginRequest = createLatest();
  /** The query that `answer` belongs to. */
  #answeredQuery = '';

  readonly favourites: Favourites;
  readonly details: VoiceDetails;

  filters = $state.raw<VoiceFilters>(open);
  text = $state('');
  only = $state<'all' | 'favourites'>('all');
  order = $state<VoiceOrder>('service');
  /** Starts at 0. */
  page = $state(0);
  limit = $state<number>(50);
  answer = $state.raw<CataloguePage | null>(null);
  isLoading = $state(false);
  problem = $state.raw<Problem | null>(null);
  selectedId = $state<string | null>(null);
  #serviceSuggestion = $state.raw<FilterSuggestion | undefined>(undefined);

  /** Filtered here and not by the service. */
  readonly isLocal: boolean = $derived(
    this.text.trim() !== '' || this.only === 'favourites' || this.order !== 'service',
  );
  /** Sorted once and not with each key of a search: there may be 20,000. */
  readonly #sorted: readonly Voice[] = $derived.by(() => this.#ordered(this.#all.list));
  readonly #found: readonly Voice[] = $derived.by(() => {
    if (!this.isLocal) return [];
    const found = this.#matching(this.filters, this.text);
    if (this.order === 'service') return found;
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- never shown
    const isFound = new Set(found);
    return this.#sorted.filter((voice) => isFound.has(voice));
  });
  /** A service may return fewer voices than requested. */
  readonly pageSize: number = $derived((!this.isLocal && this.answer?.limit) || this.limit);
  readonly total: number = $derived(this.isLocal ? this.#found.length : (this.answer?.total ?? 0));
  readonly pages: number = $derived(Math.max(1, Math.ceil(this.total / this.pageSize)));
  readonly shown: readonly Voice[] = $derived.by(() =>
    this.isLocal
      ? this.#found.slice(this.page * this.limit, (this.page + 1) * this.limit)
      : (this.answer?.voices ?? []),
  );
  readonly selected: Voice | undefined = $derived(this.shown.find(({ id }) => id === this.selectedId) ?? this.shown[0]);
  /** Active filters, including text and favourites. */
  readonly active: readonly FilterName[] = $derived([
    ...filterNames.filter((name) => this.filters[name] !== ''),
    ...(this.text.trim() === '' ? [] : (['text'] as const)),
    ...(this.only === 'favourites' ? (['favourites'] as const) : []),
  ]);
  /** Which filter to remove when no voice matches. */
  readonly suggestion: FilterSuggestion | undefined = $derived.by(() => {
    if (this.shown.length > 0) return undefined;
    if (!this.isLocal) return this.#serviceSuggestion;
    return best(
      this.active.map((filter) => ({
        filter,
        matches: this.#matching(
          filter === 'text' || filter === 'favourites' ? this.filters : { ...this.filters, [filter]: '' },
          filter === 'text' ? '' : this.text,
          filter === 'favourites' ? 'all' : this.only,
        ).length,
      })),
    );
  });

  constructor(api: Api['voices'], { all, previews, i18n, shell }: Dependencies) {
    this.#api = api;
    this.#all = all;
    this.#previews = previews;
    this.#i18n = i18n;
    this.#shell = shell;
    this.favourites = new Favourites(api);
    this.details = new VoiceDetails(api);
  }

  /** Opens the catalogue of a connection at the selected voice; filters of another connection are cleared. */
  async open(connectionId: string, selectedId: string | null = null): Promise<void> {
    if (this.#connectionId !== connectionId) {
      this.#connectionId = connectionId;
      this.#answeredQuery = '';
      this.answer = null;
      this.selectedId = selectedId;
      this.filters = open;
      this.text = '';
      this.only = 'all';
      this.page = 0;
    }
    await Promise.all([this.favourites.load(connectionId), this.#load()]);
  }

  /** Forgets a connection whose service or token has changed, so that it is loaded again when it is opened. */
  forget(connectionId: string): void {
    if (this.#connectionId === connectionId) this.#connectionId = null;
  }

  /** Loads everything again. */
  async reload(): Promise<void> {
    this.#answeredQuery = '';
    if (this.#connectionId !== null) void this.#all.reload(this.#connectionId);
    // Details usually failed for the same reason as the list.
    void this.details.retry();
    await this.#load();
  }

  setFilter(name: keyof VoiceFilters, value: string): Promise<void> {
    this.filters = { ...this.filters, [name]: value };
    return this.showPage(0);
  }

  setText(text: string): Promise<void> {
    this.text = text;
    return this.showPage(0);
  }

  setOnly(only: 'all' | 'favourites'): Promise<void> {
    this.only = only;
    return this.showPage(0);
  }

  setOrder(order: VoiceOrder): Promise<void> {
    this.order = order;
    if (order === 'recent') void this.#all.loadPreferred();
    return this.showPage(0);
  }

  setLimit(limit: number): Promise<void> {
    this.limit = limit;
    return this.showPage(0);
  }

  showPage(page: number): Promise<void> {
    this.page = page;
    return this.#load();
  }

  clearFilter(filter: FilterName): Promise<void> {
    if (filter === 'text') return this.setText('');
    return filter === 'favourites' ? this.setOnly('all') : this.setFilter(filter, '');
  }

  clearFilters(): Promise<void> {
    this.filters = open;
    this.text = '';
    this.only = 'all';
    return this.showPage(0);
  }

  /** Toggles the selected voice as a favourite and announces it. Returns false if no voice is selected. */
  toggleFavourite(): boolean {
    const { selected } = this;
    if (!selected) return false;
    void this.#toggleFavourite(selected);
    return true;
  }

  async #toggleFavourite({ id, name }: Voice): Promise<void> {
    await this.favourites.toggle(id);
    const { favouriteAdded, favouriteRemoved } = this.#i18n.t.voices;
    this.#shell.announce((this.favourites.has(id) ? favouriteAdded : favouriteRemoved)(name));
  }

  #matching(filters: VoiceFilters, text: string, only = this.only): readonly Voice[] {
    return findVoices(this.#all.list, text, this.#i18n.t).filter(
      (voice) => (only === 'all' || this.favourites.has(voice.id)) && matchesFilters(voice, filters),
    );
  }

  /**
   * Voices without a pitch were never heard, and come last. They stay there until the view is opened again: a voice must not leave the
   * focus when it is heard.
   */
  #ordered(voices: readonly Voice[]): readonly Voice[] {
    const id = this.#connectionId;
    const { compare } = new Intl.Collator(this.#i18n.t.language, { numeric: true });
    const pitchOf = (voice: Voice): number =>
      (id === null ? null : this.#previews.featuresOf({ id }, voice.id)?.f0Hz) ?? Infinity;
    const { recent } = this.#all;
    const rankOf = ({ id: voiceId }: Voice): number => (recent.includes(voiceId) ? recent.indexOf(voiceId) : Infinity);
    switch (this.order) {
      case 'service':
        return voices;
      case 'name':
        return voices.toSorted((a, b) => compare(a.name, b.name));
      case 'pitch':
        this.#previews.observeLoads();
        return untrack(() => sortedBy(voices, pitchOf));
      case 'recent':
        return sortedBy(voices, rankOf);
    }
  }

  async #load(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null || this.isLocal) return;
    const query = { connectionId, page: this.page, limit: this.limit, ...this.filters };
    const key = JSON.stringify(query);
    const isLatest = this.#beginRequest();
    if (key === this.#answeredQuery) {
      this.isLoading = false;
      return;
    }
    this.isLoading = true;
    this.problem = null;
    this.#serviceSuggestion = undefined;
    try {
      const answer = await this.#api.list(query);
      const suggestion = answer.total === 0 ? await this.#findSuggestion(connectionId, query) : undefined;
      if (!isLatest()) return;
      if (answer.voices.length === 0 && answer.total > 0 && query.page > 0) {
        // The catalogue has become shorter, so its last page is an earlier one.
        await this.showPage(Math.min(query.page - 1, Math.ceil(answer.total / (answer.limit || query.limit)) - 1));
        return;
      }
      this.answer = answer;
      this.#serviceSuggestion = suggestion;
      // Voices from the offline copy are requested again next time.
      this.#answeredQuery = answer.problem === null ? key : '';
    } catch (error) {
      if (!isLatest()) return;
      this.answer = null;
      this.#answeredQuery = '';
      this.problem = toProblem(error);
    }
    this.isLoading = false;
  }

  /** Asks the service how many voices match without each filter; filters for which it fails are ignored. */
  async #findSuggestion(connectionId: string, filters: VoiceFilters): Promise<FilterSuggestion | undefined> {
    const active = filterNames.filter((name) => filters[name] !== '');
    const suggestions = await Promise.allSettled(
      active.map(async (filter) => {
        const { category, gender, language }: VoiceFilters = { ...filters, ...{ [filter]: '' } };
        const { total } = await this.#api.list({ connectionId, page: 0, limit: 1, category, gender, language });
        return { filter, matches: total };
      }),
    );
    return best(suggestions.flatMap((suggestion) => (suggestion.status === 'fulfilled' ? [suggestion.value] : [])));
  }
}
