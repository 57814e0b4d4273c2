import type { Problem } from '../../../../shared/errors.ts';
import type { JobInfo } from '../../../../shared/schemas/job.ts';
import type { WatchedFile, WatchedFileChanges } from '../../../../shared/schemas/watch.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';

/** Which files of a folder are shown. */
export type WatchedFilter = 'all' | 'attention';

/** Whether only the user can resolve it. */
const needsAttention = ({ state, job }: Pick<WatchedFile, 'state' | 'job'>): boolean =>
  state.kind === 'quarantined' ||
  state.kind === 'source-stays' ||
  (state.kind === 'job' && (job?.state === 'failed' || job?.state === 'uncertain'));

/** Files that are arriving are listed first. */
const isArriving = ({ state }: WatchedFile): boolean =>
  state.kind === 'waiting' && ['quiet', 'writer', 'reading'].includes(state.wait.kind);

/**
 * The files of one folder: those that are arriving, then the others, newest first. Pages are read as the user scrolls and merged with
 * changes by `sortKey`, which each change raises.
 */
export class WatchedFiles {
  readonly #api: Pick<Api['watch'], 'listFiles'>;
  readonly #onAttention: (file: WatchedFile) => void;
  // A plain map, so that a page is one change: `#changeCount`.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #byPath = new Map<string, WatchedFile>();
  /** Removed files, and the sort key up to which a page must not add them again. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #removed = new Map<string, number>();
  #changeCount = $state(0);
  readonly #begin = createLatest();
  /** False once another folder or filter was opened. */
  #isLatest = this.#begin();
  #nextPage: number | null = null;

  folderId = $state<string | null>(null);
  filter = $state<WatchedFilter>('all');
  isLoading = $state(false);
  /** The first page was read. */
  isLoaded = $state(false);
  hasMore = $state(false);
  /** Why a page could not be read. */
  problem = $state.raw<Problem | null>(null);

  readonly list: readonly WatchedFile[] = $derived.by(() => {
    void this.#changeCount;
    return [...this.#byPath.values()].sort(
      (a, b) => Number(isArriving(b)) - Number(isArriving(a)) || b.sortKey - a.sortKey,
    );
  });

  /** `onAttention` is called with a listed file that begins to need attention. */
  constructor(api: Pick<Api['watch'], 'listFiles'>, onAttention: (file: WatchedFile) => void) {
    this.#api = api;
    this.#onAttention = onAttention;
  }

  /** Lists the files of a folder from the first page; none for null. */
  async open(folderId: string | null, filter: WatchedFilter = 'all'): Promise<void> {
    this.#isLatest = this.#begin();
    if (folderId !== this.folderId || filter !== this.filter) this.problem = null;
    this.folderId = folderId;
    this.filter = filter;
    this.#byPath.clear();
    this.#removed.clear();
    this.#nextPage = null;
    this.#changeCount++;
    this.isLoaded = this.hasMore = this.isLoading = false;
    if (folderId !== null) await this.#read();
  }

  reload(): Promise<void> {
    return this.open(this.folderId, this.filter);
  }

  /** Reads the next page, unless there is none or it is being read. */
  async loadMore(): Promise<void> {
    if (this.hasMore && !this.isLoading && this.problem === null) await this.#read();
  }

  merge({ upserted, removed }: WatchedFileChanges): void {
    for (const { folderId, path } of removed) if (folderId === this.folderId) this.#remove(path, Infinity);
    for (const file of upserted) {
      if (file.folderId !== this.folderId) continue;
      const known = this.#byPath.get(file.path);
      if (known && known.sortKey > file.sortKey) continue;
      if (known && !needsAttention(known) && needsAttention(file)) this.#onAttention(file);
      const matches = this.filter === 'all' || needsAttention(file) || (known && file.state.kind === known.state.kind);
      if (!matches) {
        this.#remove(file.path, file.sortKey);
        continue;
      }
      // Its page has not been read yet.
      if (!known && this.#nextPage !== null && file.sortKey < this.#nextPage) continue;
      this.#removed.delete(file.path);
      this.#byPath.set(file.path, file);
    }
    this.#changeCount++;
  }

  /** A job of a listed file, which may no longer be in the queue. */
  findJob(id: string): JobInfo | undefined {
    return this.list.find(({ job }) => job?.id === id)?.job ?? undefined;
  }

  #remove(path: string, sortKey: number): void {
    this.#byPath.delete(path);
    this.#removed.set(path, sortKey);
  }

  async #read(): Promise<void> {
    const { folderId, filter } = this;
    if (folderId === null) return;
    const isLatest = this.#isLatest;
    this.isLoading = true;
    try {
      const page = await this.#api.listFiles({ id: folderId, before: this.#nextPage, only: filter });
      if (!isLatest()) return;
      for (const file of page.files) {
        const known = this.#byPath.get(file.path);
        if ((known && known.sortKey > file.sortKey) || (this.#removed.get(file.path) ?? -Infinity) >= file.sortKey)
          continue;
        this.#byPath.set(file.path, file);
      }
      this.#nextPage = page.next;
      this.hasMore = page.next !== null;
      this.isLoaded = true;
      this.problem = null;
      this.#changeCount++;
    } catch (error) {
      if (isLatest()) this.problem = toProblem(error);
    } finally {
      if (isLatest()) this.isLoading = false;
    }
  }
}
