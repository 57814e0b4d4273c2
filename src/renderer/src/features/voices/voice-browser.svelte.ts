import type { Problem } from '../../../../shared/errors.ts';
import type { CataloguePage, Voice, VoiceFilters } from '../../../../shared/schemas/voice.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import type { I18n } from '../../lib/i18n.svelte.ts';
import type { Shell } from '../../lib/shell.svelte.ts';
import { VoiceDetails } from './voice-details.svelte.ts';
import { findVoices } from './voice-labels.ts';
import type { Voices } from './voices.svelte.ts';

/** The voices of one connection that the person marked. A mark shows at once; what main answers is the truth. */
export class Favourites {
  readonly #api: Pick<Api['voices'], 'listFavourites' | 'setFavourite'>;
  #connectionId: string | null = null;
  readonly #beginChange = createLatest();

  ids = $state.raw<readonly string[]>([]);
  /** Why marks could not be read, or the last one not be kept. */
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
    await this.#follow(this.#api.listFavourites({ connectionId }));
  }

  async toggle(voiceId: string): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const before = this.ids;
    const isFavourite = !before.includes(voiceId);
    this.ids = isFavourite ? [...before, voiceId] : before.filter((id) => id !== voiceId);
    if (!(await this.#follow(this.#api.setFavourite({ connectionId, voiceId, isFavourite })))) this.ids = before;
  }

  /** Takes the answer, unless another change was made since it was asked for. False where the wish failed. */
  async #follow(answer: Promise<readonly string[]>): Promise<boolean> {
    const isLatest = this.#beginChange();
    try {
      const ids = await answer;
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

/** What a person could let go of, and how many voices would fit then. */
export interface Drop {
  readonly filter: FilterName;
  readonly fits: number;
}

const open: VoiceFilters = { category: '', gender: '', language: '' };
const filterNames = Object.keys(open) as readonly (keyof VoiceFilters)[];

const fitsFilters = (voice: Voice, filters: VoiceFilters): boolean =>
  filterNames.every((name) => filters[name] === '' || voice[name] === filters[name]);

/** The one that lets most in again; undefined where none lets anything in. */
const best = (drops: readonly Drop[]): Drop | undefined =>
  drops.filter(({ fits }) => fits > 0).sort((a, b) => b.fits - a.fits)[0];

interface Dependencies {
  /** Every voice of the connection. */
  readonly all: Voices;
  readonly i18n: I18n;
  readonly shell: Shell;
}

/**
 * What a person looks at in the catalogue. Language, gender and category are asked of the service, page by page; words and favourites,
 * which it knows nothing of, are looked for in what was loaded of it.
 */
export class VoiceBrowser {
  readonly #api: Api['voices'];
  readonly #all: Voices;
  readonly #i18n: I18n;
  readonly #shell: Shell;
  #connectionId: string | null = null;
  readonly #beginRequest = createLatest();
  /** What `answer` is the answer to. */
  #answered = '';

  readonly favourites: Favourites;
  readonly details: VoiceDetails;

  filters = $state.raw<VoiceFilters>(open);
  text = $state('');
  only = $state<'all' | 'favourites'>('all');
  /** From 0. */
  page = $state(0);
  limit = $state<number>(50);
  answer = $state.raw<CataloguePage | null>(null);
  isLoading = $state(false);
  problem = $state.raw<Problem | null>(null);
  selectedId = $state<string | null>(null);
  #servicesDrop = $state.raw<Drop | undefined>(undefined);

  /** Looked for here and not at the service. */
  readonly isLocal: boolean = $derived(this.text.trim() !== '' || this.only === 'favourites');
  readonly #found: readonly Voice[] = $derived.by(() => (this.isLocal ? this.#fitting(this.filters, this.text) : []));
  /** A service may give fewer than were asked for. */
  readonly pageSize: number = $derived((!this.isLocal && this.answer?.limit) || this.limit);
  readonly total: number = $derived(this.isLocal ? this.#found.length : (this.answer?.total ?? 0));
  readonly pages: number = $derived(Math.max(1, Math.ceil(this.total / this.pageSize)));
  readonly shown: readonly Voice[] = $derived.by(() =>
    this.isLocal
      ? this.#found.slice(this.page * this.limit, (this.page + 1) * this.limit)
      : (this.answer?.voices ?? []),
  );
  readonly selected: Voice | undefined = $derived(this.shown.find(({ id }) => id === this.selectedId) ?? this.shown[0]);
  /** Filters that are set, words and favourites among them. */
  readonly active: readonly FilterName[] = $derived([
    ...filterNames.filter((name) => this.filters[name] !== ''),
    ...(this.text.trim() === '' ? [] : (['text'] as const)),
    ...(this.only === 'favourites' ? (['favourites'] as const) : []),
  ]);
  /** What to let go of where nothing fits. */
  readonly drop: Drop | undefined = $derived.by(() => {
    if (this.shown.length > 0) return undefined;
    if (!this.isLocal) return this.#servicesDrop;
    return best(
      this.active.map((filter) => ({
        filter,
        fits: this.#fitting(
          filter === 'text' || filter === 'favourites' ? this.filters : { ...this.filters, [filter]: '' },
          filter === 'text' ? '' : this.text,
          filter === 'favourites' ? 'all' : this.only,
        ).length,
      })),
    );
  });

  constructor(api: Api['voices'], { all, i18n, shell }: Dependencies) {
    this.#api = api;
    this.#all = all;
    this.#i18n = i18n;
    this.#shell = shell;
    this.favourites = new Favourites(api);
    this.details = new VoiceDetails(api);
  }

  /** Looks at the catalogue of a connection; the filters of another one say nothing about it. Begins at the chosen voice. */
  async open(connectionId: string, chosenId: string | null = null): Promise<void> {
    if (this.#connectionId !== connectionId) {
      this.#connectionId = connectionId;
      this.#answered = '';
      this.answer = null;
      this.selectedId = chosenId;
      this.filters = open;
      this.text = '';
      this.only = 'all';
      this.page = 0;
    }
    await Promise.all([this.favourites.load(connectionId), this.#ask()]);
  }

  /** The service behind a connection is another one now, or lets us in: the next look at it begins anew. */
  forget(connectionId: string): void {
    if (this.#connectionId === connectionId) this.#connectionId = null;
  }

  /** Asks the service again, whatever is here. */
  async readAgain(): Promise<void> {
    this.#answered = '';
    if (this.#connectionId !== null) void this.#all.reload(this.#connectionId);
    // What kept the list away mostly kept the detail away too.
    void this.details.retry();
    await this.#ask();
  }

  setFilter(name: keyof VoiceFilters, value: string): Promise<void> {
    this.filters = { ...this.filters, [name]: value };
    return this.goTo(0);
  }

  setText(text: string): Promise<void> {
    this.text = text;
    return this.goTo(0);
  }

  setOnly(only: 'all' | 'favourites'): Promise<void> {
    this.only = only;
    return this.goTo(0);
  }

  setLimit(limit: number): Promise<void> {
    this.limit = limit;
    return this.goTo(0);
  }

  goTo(page: number): Promise<void> {
    this.page = page;
    return this.#ask();
  }

  letGo(filter: FilterName): Promise<void> {
    if (filter === 'text') return this.setText('');
    return filter === 'favourites' ? this.setOnly('all') : this.setFilter(filter, '');
  }

  letGoOfAll(): Promise<void> {
    this.filters = open;
    this.text = '';
    this.only = 'all';
    return this.goTo(0);
  }

  /** Adds the selected voice to the favourites or removes it, and announces which. False where no voice is selected. */
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

  #fitting(filters: VoiceFilters, text: string, only = this.only): readonly Voice[] {
    return findVoices(this.#all.list, text, this.#i18n.t).filter(
      (voice) => (only === 'all' || this.favourites.has(voice.id)) && fitsFilters(voice, filters),
    );
  }

  async #ask(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null || this.isLocal) return;
    const query = { connectionId, page: this.page, limit: this.limit, ...this.filters };
    const key = JSON.stringify(query);
    const isLatest = this.#beginRequest();
    if (key === this.#answered) {
      this.isLoading = false;
      return;
    }
    this.isLoading = true;
    this.problem = null;
    this.#servicesDrop = undefined;
    try {
      const answer = await this.#api.list(query);
      const drop = answer.total === 0 ? await this.#findDrop(connectionId, query) : undefined;
      if (!isLatest()) return;
      if (answer.voices.length === 0 && answer.total > 0 && query.page > 0) {
        // The catalogue has shrunk: its last page is now an earlier one.
        await this.goTo(Math.min(query.page - 1, Math.ceil(answer.total / (answer.limit || query.limit)) - 1));
        return;
      }
      this.answer = answer;
      this.#servicesDrop = drop;
      // What comes from the copy is asked for again at the next occasion.
      this.#answered = answer.problem === null ? key : '';
    } catch (error) {
      if (!isLatest()) return;
      this.answer = null;
      this.#answered = '';
      this.problem = toProblem(error);
    }
    this.isLoading = false;
  }

  /** How many would fit without each filter is the service's to say. Where it does not, nothing is claimed. */
  async #findDrop(connectionId: string, filters: VoiceFilters): Promise<Drop | undefined> {
    const active = filterNames.filter((name) => filters[name] !== '');
    const drops = await Promise.allSettled(
      active.map(async (filter) => {
        const { category, gender, language }: VoiceFilters = { ...filters, ...{ [filter]: '' } };
        const { total } = await this.#api.list({ connectionId, page: 0, limit: 1, category, gender, language });
        return { filter, fits: total };
      }),
    );
    return best(drops.flatMap((drop) => (drop.status === 'fulfilled' ? [drop.value] : [])));
  }
}
