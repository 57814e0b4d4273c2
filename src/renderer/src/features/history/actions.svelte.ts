import type {
  RepeatChanges,
  RepeatResult,
  SelectionRef,
  HistoryExport,
  HistoryFound,
  HistoryImport,
  HistoryRemoval,
  LongTaskProgress,
} from '../../../../shared/schemas/history.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';
import type { InternalDrag } from '../../lib/file-drop.svelte.ts';

/** What came of the last thing that was done to entries, told in a line until the next one. */
export type ActionResult =
  | ({ readonly kind: 'removed' } & HistoryRemoval)
  | { readonly kind: 'brought-back'; readonly entries: number }
  | { readonly kind: 'adding' }
  | ({ readonly kind: 'again'; readonly isChanged: boolean } & RepeatResult)
  | ({ readonly kind: 'exported' } & HistoryExport)
  | ({ readonly kind: 'imported' } & HistoryImport)
  | { readonly kind: 'copied'; readonly paths: number }
  | { readonly kind: 'too-many'; readonly most: number }
  | { readonly kind: 'stopped'; readonly work: LongTaskProgress['kind'] }
  | { readonly kind: 'searched'; readonly found: HistoryFound };

/** The contract's limit for files in one call. */
export const maxFiles = 100;

interface Marks {
  readonly isFavourite?: boolean;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
}

/** What a person does to entries. The list follows when main tells of it. */
export class HistoryActions extends ActionState {
  readonly #api: Api['history'];
  readonly #ownDrag: Pick<InternalDrag, 'begin'>;
  #isAdding = false;

  outcome = $state.raw<ActionResult | null>(null);
  /** What takes a while, and is not asked for twice. */
  work = $state.raw<LongTaskProgress | null>(null);

  /** Every tag that some entry has. */
  tags = $state.raw<readonly string[]>([]);

  readonly canUndo: boolean = $derived(this.outcome?.kind === 'removed');

  constructor(api: Api['history'], ownDrag: Pick<InternalDrag, 'begin'>) {
    super();
    this.#api = api;
    this.#ownDrag = ownDrag;
  }

  /** True once they are gone from history. */
  async remove(choice: SelectionRef, withFiles: boolean): Promise<boolean> {
    const removal = await this.attempt(() => this.#api.remove({ choice, withFiles }));
    if (removal) this.outcome = { kind: 'removed', ...removal };
    return removal !== undefined;
  }

  /** Brings back what was removed last, where the line still says so. */
  async undo(): Promise<void> {
    const { outcome } = this;
    if (outcome?.kind !== 'removed') return;
    const isDone = await this.attempt(() => this.#api.undo({ undo: outcome.undo }).then(() => true));
    if (isDone) this.outcome = { kind: 'brought-back', entries: outcome.entries };
  }

  async mark(choice: SelectionRef, marks: Marks): Promise<void> {
    await this.attempt(() => this.#api.update({ choice, ...marks }));
  }

  async readTags(): Promise<void> {
    // Without them a tag is written in full.
    this.tags = await this.#api.tags().catch(() => []);
  }

  /** Asked for again while it is on its way it is one wish: each would be paid for. */
  async again(choice: SelectionRef, changes: RepeatChanges = {}): Promise<void> {
    if (this.#isAdding) return;
    this.#isAdding = true;
    const adding: ActionResult = { kind: 'adding' };
    this.outcome = adding;
    const answer = await this.attempt(() => this.#api.repeat({ choice, changes }));
    this.#isAdding = false;
    if (this.outcome === adding) this.outcome = null;
    if (!answer) return;
    this.outcome = { kind: 'again', ...answer, isChanged: Object.keys(changes).length > 0 };
    // Why some were left out is told like any other reason.
    this.problem = answer.firstSkipped?.problem ?? null;
  }

  /** All of history for null. */
  async exportTo(choice: SelectionRef | null, what: 'list' | 'sound'): Promise<void> {
    const answer = await this.attempt(() => this.#api.export({ choice, what }));
    if (answer) this.outcome = { kind: 'exported', ...answer };
  }

  async importFrom(): Promise<void> {
    const answer = await this.attempt(() => this.#api.import());
    if (answer) this.outcome = { kind: 'imported', ...answer };
  }

  /** Ends what takes a while. */
  async stop(): Promise<void> {
    const kind = this.work?.kind;
    if (kind && (await this.attempt(() => this.#api.cancelTask()))) this.outcome = { kind: 'stopped', work: kind };
  }

  /** Null where there are too many to name. */
  async copyPaths(ids: readonly string[] | null): Promise<void> {
    if (ids === null) {
      this.#refuse();
      return;
    }
    const answer = await this.attempt(() => this.#api.copyPaths({ ids }));
    if (answer) this.outcome = { kind: 'copied', ...answer };
  }

  /** Called as a drag begins; null where there are too many to name. */
  async drag(ids: readonly string[] | null): Promise<void> {
    if (ids === null) {
      this.#refuse();
      return;
    }
    const answer = this.attempt(() => this.#api.drag({ ids }));
    this.#ownDrag.begin(answer.then((drag) => drag?.names ?? []));
    await answer;
  }

  /** True where the file was found. */
  async find(id: string, which: 'source' | 'result'): Promise<boolean> {
    const found = await this.attempt(() => this.#api.findFile({ id, which }));
    if (found) this.outcome = { kind: 'searched', found };
    return found?.kind === 'found';
  }

  #refuse(): void {
    this.outcome = { kind: 'too-many', most: maxFiles };
  }
}
