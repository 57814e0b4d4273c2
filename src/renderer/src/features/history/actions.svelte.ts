import type {
  RepeatChanges,
  RepeatPreview,
  RepeatResult,
  SelectionRef,
  HistoryExport,
  HistoryFound,
  HistoryImportReport,
  HistoryRemoval,
  LongTaskProgress,
  RestoredResults,
} from '../../../../shared/schemas/history.ts';
import type { StatisticsQuery, StatisticsTable } from '../../../../shared/schemas/statistics.ts';
import { ActionState, createLatest } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';
import { debounced } from '../../lib/debounced.ts';
import type { InternalDrag } from '../../lib/file-drop.svelte.ts';

/** The result of the last action, shown until the next one, or until the view closes. */
export type ActionResult =
  | ({ readonly kind: 'removed' } & HistoryRemoval)
  | { readonly kind: 'restored'; readonly entries: number }
  | ({ readonly kind: 'files-restored' } & RestoredResults)
  | { readonly kind: 'adding' }
  | ({ readonly kind: 'repeated'; readonly isChanged: boolean } & RepeatResult)
  | ({ readonly kind: 'exported' } & HistoryExport)
  | { readonly kind: 'table-saved'; readonly name: string }
  | ({ readonly kind: 'imported' } & Omit<HistoryImportReport, 'problem'>)
  | { readonly kind: 'import-undone'; readonly entries: number }
  | { readonly kind: 'copied'; readonly paths: number }
  | { readonly kind: 'copied-files'; readonly files: number }
  | { readonly kind: 'too-many'; readonly max: number }
  | { readonly kind: 'stopped'; readonly task: LongTaskProgress['kind'] }
  | { readonly kind: 'searched'; readonly found: HistoryFound };

/** The contract's limit for files in one call. */
export const maxFiles = 100;

interface AnnotationChanges {
  readonly isFavourite?: boolean;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
}

/** Whether the user wants to send that much to services. */
export type ConfirmRepeat = (preview: RepeatPreview) => Promise<boolean>;

/** The commands on entries. The list changes with the events of main, not with their replies. */
export class HistoryActions extends ActionState {
  readonly #api: Api['history'];
  readonly #internalDrag: Pick<InternalDrag, 'begin'>;
  readonly #confirmRepeat: ConfirmRepeat;
  #isRepeating = false;
  readonly #beginQuestion = createLatest();
  readonly #asking = debounced(() => void this.#askForRestorable(), { delayMs: 100, maxDelayMs: 500 });
  #asked: SelectionRef | null = null;

  result = $state.raw<ActionResult | null>(null);
  /** The running export, import or search for a file; only one runs at a time. */
  task = $state.raw<LongTaskProgress | null>(null);

  /** One of the several selected entries has a result that can be restored. */
  hasRestorable = $state(false);

  /** All tags that entries have. */
  tags = $state.raw<readonly string[]>([]);

  /** Id of the removal or import that the last result reports, and how many entries it changed. */
  readonly #undoable = $derived.by(() => {
    const { result } = this;
    if (result?.kind === 'removed') return result;
    if (result?.kind !== 'imported' || result.undo === null) return null;
    return { undo: result.undo, entries: result.added + result.broughtBack };
  });
  readonly canUndo: boolean = $derived(this.#undoable !== null);

  constructor(api: Api['history'], internalDrag: Pick<InternalDrag, 'begin'>, confirmRepeat: ConfirmRepeat) {
    super();
    this.#api = api;
    this.#internalDrag = internalDrag;
    this.#confirmRepeat = confirmRepeat;
  }

  /** Takes away what is out of date, but neither what can still be undone nor what is in progress. */
  dismissResult(): void {
    if (!this.canUndo && this.result?.kind !== 'adding') this.result = null;
  }

  protected override attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    this.dismissResult();
    return super.attempt(action);
  }

  /** Returns whether the entries were removed. */
  async remove(choice: SelectionRef, withFiles: boolean): Promise<boolean> {
    const removal = await this.attempt(() => this.#api.remove({ choice, withFiles }));
    if (removal) this.result = { kind: 'removed', ...removal };
    return removal !== undefined;
  }

  /** Takes back the last removal or import while it is the last result. */
  async undo(): Promise<void> {
    const kind = this.result?.kind === 'imported' ? 'import-undone' : 'restored';
    const undoable = this.#undoable;
    if (!undoable) return;
    const { undo, entries } = undoable;
    const isDone = await this.attempt(() => this.#api.undo({ undo }).then(() => true));
    if (isDone) this.result = { kind, entries };
  }

  /** Finds out `hasRestorable` for a selection; null for none. Keys may change the selection faster than it is answered. */
  checkRestorable(choice: SelectionRef | null): void {
    this.#beginQuestion();
    this.#asked = choice;
    this.hasRestorable = false;
    if (choice) this.#asking.call();
    else this.#asking.cancel();
  }

  async #askForRestorable(): Promise<void> {
    if (!this.#asked) return;
    const isLatest = this.#beginQuestion();
    // Without an answer, it is not offered.
    const answer = await this.#api.hasRestorable({ choice: this.#asked }).catch(() => false);
    if (isLatest()) this.hasRestorable = answer;
  }

  /** Puts results that are gone back from Timbre's copies. */
  async restoreResults(choice: SelectionRef): Promise<void> {
    const reply = await this.attempt(() => this.#api.restoreResults({ choice }));
    if (!reply) return;
    this.result = { kind: 'files-restored', ...reply };
    if (this.#asked) this.checkRestorable(this.#asked);
    // Why files could not be saved is shown like any other problem.
    this.problem = reply.firstProblem;
  }

  /** False if it failed. */
  async update(choice: SelectionRef, changes: AnnotationChanges): Promise<boolean> {
    return (await this.attempt(() => this.#api.update({ choice, ...changes }).then(() => true))) ?? false;
  }

  async loadTags(): Promise<void> {
    // Tags are only suggestions; without them the user types a tag in full.
    this.tags = await this.#api.tags().catch(() => []);
  }

  /** Ignored while one is running: each would be paid for. Before several entries are repeated, the user may have to confirm it. */
  async repeat(choice: SelectionRef, changes: RepeatChanges = {}): Promise<void> {
    if (this.#isRepeating) return;
    this.#isRepeating = true;
    const adding: ActionResult = { kind: 'adding' };
    this.result = adding;
    const reply = await this.attempt(async () => {
      const isOne = 'ids' in choice && choice.ids.length === 1;
      const isWanted = isOne || (await this.#confirmRepeat(await this.#api.previewRepeat({ choice, changes })));
      return isWanted ? this.#api.repeat({ choice, changes }) : undefined;
    });
    this.#isRepeating = false;
    if (this.result === adding) this.result = null;
    if (!reply) return;
    this.result = { kind: 'repeated', ...reply, isChanged: Object.keys(changes).length > 0 };
    // Why entries were skipped is shown like any other problem.
    this.problem = reply.firstSkipped?.problem ?? null;
  }

  /** Exports the selected entries, or the whole history for null. */
  async export(choice: SelectionRef | null, what: 'list' | 'sound'): Promise<void> {
    const reply = await this.attempt(() => this.#api.export({ choice, what }));
    if (reply) this.result = { kind: 'exported', ...reply };
  }

  async exportStatistics(query: StatisticsQuery, table: StatisticsTable): Promise<void> {
    const name = await this.attempt(() => this.#api.exportStatistics({ ...query, table }));
    if (typeof name === 'string') this.result = { kind: 'table-saved', name };
  }

  async import(): Promise<void> {
    const reply = await this.attempt(() => this.#api.import());
    if (!reply) return;
    const { problem, ...report } = reply;
    this.result = { kind: 'imported', ...report };
    // Why it ended early is shown like any other problem.
    this.problem = problem;
  }

  async cancelTask(): Promise<void> {
    const kind = this.task?.kind;
    if (!kind || !(await this.attempt(() => this.#api.cancelTask()))) return;
    // The report of a stopped import says more, and may have arrived before.
    if (this.result?.kind !== 'imported') this.result = { kind: 'stopped', task: kind };
  }

  /** Pass null if more entries are selected than `maxFiles`. */
  async copyPaths(ids: readonly string[] | null): Promise<void> {
    if (ids === null) {
      this.#reportTooMany();
      return;
    }
    const reply = await this.attempt(() => this.#api.copyPaths({ ids }));
    if (reply) this.result = { kind: 'copied', ...reply };
  }

  /** Like `copyPaths`, with the files themselves. */
  async copyFiles(ids: readonly string[] | null): Promise<void> {
    if (ids === null) {
      this.#reportTooMany();
      return;
    }
    const reply = await this.attempt(() => this.#api.copyFiles({ ids }));
    if (reply) this.result = { kind: 'copied-files', ...reply };
  }

  async share(ids: readonly string[] | null): Promise<void> {
    if (ids === null) this.#reportTooMany();
    else await this.attempt(() => this.#api.share({ ids }));
  }

  /** Called when a drag begins. Pass null if more entries are selected than `maxFiles`. */
  async drag(ids: readonly string[] | null): Promise<void> {
    if (ids === null) {
      this.#reportTooMany();
      return;
    }
    const reply = this.attempt(() => this.#api.drag({ ids }));
    this.#internalDrag.begin(reply.then((drag) => drag?.names ?? []));
    await reply;
  }

  /** Returns whether the file was found. */
  async findFile(id: string, which: 'source' | 'result'): Promise<boolean> {
    const found = await this.attempt(() => this.#api.findFile({ id, which }));
    if (found) this.result = { kind: 'searched', found };
    return found?.kind === 'found';
  }

  #reportTooMany(): void {
    this.result = { kind: 'too-many', max: maxFiles };
  }
}
