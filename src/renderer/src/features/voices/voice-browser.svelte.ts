import { untrack } from 'svelte';
import type { Problem } from '../../../../shared/errors.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { dependOn } from '../../lib/depend-on.ts';
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

/** Properties that voices are filtered by: those with any of the values; no value matches all voices. */
export interface VoiceFilters {
  readonly language: readonly string[];
  readonly gender: readonly string[];
  readonly category: readonly string[];
}
export type FilterName = keyof VoiceFilters | 'text' | 'favourites';

/** A filter whose removal would find voices, and how many. */
export interface FilterSuggestion {
  readonly filter: FilterName;
  readonly matches: number;
}

const open: VoiceFilters = { language: [], gender: [], category: [] };
const filterNames = Object.keys(open) as readonly (keyof VoiceFilters)[];

/** A catalogue of 20,000 voices is filtered with each key. */
function createMatcher(filters: VoiceFilters): (voice: Voice) => boolean {
  const sets = filterNames
    .filter((name) => filters[name].length > 0)
    .map((name) => ({ name, values: new Set(filters[name]) }));
  return (voice) => sets.every(({ name, values }) => values.has(voice[name]));
}

/** In ascending order of a number, which is found once for each. */
function sortedBy(voices: readonly Voice[], numberOf: (voice: Voice) => number): readonly Voice[] {
  return voices
    .map((voice) => ({ voice, number: numberOf(voice) }))
    .sort((a, b) => (a.number === b.number ? 0 : a.number - b.number))
    .map(({ voice }) => voice);
}

/** Orders of the voices. `service` is the one of the catalogue. */
export const voiceOrders = ['service', 'name', 'pitch', 'recent'] as const;
export type VoiceOrder = (typeof voiceOrders)[number];

const storageKey = 'voice-filters';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseStored(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    return isRecord(stored) ? stored : {};
  } catch {
    return {};
  }
}

function parseFilters(stored: unknown): VoiceFilters {
  const valuesOf = (name: keyof VoiceFilters): readonly string[] => {
    const values = isRecord(stored) ? stored[name] : undefined;
    return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  };
  return { language: valuesOf('language'), gender: valuesOf('gender'), category: valuesOf('category') };
}

interface Dependencies {
  /** All voices of the connection. */
  readonly all: Voices;
  readonly previews: Pick<PreviewPlayer, 'featuresOf' | 'loads'>;
  readonly i18n: I18n;
  readonly shell: Shell;
  /** Keeps the filters of each connection. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

/** The catalogue as the Voices view shows it: filtered, searched and sorted here, because a service filters by one value at most. */
export class VoiceBrowser {
  readonly #all: Voices;
  readonly #previews: Dependencies['previews'];
  readonly #i18n: I18n;
  readonly #shell: Shell;
  readonly #storage: Dependencies['storage'];
  #connectionId = $state<string | null>(null);

  readonly favourites: Favourites;
  readonly details: VoiceDetails;

  filters = $state.raw<VoiceFilters>(open);
  text = $state('');
  only = $state<'all' | 'favourites'>('all');
  order = $state<VoiceOrder>('service');
  selectedId = $state<string | null>(null);
  /** Counts the questions that were asked of the catalogue: a new one is shown from its selected voice on. */
  questions = $state(0);

  /** Sorted once and not with each key of a search: there may be 20,000. */
  readonly #sorted: readonly Voice[] = $derived.by(() => this.#ordered(this.#all.list));
  readonly shown: readonly Voice[] = $derived.by(() => {
    const found = this.#matching(this.filters, this.text);
    if (this.order === 'service' || found.length === 0) return found;
    if (found.length === this.#all.list.length) return this.#sorted;
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- never shown
    const isFound = new Set(found);
    return this.#sorted.filter((voice) => isFound.has(voice));
  });
  readonly selected: Voice | undefined = $derived(this.shown.find(({ id }) => id === this.selectedId) ?? this.shown[0]);
  /** Active filters, including text and favourites. */
  readonly active: readonly FilterName[] = $derived([
    ...filterNames.filter((name) => this.filters[name].length > 0),
    ...(this.text.trim() === '' ? [] : (['text'] as const)),
    ...(this.only === 'favourites' ? (['favourites'] as const) : []),
  ]);
  /** Which filter to remove when no voice matches: the one without which most do. */
  readonly suggestion: FilterSuggestion | undefined = $derived.by(() => {
    if (this.shown.length > 0) return undefined;
    return this.active
      .map((filter) => ({
        filter,
        matches: this.#matching(
          filter === 'text' || filter === 'favourites' ? this.filters : { ...this.filters, [filter]: [] },
          filter === 'text' ? '' : this.text,
          filter === 'favourites' ? 'all' : this.only,
        ).length,
      }))
      .filter(({ matches }) => matches > 0)
      .sort((a, b) => b.matches - a.matches)[0];
  });

  constructor(api: Api['voices'], { all, previews, i18n, shell, storage }: Dependencies) {
    this.#all = all;
    this.#previews = previews;
    this.#i18n = i18n;
    this.#shell = shell;
    this.#storage = storage;
    this.favourites = new Favourites(api);
    this.details = new VoiceDetails(api);
  }

  /** Opens the catalogue of a connection at the selected voice, with the filters that were last used there. */
  async open(connectionId: string, selectedId: string | null = null): Promise<void> {
    if (this.#connectionId !== connectionId) {
      this.#connectionId = connectionId;
      this.selectedId = selectedId;
      this.filters = parseFilters(parseStored(this.#storage.getItem(storageKey))[connectionId]);
      this.text = '';
      this.only = 'all';
      this.questions += 1;
    }
    await Promise.all([this.favourites.load(connectionId), this.#all.load(connectionId)]);
  }

  /** Loads everything again. */
  async reload(): Promise<void> {
    // Details usually failed for the same reason as the list.
    void this.details.retry();
    if (this.#connectionId !== null) await this.#all.reload(this.#connectionId);
  }

  /** Voices that have one of the values are shown. */
  setFilter(name: keyof VoiceFilters, values: readonly string[]): void {
    this.#filter({ ...this.filters, [name]: values });
  }

  setText(text: string): void {
    // Who types wants the first match; who clears the search keeps what it found.
    if (text.trim() !== '') this.selectedId = null;
    this.text = text;
    this.questions += 1;
  }

  setOnly(only: 'all' | 'favourites'): void {
    this.only = only;
    this.questions += 1;
  }

  setOrder(order: VoiceOrder): void {
    this.order = order;
    this.questions += 1;
    if (order === 'recent') void this.#all.loadPreferred();
  }

  clearFilter(filter: FilterName): void {
    if (filter === 'text') this.setText('');
    else if (filter === 'favourites') this.setOnly('all');
    else this.setFilter(filter, []);
  }

  clearFilters(): void {
    this.text = '';
    this.only = 'all';
    this.#filter(open);
  }

  /** Selects a voice, without the filters that hide it. */
  reveal(voice: Voice): void {
    if (!this.shown.includes(voice)) this.clearFilters();
    this.selectedId = voice.id;
    this.questions += 1;
  }

  /** How many voices each value of a property would show, beside all other filters. */
  countsOf(name: keyof VoiceFilters): ReadonlyMap<string, number> {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- read anew when the voices change
    const counts = new Map<string, number>();
    for (const voice of this.#all.list) counts.set(voice[name], 0);
    for (const voice of this.#matching({ ...this.filters, [name]: [] }, this.text))
      counts.set(voice[name], (counts.get(voice[name]) ?? 0) + 1);
    return counts;
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
    this.#shell.announce((this.favourites.has(id) ? favouriteAdded : favouriteRemoved)({ name }));
  }

  #filter(filters: VoiceFilters): void {
    this.filters = filters;
    this.questions += 1;
    if (this.#connectionId === null) return;
    const stored = { ...parseStored(this.#storage.getItem(storageKey)), [this.#connectionId]: filters };
    this.#storage.setItem(storageKey, JSON.stringify(stored));
  }

  #matching(filters: VoiceFilters, text: string, only = this.only): readonly Voice[] {
    const found = findVoices(this.#all.list, text, this.#i18n.t, this.#all.notes ?? {});
    const isMatch = createMatcher(filters);
    const isUnfiltered = only === 'all' && filterNames.every((name) => filters[name].length === 0);
    if (isUnfiltered) return found;
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- never shown
    const favourites = new Set(this.favourites.ids);
    return found.filter((voice) => (only === 'all' || favourites.has(voice.id)) && isMatch(voice));
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
        dependOn(this.#previews.loads);
        return untrack(() => sortedBy(voices, pitchOf));
      case 'recent':
        return sortedBy(voices, rankOf);
    }
  }
}
