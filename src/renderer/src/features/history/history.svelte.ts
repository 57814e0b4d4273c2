import type { Problem } from '../../../../shared/errors.ts';
import {
  type HistoryList,
  type HistoryMonth,
  type HistoryPage,
  type HistoryRow,
  maxSelectionParts,
  type SelectionRef,
} from '../../../../shared/schemas/history.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { Selection } from './selection.svelte.ts';
import { type ConfirmRepeat, HistoryActions } from './actions.svelte.ts';
import { HistoryStatistics } from './statistics.svelte.ts';
import { HistoryEntry } from './entry.svelte.ts';
import { countInsertedAtTop, findRow, HistoryRows, rowsById } from './history-list.svelte.ts';
import { FileStatuses } from './file-status.svelte.ts';
import { HistoryQuery } from './query.svelte.ts';
import type { InternalDrag } from '../../lib/file-drop.svelte.ts';
import { rowOffset, rowAt, visibleRows, VirtualScroll } from './virtual-scroll.svelte.ts';

/** Runs in the next frame, so that several keys within one frame search once. */
type NextFrame = (run: () => void) => void;

/**
 * The history view: the search, the found entries and the scroll offset. Each search creates a list in main. When entries are added or
 * removed, the search is repeated, and the row that the user reads stays where it is on screen.
 */
export class History {
  readonly #api: Api['history'];
  readonly #nextFrame: NextFrame;
  readonly #begin = createLatest();
  #isScheduled = false;
  #isOpen = false;
  #isStale = false;
  #refreshing: Promise<void> | null = null;
  #playing = $state.raw<HistoryRow | null>(null);
  #lastCount = $state.raw<HistoryList | null>(null);
  /** The refresh that waits for the count of its list. */
  #pendingCount: { readonly list: number; readonly resolve: (counted: HistoryList | null) => void } | null = null;

  listing = $state.raw<HistoryRows | null>(null);
  /** Why the search failed. */
  problem = $state.raw<Problem | null>(null);

  readonly query: HistoryQuery;
  readonly fileStatuses: FileStatuses;
  readonly entry: HistoryEntry;
  readonly actions: HistoryActions;
  readonly statistics: HistoryStatistics;
  readonly scroll = new VirtualScroll();
  readonly selection = new Selection(() => this.listing);

  /** The months of the last counted list, until the current one is counted. */
  readonly months: readonly HistoryMonth[] = $derived.by(
    () => this.listing?.counted?.months ?? this.#lastCount?.months ?? [],
  );

  constructor(
    api: Api['history'],
    nextFrame: NextFrame,
    internalDrag: Pick<InternalDrag, 'begin'>,
    confirmRepeat: ConfirmRepeat,
  ) {
    this.#api = api;
    this.#nextFrame = nextFrame;
    this.query = new HistoryQuery(api.suggest, () => this.#scheduleSearch());
    this.fileStatuses = new FileStatuses(api.getFileStatus);
    this.entry = new HistoryEntry(api.detail);
    this.actions = new HistoryActions(api, internalDrag, confirmRepeat);
    this.statistics = new HistoryStatistics(api);
  }

  subscribe(): () => void {
    const ends = [
      this.#api.onTaskProgressed((task) => (this.actions.task = task)),
      this.#api.onListCounted((counted) => this.#count(counted)),
      this.#api.onChanged(({ upserted, isStale }) => this.#change(upserted, isStale)),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Called when the view opens: searches, or refreshes a stale list. Returns a function to call when it closes. */
  open(): () => void {
    this.#isOpen = true;
    if (!this.listing) void this.search();
    else if (this.#isStale) void this.#refresh();
    return () => (this.#isOpen = false);
  }

  /** Searches for the text of the field and scrolls to the top. */
  async search(): Promise<void> {
    const reply = await this.#search();
    if (!reply) return;
    const listing = new HistoryRows(this.#api.rows, reply.page);
    this.#show(listing);
    this.scroll.scrollTo(listing.layout, 0);
    this.selection.clear();
    this.selection.active = 0;
  }

  /** Resolves once the list is shown without the removed entries. What the user selected meanwhile stays selected. */
  async remove(choice: SelectionRef, withFiles: boolean): Promise<void> {
    if (!(await this.actions.remove(choice, withFiles))) return;
    this.selection.deselect(choice);
    this.#isStale = true;
    await this.#refresh();
    const { listing, selection } = this;
    if ('ids' in choice || !listing) return;
    // Of rows that were selected meanwhile, only the list tells which were in the ranges.
    for (const row of selection.rows(maxSelectionParts) ?? []) {
      const index = await findRow(listing, row, selection.active);
      if (listing === this.listing && listing.row(index)?.id !== row.id) selection.deselect({ ids: [row.id] });
    }
  }

  /** Adds the selected entries to the favourites, or removes them if all are favourites. Returns false if none is selected and in view. */
  toggleFavouriteSelection(): boolean {
    const choice = this.statistics.isOpen ? null : this.selection.toRef();
    if (!choice) return false;
    const isFavourite = !this.selection.isFavourite;
    this.selection.setFavourite(isFavourite);
    void this.actions.update(choice, { isFavourite }).then((isDone) => {
      if (!isDone) this.selection.setFavourite(false);
    });
    return true;
  }

  /** Keeps the row that the player plays, which may leave the list meanwhile. */
  setPlaying(row: HistoryRow): void {
    this.#playing = row;
  }

  findPlaying(id: string): HistoryRow | undefined {
    return this.#playing?.id === id ? this.#playing : undefined;
  }

  #scheduleSearch(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#nextFrame(() => {
      this.#isScheduled = false;
      void this.search();
    });
  }

  /** Null if the search failed, or a later one has begun. */
  async #search(): Promise<{ readonly page: HistoryPage; readonly isLatest: () => boolean } | null> {
    const isLatest = this.#begin();
    this.#isStale = false;
    this.#pendingCount?.resolve(null);
    try {
      const page = await this.#api.search({ text: this.query.text });
      if (!isLatest()) return null;
      this.problem = null;
      return { page, isLatest };
    } catch (error) {
      if (isLatest()) this.problem = toProblem(error);
      return null;
    }
  }

  #show(listing: HistoryRows): void {
    this.listing?.end();
    this.listing = listing;
    if (this.#lastCount?.list === listing.page.list) listing.counted = this.#lastCount;
  }

  #count(counted: HistoryList): void {
    this.#lastCount = counted;
    if (this.#pendingCount?.list === counted.list) this.#pendingCount.resolve(counted);
    else if (this.listing?.page.list === counted.list) this.listing.counted = counted;
  }

  #change(upserted: readonly HistoryRow[], isStale: boolean): void {
    const changed = rowsById(upserted);
    this.listing?.update(changed);
    this.selection.update(changed);
    this.fileStatuses.refresh([...changed.keys()]);
    if (this.#playing) this.#playing = changed.get(this.#playing.id) ?? this.#playing;
    if (this.entry.id !== null && changed.has(this.entry.id)) void this.entry.reload();
    if (!isStale) return;
    this.statistics.refresh();
    this.#isStale = true;
    // A closed view refreshes when it opens.
    if (this.listing && this.#isOpen) void this.#refresh();
  }

  /** Repeats the search, one at a time, until no entry has changed meanwhile. Resolves after the last one. */
  #refresh(): Promise<void> {
    if (this.#isStale) this.#refreshing ??= this.#refreshUntilCurrent();
    return this.#refreshing ?? Promise.resolve();
  }

  async #refreshUntilCurrent(): Promise<void> {
    try {
      while (this.#isStale) await this.#refreshOnce();
    } finally {
      this.#refreshing = null;
    }
  }

  async #refreshOnce(): Promise<void> {
    const reply = await this.#search();
    if (!reply) return;
    const { page, isLatest } = reply;
    const next = new HistoryRows(this.#api.rows, page);
    next.counted = await this.#waitForCount(page.list);
    const before = this.listing;
    if (!isLatest() || !before) return;
    const addedRows = next.rows - before.rows;
    const index = this.#anchorRow(before);
    const row = index === null ? undefined : before.row(index);
    const active = before.row(this.selection.active);
    const nextIndex = row && index !== null ? await findRow(next, row, index + addedRows) : null;
    const nextActive = active ? await findRow(next, active, this.selection.active + addedRows) : 0;
    const insertedAtTop = await countInsertedAtTop(before, next);
    if (!isLatest() || before !== this.listing) return;
    const offsetInView = index === null ? 0 : rowOffset(before.layout, index) - this.scroll.offset;
    this.selection.rebase(nextActive, insertedAtTop);
    this.#show(next);
    this.scroll.scrollTo(
      next.layout,
      nextIndex === null ? this.scroll.offset : rowOffset(next.layout, nextIndex) - offsetInView,
    );
  }

  /** The row to keep in place: the selected one if visible, else the topmost; null at the top, where new entries appear. */
  #anchorRow({ layout, rows }: HistoryRows): number | null {
    if (rows === 0) return null;
    const { offset, viewHeight } = this.scroll;
    const { active, count } = this.selection;
    const [first, end] = visibleRows(layout, offset, viewHeight, 0);
    if (count > 0 && active >= first && active < end) return active;
    return offset === 0 ? null : rowAt(layout, offset);
  }

  #waitForCount(list: number): Promise<HistoryList | null> {
    const known = this.#lastCount;
    if (known?.list === list) return Promise.resolve(known);
    return new Promise((resolve) => {
      this.#pendingCount = {
        list,
        resolve: (counted) => {
          this.#pendingCount = null;
          resolve(counted);
        },
      };
    });
  }
}
