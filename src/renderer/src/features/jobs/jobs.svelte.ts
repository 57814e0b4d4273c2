import { SvelteMap } from 'svelte/reactivity';
import type { JobInfo, JobProgress, JobState } from '../../../../shared/schemas/job.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

const busy: ReadonlySet<JobState> = new Set(['creating', 'uploading', 'converting', 'publishing']);

/** Somebody works on it at this moment. A result that waits to be fetched has a state of its own, and bytes once it is fetched. */
export const isRunning = ({ state }: Pick<JobInfo, 'state'>, progress: JobProgress | undefined): boolean =>
  busy.has(state) || (state === 'converted' && progress?.direction === 'download');

const over: ReadonlySet<JobState> = new Set(['done', 'cancelled']);
const needsPerson: ReadonlySet<JobState> = new Set(['failed', 'uncertain']);
const hasProgress: ReadonlySet<JobState> = new Set(['uploading', 'converting', 'converted', 'publishing']);

/** The contract's limit for lists in one call. */
const chunkSize = 1000;

export interface JobCounts {
  readonly running: number;
  readonly waiting: number;
  readonly needPerson: number;
}

/**
 * The list of jobs as main knows it: a snapshot in pages, then changes, merged by revision so that it does not matter which comes
 * first. `subscribe` before `load`.
 */
export class Jobs extends ActionState {
  readonly #api: Api['jobs'];
  // Plain, because a batch of a thousand jobs is one change: `#changes` tells it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #byId = new Map<string, JobInfo>();
  /** Removed while pages still come: a page that was made before must not bring them back. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #removed = new Set<string>();
  #isLoading = false;
  #changes = $state(0);

  /** Bodies that are on their way, by job. */
  readonly progress = new SvelteMap<string, JobProgress>();
  /** In the order in which they will be worked; what needs a person stays in its place. */
  readonly queue: readonly JobInfo[] = $derived(
    this.#sorted(
      (job) => !over.has(job.state),
      (a, b) => a.position - b.position,
    ),
  );
  /** The latest first. */
  readonly done: readonly JobInfo[] = $derived(
    this.#sorted(
      (job) => over.has(job.state),
      (a, b) => b.stateChangedAt - a.stateChangedAt || b.position - a.position,
    ),
  );
  /** Pieces of speech, the latest first, whatever became of them. */
  readonly speech: readonly JobInfo[] = $derived(
    this.#sorted(
      (job) => job.kind === 'speech',
      (a, b) => b.position - a.position,
    ),
  );
  /** Not ended, and nobody has to decide about them. */
  readonly open: readonly JobInfo[] = $derived(this.queue.filter(({ state }) => !needsPerson.has(state)));
  readonly counts: JobCounts = $derived.by(() => {
    const running = this.open.filter((job) => this.isUnderWay(job)).length;
    const waiting = this.open.length - running;
    return { running, waiting, needPerson: this.queue.length - this.open.length };
  });

  constructor(api: Api['jobs']) {
    super();
    this.#api = api;
  }

  subscribe(): () => void {
    const ends = [
      this.#api.onChanged(({ upserted, removed }) => this.#merge(upserted, removed)),
      this.#api.onProgressed((list) => {
        for (const step of list) {
          const job = this.#byId.get(step.id);
          if (job && hasProgress.has(job.state)) this.progress.set(step.id, step);
        }
      }),
    ];
    return () => ends.forEach((end) => end());
  }

  async load(): Promise<void> {
    this.#isLoading = true;
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows it
    const gone = new Set(this.#byId.keys());
    try {
      let after: number | null = null;
      do {
        const page: Awaited<ReturnType<Api['jobs']['list']>> = await this.#api.list({ after });
        this.#merge(page.jobs, []);
        page.jobs.forEach(({ id }) => gone.delete(id));
        after = page.next;
      } while (after !== null);
      // Of a record that was damaged and put right, some may be missing.
      this.#merge([], [...gone]);
    } finally {
      this.#isLoading = false;
      this.#removed.clear();
    }
  }

  find(id: string): JobInfo | undefined {
    void this.#changes;
    return this.#byId.get(id);
  }

  isUnderWay(job: JobInfo): boolean {
    // Asked for ten thousand rows: only where it matters.
    return isRunning(job, job.state === 'converted' ? this.progress.get(job.id) : undefined);
  }

  cancel(ids: readonly string[]): Promise<void> {
    return this.#inChunks(ids, (chunk) => this.#api.cancel({ ids: chunk }));
  }

  retry(ids: readonly string[]): Promise<void> {
    return this.#inChunks(ids, (chunk) => this.#api.retry({ ids: chunk }));
  }

  again(ids: readonly string[]): Promise<void> {
    return this.#inChunks(ids, (chunk) => this.#api.repeat({ ids: chunk }));
  }

  /** Puts a waiting job before another one; null is the end of the queue. */
  move(id: string, before: string | null): Promise<void> {
    return this.#inChunks([id], (ids) => this.#api.reorder({ ids, before }));
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#inChunks(ids, (chunk) => this.#api.remove({ ids: chunk }));
  }

  reveal(id: string, which: 'source' | 'result'): Promise<void> {
    return this.#inChunks([id], () => this.#api.reveal({ id, which }));
  }

  #sorted(wanted: (job: JobInfo) => boolean, order: (a: JobInfo, b: JobInfo) => number): readonly JobInfo[] {
    void this.#changes;
    return [...this.#byId.values()].filter(wanted).sort(order);
  }

  #merge(upserted: readonly JobInfo[], removed: readonly string[]): void {
    for (const job of upserted) {
      const known = this.#byId.get(job.id);
      if ((known && known.revision >= job.revision) || this.#removed.has(job.id)) continue;
      this.#byId.set(job.id, job);
      // What a try brought that has failed since is not on its way any more.
      if (!hasProgress.has(job.state) || (known && known.attempts !== job.attempts)) this.progress.delete(job.id);
    }
    for (const id of removed) {
      this.#byId.delete(id);
      this.progress.delete(id);
      if (this.#isLoading) this.#removed.add(id);
    }
    this.#changes++;
  }

  #inChunks(ids: readonly string[], call: (chunk: readonly string[]) => Promise<void>): Promise<void> {
    return this.attempt(async () => {
      for (let start = 0; start < ids.length; start += chunkSize) await call(ids.slice(start, start + chunkSize));
    });
  }
}
