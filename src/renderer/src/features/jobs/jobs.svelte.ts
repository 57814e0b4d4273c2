import { SvelteMap } from 'svelte/reactivity';
import { problemHandling } from '../../../../shared/errors.ts';
import type { JobInfo, JobProgress, JobState } from '../../../../shared/schemas/job.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';
import type { InternalDrag } from '../../lib/file-drop.svelte.ts';

const runningStates: ReadonlySet<JobState> = new Set(['creating', 'uploading', 'converting', 'publishing']);

/** Whether a step is running. A `converted` job waits until its download begins, which only its progress tells. */
export const isRunning = ({ state }: Pick<JobInfo, 'state'>, progress: JobProgress | undefined): boolean =>
  runningStates.has(state) || (state === 'converted' && progress !== undefined && progress.direction !== 'upload');

const endStates: ReadonlySet<JobState> = new Set(['done', 'cancelled']);
const needsAttention: ReadonlySet<JobState> = new Set(['failed', 'uncertain']);
const statesWithProgress: ReadonlySet<JobState> = new Set(['uploading', 'converting', 'converted', 'publishing']);

/** The contract's limit for lists in one call. */
const chunkSize = 1000;

export interface JobCounts {
  readonly running: number;
  readonly waiting: number;
  readonly needAttention: number;
}

interface JobsApi {
  readonly jobs: Api['jobs'];
  readonly history: Pick<Api['history'], 'drag' | 'copyPaths'>;
}

/**
 * The jobs of main: a snapshot in pages, then changes, merged by revision, so that their order does not matter. Call `subscribe`
 * before `load`.
 */
export class Jobs extends ActionState {
  readonly #api: Api['jobs'];
  readonly #history: JobsApi['history'];
  readonly #internalDrag: Pick<InternalDrag, 'begin'>;
  readonly #onTakeOut: (cancelled: readonly string[]) => void;
  // A plain map, so that a batch of a thousand jobs is one change: `#changeCount`.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #byId = new Map<string, JobInfo>();
  /** Removed during `load`: a page that was read earlier must not add them again. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #removed = new Set<string>();
  #isLoading = false;
  #changeCount = $state(0);

  /** Running uploads and downloads, by job. */
  readonly progress = new SvelteMap<string, JobProgress>();
  /** Jobs that have not ended, and those that need attention, in their order. */
  readonly queue: readonly JobInfo[] = $derived(
    this.#sorted(
      (job) => !endStates.has(job.state),
      (a, b) => a.position - b.position,
    ),
  );
  /** Done and cancelled jobs, latest first. */
  readonly done: readonly JobInfo[] = $derived(
    this.#sorted(
      (job) => endStates.has(job.state),
      (a, b) => b.stateChangedAt - a.stateChangedAt || b.position - a.position,
    ),
  );
  /** All texts to speak, latest first. */
  readonly speech: readonly JobInfo[] = $derived(
    this.#sorted(
      (job) => job.kind === 'speech',
      (a, b) => b.position - a.position,
    ),
  );
  /** Jobs that run or wait. */
  readonly open: readonly JobInfo[] = $derived(this.queue.filter(({ state }) => !needsAttention.has(state)));
  /** Failed jobs that another try may mend. */
  readonly retryable: readonly JobInfo[] = $derived(
    this.queue.filter(
      ({ state, problem }) =>
        state === 'failed' && problemHandling[problem?.code ?? 'internal'].actions.includes('retry'),
    ),
  );
  readonly counts: JobCounts = $derived.by(() => {
    const running = this.open.filter((job) => this.isRunning(job)).length;
    const waiting = this.open.length - running;
    return { running, waiting, needAttention: this.queue.length - this.open.length };
  });

  /** `onTakeOut` is called before the user cancels these jobs, or with none before the user removes some. */
  constructor(
    { jobs, history }: JobsApi,
    internalDrag: Pick<InternalDrag, 'begin'>,
    onTakeOut: (cancelled: readonly string[]) => void = () => undefined,
  ) {
    super();
    this.#api = jobs;
    this.#history = history;
    this.#internalDrag = internalDrag;
    this.#onTakeOut = onTakeOut;
  }

  subscribe(): () => void {
    const ends = [
      this.#api.onChanged(({ upserted, removed }) => this.#merge(upserted, removed)),
      this.#api.onProgressed((list) => {
        for (const progress of list) {
          const job = this.#byId.get(progress.id);
          if (job && statesWithProgress.has(job.state)) this.progress.set(progress.id, progress);
        }
      }),
    ];
    return () => ends.forEach((end) => end());
  }

  async load(): Promise<void> {
    this.#isLoading = true;
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
    const missing = new Set(this.#byId.keys());
    try {
      let after: number | null = null;
      do {
        const page: Awaited<ReturnType<Api['jobs']['list']>> = await this.#api.list({ after });
        this.#merge(page.jobs, []);
        page.jobs.forEach(({ id }) => missing.delete(id));
        after = page.next;
      } while (after !== null);
      // A repaired database may have lost some.
      this.#merge([], [...missing]);
    } finally {
      this.#isLoading = false;
      this.#removed.clear();
    }
  }

  find(id: string): JobInfo | undefined {
    void this.#changeCount;
    return this.#byId.get(id);
  }

  isRunning(job: JobInfo): boolean {
    // Called for each of ten thousand jobs: reads the progress map only if it matters.
    return isRunning(job, job.state === 'converted' ? this.progress.get(job.id) : undefined);
  }

  cancel(ids: readonly string[]): Promise<void> {
    this.#onTakeOut(ids);
    return this.#inChunks(ids, (chunk) => this.#api.cancel({ ids: chunk }));
  }

  retry(ids: readonly string[]): Promise<void> {
    return this.#inChunks(ids, (chunk) => this.#api.retry({ ids: chunk }));
  }

  /**
   * Saves the result of a failed job in another folder, and those of all that failed for the same reason. Null stands for the jobs
   * that wait for a folder which is gone.
   */
  retryIn(folder: string, id: string | null): Promise<void> {
    return this.attempt(() => this.#api.retryIn({ id, folder }));
  }

  repeat(ids: readonly string[]): Promise<void> {
    return this.#inChunks(ids, (chunk) => this.#api.repeat({ ids: chunk }));
  }

  /** Moves a waiting job before another one, or to the end of the queue for null. */
  move(id: string, before: string | null): Promise<void> {
    return this.#inChunks([id], (ids) => this.#api.reorder({ ids, before }));
  }

  remove(ids: readonly string[]): Promise<void> {
    this.#onTakeOut([]);
    return this.#inChunks(ids, (chunk) => this.#api.remove({ ids: chunk }));
  }

  reveal(id: string, which: 'source' | 'result'): Promise<void> {
    return this.#inChunks([id], () => this.#api.reveal({ id, which }));
  }

  /** Drags the result of a finished job out of the window. */
  async drag(id: string): Promise<void> {
    const reply = this.attempt(() => this.#history.drag({ ids: [id] }));
    this.#internalDrag.begin(reply.then((drag) => drag?.names ?? []));
    await reply;
  }

  /** Copies the path of the result; returns whether there is one. */
  async copyPath(id: string): Promise<boolean> {
    const reply = await this.attempt(() => this.#history.copyPaths({ ids: [id] }));
    return (reply?.paths ?? 0) > 0;
  }

  #sorted(matches: (job: JobInfo) => boolean, compare: (a: JobInfo, b: JobInfo) => number): readonly JobInfo[] {
    void this.#changeCount;
    return [...this.#byId.values()].filter(matches).sort(compare);
  }

  #merge(upserted: readonly JobInfo[], removed: readonly string[]): void {
    for (const job of upserted) {
      const known = this.#byId.get(job.id);
      if ((known && known.revision >= job.revision) || this.#removed.has(job.id)) continue;
      this.#byId.set(job.id, job);
      // A failed attempt leaves no progress.
      if (!statesWithProgress.has(job.state) || (known && known.attempts !== job.attempts))
        this.progress.delete(job.id);
    }
    for (const id of removed) {
      this.#byId.delete(id);
      this.progress.delete(id);
      if (this.#isLoading) this.#removed.add(id);
    }
    this.#changeCount++;
  }

  #inChunks(ids: readonly string[], call: (chunk: readonly string[]) => Promise<void>): Promise<void> {
    return this.attempt(async () => {
      for (let start = 0; start < ids.length; start += chunkSize) await call(ids.slice(start, start + chunkSize));
    });
  }
}
