import type {
  AddedBatch,
  BatchPage,
  BatchRow,
  OpenedTexts,
  SpeechSettings,
  TextDivision,
} from '../../../../shared/schemas/speech.ts';
import { ActionState, createLatest } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

type Opened = Extract<OpenedTexts, { kind: 'batch' }>;
type BatchApi = Pick<Api['speech'], 'openFiles' | 'openDraft' | 'listBatch' | 'speakBatch'>;

/** The texts of opened files or of the draft, each of which becomes a job: rows of a table, chapters, paragraphs, or whole files. */
export class SpeechBatch extends ActionState {
  readonly #api: BatchApi;
  readonly #begin = createLatest();
  /** What was listed last. */
  #listed: { readonly settings: SpeechSettings; readonly division: TextDivision } | undefined;

  /** Null if none is open. */
  opened = $state.raw<Opened | null>(null);
  division = $state<TextDivision>('whole');
  /** Figures of the whole batch; null until they are known. */
  summary = $state.raw<Pick<BatchPage, 'texts' | 'bad' | 'characters' | 'calls'> | null>(null);
  rows = $state.raw<readonly BatchRow[]>([]);
  isSubmitting = $state(false);
  /** The rows and figures are being read for other settings than they were. */
  isReading = $state(false);
  /** The texts could not be listed, or only a part of them. */
  isListFailed = $state(false);
  /** What was added last; null before. */
  added = $state.raw<AddedBatch | null>(null);
  /** How many times a single text was opened, which is for the editor. */
  editable = $state(0);
  readonly ready: number = $derived(this.summary ? this.summary.texts - this.summary.bad : 0);

  constructor(api: BatchApi) {
    super();
    this.#api = api;
  }

  /** Opens files, which the user selects if `paths` is null. */
  async open(paths: readonly string[] | null): Promise<void> {
    this.#show(await this.attempt(() => this.#api.openFiles({ paths })));
  }

  /** Opens the saved draft of this length, to make a file of each of its paragraphs. */
  async openDraft(length: number): Promise<void> {
    this.#show(await this.attempt(() => this.#api.openDraft({ length })));
  }

  #show(opened: OpenedTexts | null | undefined): void {
    if (!opened) return;
    this.close();
    if (opened.kind === 'text') {
      this.editable += 1;
      return;
    }
    this.opened = opened;
    this.division = opened.divisions[0] ?? 'whole';
  }

  /** Opens the only text in the editor. */
  edit(): void {
    this.close();
    this.editable += 1;
  }

  close(): void {
    this.#begin();
    this.isListFailed = false;
    this.opened = null;
    this.summary = null;
    this.rows = [];
    this.added = null;
    this.#listed = undefined;
  }

  /** Lists the texts as they would be spoken with these settings. */
  async follow(settings: SpeechSettings): Promise<void> {
    if (!this.opened) return;
    const isLatest = this.#begin();
    const request = { settings, division: this.division };
    this.isReading = JSON.stringify(request) !== JSON.stringify(this.#listed);
    if (this.isReading) this.added = null;
    await this.attempt(async () => {
      const rows: BatchRow[] = [];
      for (let from: number | null = 0; from !== null;) {
        const page: BatchPage = await this.#api.listBatch({ ...request, from });
        if (!isLatest()) return;
        rows.push(...page.rows);
        this.summary = page;
        this.rows = [...rows];
        from = page.next;
      }
      this.#listed = request;
    });
    if (!isLatest()) return;
    this.isReading = false;
    this.isListFailed = this.#listed !== request;
  }

  /** Adds a job for each text that can be spoken. Ignored while they are being added. */
  async speak(): Promise<void> {
    const { opened } = this;
    const request = this.#listed;
    if (this.isSubmitting || this.isReading || this.ready === 0 || !request) return;
    this.isSubmitting = true;
    const added = await this.attempt(() => this.#api.speakBatch({ ...request, count: this.ready }));
    if (added && this.opened === opened) this.added = added;
    this.isSubmitting = false;
  }
}
