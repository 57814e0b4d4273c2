import type { Messages } from '../../../../shared/messages/index.ts';
import {
  type AddedJobs,
  type AdditionSize,
  type JobInfo,
  unpaidStates,
  type UndoneAddition,
} from '../../../../shared/schemas/job.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import type { JobOrder } from '../settings/job-defaults.svelte.ts';

/** The contract's limit for paths in one call. */
const chunkSize = 1000;

/** Above these, a drop may be a mistake that costs money. */
const largeRecordings = 20;
const largeSeconds = 30 * 60;

/** A user waits this long for a figure, and no longer. */
const previewTimeMs = 5000;

const maxUndoable = 20;

const isLarge = ({ recordings, longestSeconds }: AdditionSize): boolean =>
  recordings > largeRecordings || longestSeconds > largeSeconds;

const nothing: AdditionSize = {
  recordings: 0,
  seconds: 0,
  unmeasured: 0,
  longestSeconds: 0,
  tooLong: 0,
};

type Report = Omit<AddedJobs, 'createdIds'>;

const noneAdded: Report = { added: 0, refused: 0, ignored: 0, withoutPath: 0, addition: null };

interface AddFilesApi {
  readonly app: Pick<Api['app'], 'chooseFiles' | 'chooseFolder'>;
  readonly jobs: Pick<Api['jobs'], 'preview' | 'add' | 'undoAdd' | 'addSample' | 'retry'>;
}

interface Dependencies {
  pathForFile(file: File): string;
  /** The order for new jobs, after all earlier changes were sent; null if there is no voice. */
  order(): Promise<JobOrder | null>;
  findJob(id: string): Pick<JobInfo, 'state' | 'problem'> | undefined;
}

/** One or more additions of main; grows while its recordings are added. Or jobs that the user cancelled. */
interface Undoable {
  readonly kind: 'added' | 'cancelled';
  readonly additions: number[];
  ids: readonly string[];
}

/** Asks whether many recordings may be sent to a service. */
export interface LargeAddition {
  readonly preview: AdditionSize;
  /** New recordings, or entries of history, which may also be texts. */
  readonly kind: 'add' | 'repeat';
  /** Display name of the connection. */
  readonly service: string;
  readonly answer: (isConfirmed: boolean) => void;
}

/** Adds recordings to the queue: dropped, pasted or selected in a dialog. */
export class AddFiles extends ActionState {
  readonly #api: AddFilesApi;
  readonly #dependencies: Dependencies;
  /** Additions run one after another: each has a report and perhaps a question. */
  #last: Promise<unknown> = Promise.resolve();
  /** What `undo` takes back, one after another from the end. */
  #undoable = $state.raw<readonly Undoable[]>([]);
  /** What is being added now. */
  #growing: Undoable | null = null;

  /** How many items are being added. */
  pending = $state(0);
  /** What was added last; null if nothing was. */
  report = $state.raw<Report | null>(null);
  /** What was taken back last, or that what was cancelled is back; null after something was added. */
  undone = $state.raw<UndoneAddition | 'returned' | null>(null);
  question = $state.raw<LargeAddition | null>(null);

  constructor(api: AddFilesApi, dependencies: Dependencies) {
    super();
    this.#api = api;
    this.#dependencies = dependencies;
  }

  /** What `undo` takes back next. */
  get undoes(): Undoable['kind'] {
    return this.#undoable.at(-1)?.kind ?? 'added';
  }

  /** False once all that was added last is paid for, done or gone, or nothing that was cancelled last can come back. */
  get canUndo(): boolean {
    // From the end: those wait longest.
    return this.pending === 0 && this.#undoable.at(-1)?.ids.findLast((id) => this.#isUndoable(id)) !== undefined;
  }

  /**
   * The user cancels these jobs, which `undo` returns to the queue, or did something else to it: then `undo` would take
   * back what nobody thinks of.
   */
  forget(cancelled: readonly string[] = []): void {
    if (cancelled.length > 0) this.#remember({ kind: 'cancelled', additions: [], ids: cancelled });
    else this.#undoable = [];
    this.dismissReport();
  }

  /** Takes away what was said of the last addition. */
  dismissReport(): void {
    this.report = null;
    this.undone = null;
  }

  /** Resolves once all that was dropped or selected is added, or was refused by the user. */
  async whenAdded(): Promise<void> {
    for (let last; last !== this.#last;) {
      last = this.#last;
      await last;
    }
  }

  /** With another voice than the selected one, if `voiceId` is given. */
  addFiles(files: readonly File[], voiceId?: string): Promise<void> {
    // An item without a path is sent as an empty one: main counts it in its reply.
    const paths = files.map((file) => this.#dependencies.pathForFile(file));
    return this.attempt(() => this.#addPaths(paths, voiceId));
  }

  addPaths(paths: readonly string[]): Promise<void> {
    return this.attempt(() => this.#addPaths(paths));
  }

  chooseFiles(): Promise<void> {
    return this.attempt(async () => this.#addPaths(await this.#api.app.chooseFiles()));
  }

  chooseFolder(): Promise<void> {
    return this.attempt(async () => {
      const folder = await this.#api.app.chooseFolder();
      await this.#addPaths(folder === null ? [] : [folder]);
    });
  }

  addSample(): Promise<void> {
    return this.attempt(() =>
      this.#inTurn(1, async () => {
        const order = await this.#dependencies.order();
        if (!order) return;
        const { connectionId, settings } = order;
        const added = await this.#api.jobs.addSample({ connectionId, settings });
        this.#show(added);
        this.#keep({ kind: 'added', additions: [], ids: [] }, added);
      }),
    );
  }

  /** True if little is sent, or the user wants it. */
  async confirm(preview: AdditionSize, service: string, kind: LargeAddition['kind'] = 'add'): Promise<boolean> {
    let isConfirmed = !isLarge(preview);
    if (!isConfirmed) await this.#inTurn(0, async () => void (isConfirmed = await this.#ask(preview, service, kind)));
    return isConfirmed;
  }

  /**
   * Takes back what was added last, or once it is added, except what a service may charge for already; returns what
   * was cancelled last to the queue, except what would be charged again.
   */
  undo(): Promise<void> {
    const isAdding = this.pending > 0;
    const last = this.#undoable.at(-1);
    const complete = this.#undoable.filter((one) => one !== this.#growing);
    return this.attempt(() =>
      this.#inTurn(0, async () => {
        const latest = this.#undoable.at(-1);
        // A second press means the same, not what was added before.
        const isMeant = isAdding ? latest && !complete.includes(latest) : latest === last;
        if (!latest || !isMeant || !this.canUndo) return;
        // A failed undo can be repeated: the report stays until all is taken back.
        if (latest.kind === 'added') {
          const undone = { removed: 0, kept: 0 };
          for (const addition of latest.additions) {
            const { removed, kept } = await this.#api.jobs.undoAdd({ addition });
            undone.removed += removed;
            undone.kept += kept;
          }
          this.undone = undone;
        } else {
          await this.#api.jobs.retry({ ids: latest.ids.filter((id) => this.#isUndoable(id)) });
          this.undone = 'returned';
        }
        this.#undoable = this.#undoable.filter((one) => one !== latest);
        this.report = null;
      }),
    );
  }

  /** Of the jobs that `undo` takes back next. */
  #isUndoable(id: string): boolean {
    const job = this.#dependencies.findJob(id);
    if (!job) return false;
    // One with a problem was sent: to convert it again may be charged again, so only its own button does.
    return this.undoes === 'added' ? unpaidStates.has(job.state) : job.state === 'cancelled' && job.problem === null;
  }

  #remember(undoable: Undoable): void {
    this.#undoable = [...this.#undoable, undoable].slice(-maxUndoable);
  }

  async #inTurn(items: number, run: () => Promise<void>): Promise<void> {
    this.pending += items;
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    try {
      await before;
      await run();
    } finally {
      this.pending -= items;
      this.#growing = null;
      resolve();
    }
  }

  async #addPaths(paths: readonly string[], voiceId?: string): Promise<void> {
    if (paths.length === 0) return;
    await this.#inTurn(paths.length, async () => {
      const chunks = Array.from({ length: Math.ceil(paths.length / chunkSize) }, (_, k) =>
        paths.slice(k * chunkSize, (k + 1) * chunkSize),
      );
      // Every chunk gets the order that the user confirmed, whatever is selected meanwhile.
      const order = await this.#dependencies.order();
      let confirmed = order && (await this.#confirmed(chunks, order));
      if (!order || !confirmed) return;
      const { connectionId } = order;
      const settings = voiceId === undefined ? order.settings : { ...order.settings, voiceId };
      let report = noneAdded;
      const undoable: Undoable = { kind: 'added', additions: [], ids: [] };
      this.#growing = undoable;
      while (chunks.length > 0) {
        const [paths = []] = chunks;
        const [atMost = null] = confirmed;
        const added = await this.#api.jobs.add({ paths, connectionId, settings, atMost }).catch((error: unknown) => {
          if (toProblem(error).code === 'input/more-found') return null;
          throw error;
        });
        if (!added) {
          // A folder has got more since: the rest is asked about again.
          confirmed = await this.#confirmed(chunks, order);
          if (!confirmed) return;
          continue;
        }
        chunks.shift();
        confirmed = confirmed.slice(1);
        report = {
          added: report.added + added.added,
          refused: report.refused + added.refused,
          ignored: report.ignored + added.ignored,
          withoutPath: report.withoutPath + added.withoutPath,
          addition: added.addition ?? report.addition,
        };
        this.#show(report);
        this.#keep(undoable, added);
      }
    });
  }

  #show(report: Report): void {
    this.undone = null;
    this.report = report;
  }

  #keep(undoable: Undoable, { addition, createdIds }: AddedJobs): void {
    if (addition === null) return;
    // Only at first: what was forgotten while the rest is added stays so.
    if (undoable.additions.length === 0) this.#remember(undoable);
    undoable.additions.push(addition);
    undoable.ids = [...undoable.ids, ...createdIds];
  }

  /**
   * How many files of each chunk may be added, null for any number: nothing is paid for, little is sent, or the user
   * wants it. Null if not.
   */
  async #confirmed(
    chunks: readonly (readonly string[])[],
    { connectionId, service }: Pick<JobOrder, 'connectionId' | 'service'>,
  ): Promise<readonly (number | null)[] | null> {
    if (service === null) return chunks.map(() => null);
    const preview = { ...nothing };
    const counts: number[] = [];
    const begunMs = performance.now();
    for (const paths of chunks) {
      const timeLimitMs = Math.max(0, previewTimeMs - (performance.now() - begunMs));
      const part = await this.#api.jobs.preview({ paths, connectionId, timeLimitMs });
      counts.push(part.found);
      preview.recordings += part.recordings;
      preview.seconds += part.seconds;
      preview.unmeasured += part.unmeasured;
      preview.longestSeconds += part.longestSeconds;
      preview.tooLong += part.tooLong;
    }
    return !isLarge(preview) || (await this.#ask(preview, service)) ? counts : null;
  }

  #ask(preview: AdditionSize, service: string, kind: LargeAddition['kind'] = 'add'): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (isConfirmed: boolean) => {
        this.question = null;
        resolve(isConfirmed);
      };
      this.question = { preview, kind, service, answer };
    });
  }
}

type Shown = Pick<AddFiles, 'pending' | 'report' | 'undone'>;

/** What was added or taken back last, and what was not, in one or two sentences; empty if nothing was. */
export function addedText({ pending, report, undone }: Shown, { convert: t, format }: Messages): string {
  if (pending > 0) return t.adding({ n: pending });
  if (undone === 'returned') return t.returned;
  if (undone) {
    const { removed, kept } = undone;
    return format.sentences(t.undone({ n: removed }), kept > 0 ? t.undoKept({ n: kept }) : '');
  }
  if (!report) return '';
  const { added, refused, ignored, withoutPath } = report;
  return format.sentences(
    added > 0 || refused + ignored + withoutPath === 0 ? t.added({ n: added }) : '',
    refused > 0 ? t.refused({ n: refused }) : '',
    ignored > 0 ? t.ignored({ n: ignored }) : '',
    withoutPath > 0 ? t.withoutPath({ n: withoutPath }) : '',
  );
}
