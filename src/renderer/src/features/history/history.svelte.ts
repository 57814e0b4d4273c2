import type { Problem } from '../../../../shared/errors.ts';
import type { HistoryList, HistoryMonth, HistoryPage, HistoryRow } from '../../../../shared/schemas/history.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { Selection } from './selection.svelte.ts';
import { HistoryActions } from './actions.svelte.ts';
import { HistoryEntry } from './entry.svelte.ts';
import { findRow, countInsertedAtTop, HistoryRows } from './history-list.svelte.ts';
import { rowsById } from './rows-by-id.ts';
import { FileStatuses } from './file-status.svelte.ts';
import { HistoryQuery } from './query.svelte.ts';
import type { InternalDrag } from '../../lib/file-drop.svelte.ts';
import { rowOffset, rowAt, rowsIn, VirtualScroll } from './virtual-scroll.svelte.ts';

/** Waits for the next frame, so that two keys in one of them search once. */
type Soon = (run: () => void) => void;

/**
 * All that was ever converted or spoken: what is searched for, what was found and where in it the reader is. Each search is a new list;
 * where entries come or go the search is asked again, and the row that is looked at stays where it is.
 */
export class HistoryState {
  readonly #api: Api['history'];
  readonly #soon: Soon;
  readonly #begin = createLatest();
  #isComing = false;
  #isOpen = false;
  #isStale = false;
  #relisting: Promise<void> | null = null;
  #heard = $state.raw<HistoryRow | null>(null);
  #lastCount = $state.raw<HistoryList | null>(null);
  /** Who waits for a count, by its list. */
  #awaited: { readonly list: number; readonly tell: (counted: HistoryList | null) => void } | null = null;

  listing = $state.raw<HistoryRows | null>(null);
  /** Why there is no list. */
  problem = $state.raw<Problem | null>(null);

  readonly query: HistoryQuery;
  readonly looks: FileStatuses;
  readonly entry: HistoryEntry;
  readonly deeds: HistoryActions;
  readonly scroll = new VirtualScroll();
  readonly chosen = new Selection(() => this.listing);

  /** Those of the last list that was counted, until the present one is. */
  readonly months: readonly HistoryMonth[] = $derived.by(
    () => this.listing?.counted?.months ?? this.#lastCount?.months ?? [],
  );

  constructor(api: Api['history'], soon: Soon, ownDrag: Pick<InternalDrag, 'begin'>) {
    this.#api = api;
    this.#soon = soon;
    this.query = new HistoryQuery(api.suggest, () => this.#searchSoon());
    this.looks = new FileStatuses(api.getFileStatus);
    this.entry = new HistoryEntry(api.detail);
    this.deeds = new HistoryActions(api, ownDrag);
  }

  subscribe(): () => void {
    const ends = [
      this.#api.onTaskProgressed((work) => (this.deeds.work = work)),
      this.#api.onListCounted((counted) => this.#count(counted)),
      this.#api.onChanged(({ upserted, isStale }) => this.#change(upserted, isStale)),
    ];
    return () => ends.forEach((end) => end());
  }

  /** The view is opened: the first list is asked for, or a later one where entries came or went meanwhile. Gives back its end. */
  open(): () => void {
    this.#isOpen = true;
    if (!this.listing) void this.search();
    else if (this.#isStale) void this.#relist();
    return () => (this.#isOpen = false);
  }

  /** Asks for what the field says, from the top. */
  async search(): Promise<void> {
    const answer = await this.#ask();
    if (!answer) return;
    const listing = new HistoryRows(this.#api.rows, answer.page);
    this.#show(listing);
    this.scroll.goTo(listing.tall, 0);
    this.chosen.clear();
    this.chosen.active = 0;
  }

  /** Resolves when the list is shown without them. */
  async removeChosen(withFiles: boolean): Promise<void> {
    const choice = this.chosen.wire();
    if (!choice || !(await this.deeds.remove(choice, withFiles))) return;
    this.chosen.clear();
    this.#isStale = true;
    await this.#relist();
  }

  /** Marks what is chosen as favourites, or where all of it is marked takes the marks away. */
  markChosen(): boolean {
    const choice = this.chosen.wire();
    if (!choice) return false;
    void this.deeds.mark(choice, { isFavourite: !this.chosen.isFavourite });
    return true;
  }

  /** Plays a row from its start, or pauses and goes on. The player asks `findHeard` whether it is still there. */
  hear(row: HistoryRow): void {
    this.#heard = row;
  }

  findHeard(id: string): HistoryRow | undefined {
    return this.#heard?.id === id ? this.#heard : undefined;
  }

  #searchSoon(): void {
    if (this.#isComing) return;
    this.#isComing = true;
    this.#soon(() => {
      this.#isComing = false;
      void this.search();
    });
  }

  /** Null where a later search was asked for before the answer came, or it failed. */
  async #ask(): Promise<{ readonly page: HistoryPage; readonly isLatest: () => boolean } | null> {
    const isLatest = this.#begin();
    this.#isStale = false;
    this.#awaited?.tell(null);
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
    if (this.#awaited?.list === counted.list) this.#awaited.tell(counted);
    else if (this.listing?.page.list === counted.list) this.listing.counted = counted;
  }

  #change(upserted: readonly HistoryRow[], isStale: boolean): void {
    const changed = rowsById(upserted);
    this.listing?.put(changed);
    this.chosen.put(changed);
    this.looks.askAgain([...changed.keys()]);
    if (this.#heard) this.#heard = changed.get(this.#heard.id) ?? this.#heard;
    if (this.entry.id !== null && changed.has(this.entry.id)) void this.entry.readAgain();
    if (!isStale) return;
    this.#isStale = true;
    // Nobody sees the list of a view that is closed.
    if (this.listing && this.#isOpen) void this.#relist();
  }

  /** Asks again, one at a time, until nothing has changed meanwhile. Whoever waits for it waits for the last of them. */
  #relist(): Promise<void> {
    if (this.#isStale) this.#relisting ??= this.#relistAll();
    return this.#relisting ?? Promise.resolve();
  }

  async #relistAll(): Promise<void> {
    try {
      while (this.#isStale) await this.#relistOnce();
    } finally {
      this.#relisting = null;
    }
  }

  async #relistOnce(): Promise<void> {
    const answer = await this.#ask();
    if (!answer) return;
    const { page, isLatest } = answer;
    const next = new HistoryRows(this.#api.rows, page);
    next.counted = await this.#counted(page.list);
    const before = this.listing;
    if (!isLatest() || !before) return;
    const grown = next.rows - before.rows;
    const index = this.#lookedAt(before);
    const row = index === null ? undefined : before.row(index);
    const active = before.row(this.chosen.active);
    const to = row && index !== null ? await findRow(next, row, index + grown) : null;
    const nextActive = active ? await findRow(next, active, this.chosen.active + grown) : 0;
    const grownBy = await countInsertedAtTop(before, next);
    if (!isLatest() || before !== this.listing) return;
    const offset = index === null ? 0 : rowOffset(before.tall, index) - this.scroll.place;
    this.chosen.relist(nextActive, grownBy);
    this.#show(next);
    this.scroll.goTo(next.tall, to === null ? this.scroll.place : rowOffset(next.tall, to) - offset);
  }

  /** The chosen row where it can be seen, else the upmost; null at the very top, where the newest may come in. */
  #lookedAt({ tall, rows }: HistoryRows): number | null {
    if (rows === 0) return null;
    const { place, viewHeight } = this.scroll;
    const { active, count } = this.chosen;
    const [first, end] = rowsIn(tall, place, viewHeight, 0);
    if (count > 0 && active >= first && active < end) return active;
    return place === 0 ? null : rowAt(tall, place);
  }

  #counted(list: number): Promise<HistoryList | null> {
    const known = this.#lastCount;
    if (known?.list === list) return Promise.resolve(known);
    return new Promise((resolve) => {
      this.#awaited = {
        list,
        tell: (counted) => {
          this.#awaited = null;
          resolve(counted);
        },
      };
    });
  }
}
