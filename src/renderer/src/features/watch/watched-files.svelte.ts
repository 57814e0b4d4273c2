import type { Problem } from '../../../../shared/errors.ts';
import type { JobInfo } from '../../../../shared/schemas/job.ts';
import type { WatchedFile, WatchedFileChanges } from '../../../../shared/schemas/watch.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';

/** Which files of a folder are shown. */
export type WatchedFilter = 'all' | 'attention';

/** Only a person can go on with it. */
const needsPerson = ({ state, job }: Pick<WatchedFile, 'state' | 'job'>): boolean =>
  state.kind === 'quarantined' ||
  state.kind === 'source-stays' ||
  (state.kind === 'job' && (job?.state === 'failed' || job?.state === 'uncertain'));

/** Something happens to it at this moment: it stands above all that is over. */
const isMoving = ({ state }: WatchedFile): boolean =>
  state.kind === 'waiting' && ['quiet', 'writer', 'reading'].includes(state.wait.kind);

/**
 * The files of one folder, those that are coming in before the others, newest first: pages as somebody scrolls, and changes as they come. A change gives a file a higher order, so of
 * two copies the higher one is true, whichever comes first.
 */
export class WatchedFiles {
  readonly #api: Pick<Api['watch'], 'listFiles'>;
  readonly #onAttention: (file: WatchedFile) => void;
  // Plain, because a page is one change: `#changes` tells it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #byPath = new Map<string, WatchedFile>();
  /** Files that left the list, and the order up to which a page must not bring them back. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #gone = new Map<string, number>();
  #changes = $state(0);
  /** Counts folders and filters: a page of an earlier one is no longer wanted. */
  readonly #begin = createLatest();
  /** Answers belong to the list that was opened last. */
  #isLatest = this.#begin();
  #next: number | null = null;

  folderId = $state<string | null>(null);
  only = $state<WatchedFilter>('all');
  isLoading = $state(false);
  /** The first page is here. */
  isRead = $state(false);
  /** There are more pages. */
  hasMore = $state(false);
  /** Why there is no list, or why it does not go on. */
  problem = $state.raw<Problem | null>(null);

  readonly list: readonly WatchedFile[] = $derived.by(() => {
    void this.#changes;
    return [...this.#byPath.values()].sort(
      (a, b) => Number(isMoving(b)) - Number(isMoving(a)) || b.sortKey - a.sortKey,
    );
  });

  /** `onAttention` is told of a file of this list that needs a person since just now. */
  constructor(api: Pick<Api['watch'], 'listFiles'>, onAttention: (file: WatchedFile) => void) {
    this.#api = api;
    this.#onAttention = onAttention;
  }

  /** Shows the files of a folder from their start; null shows none. */
  async open(folderId: string | null, only: WatchedFilter = 'all'): Promise<void> {
    this.#isLatest = this.#begin();
    this.folderId = folderId;
    this.only = only;
    this.#byPath.clear();
    this.#gone.clear();
    this.#next = null;
    this.#changes++;
    this.isRead = this.hasMore = this.isLoading = false;
    this.problem = null;
    if (folderId !== null) await this.#read();
  }

  readAgain(): Promise<void> {
    return this.open(this.folderId, this.only);
  }

  /** Reads the next page, where there is one and nobody reads it already. */
  async more(): Promise<void> {
    if (this.hasMore && !this.isLoading && this.problem === null) await this.#read();
  }

  merge({ upserted, removed }: WatchedFileChanges): void {
    for (const { folderId, path } of removed) if (folderId === this.folderId) this.#drop(path, Infinity);
    for (const file of upserted) {
      if (file.folderId !== this.folderId) continue;
      const known = this.#byPath.get(file.path);
      if (known && known.sortKey > file.sortKey) continue;
      if (known && !needsPerson(known) && needsPerson(file)) this.#onAttention(file);
      const isWanted = this.only === 'all' || needsPerson(file) || (known && file.state.kind === known.state.kind);
      if (!isWanted) {
        this.#drop(file.path, file.sortKey);
        continue;
      }
      // What lies behind the pages that were read comes with its own.
      if (!known && this.#next !== null && file.sortKey < this.#next) continue;
      this.#gone.delete(file.path);
      this.#byPath.set(file.path, file);
    }
    this.#changes++;
  }

  /** A job of this list, for those that are not in the queue any more. */
  findJob(id: string): JobInfo | undefined {
    return this.list.find(({ job }) => job?.id === id)?.job ?? undefined;
  }

  #drop(path: string, order: number): void {
    this.#byPath.delete(path);
    this.#gone.set(path, order);
  }

  async #read(): Promise<void> {
    const { folderId, only } = this;
    if (folderId === null) return;
    const isLatest = this.#isLatest;
    this.isLoading = true;
    try {
      const page = await this.#api.listFiles({ id: folderId, before: this.#next, only });
      if (!isLatest()) return;
      for (const file of page.files) {
        const known = this.#byPath.get(file.path);
        if ((known && known.sortKey > file.sortKey) || (this.#gone.get(file.path) ?? -Infinity) >= file.sortKey)
          continue;
        this.#byPath.set(file.path, file);
      }
      this.#next = page.next;
      this.hasMore = page.next !== null;
      this.isRead = true;
      this.#changes++;
    } catch (error) {
      if (isLatest()) this.problem = toProblem(error);
    } finally {
      if (isLatest()) this.isLoading = false;
    }
  }
}
