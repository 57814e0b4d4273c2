import type { Messages } from '../../../../shared/messages/index.ts';
import type { PronunciationId, PronunciationImport } from '../../../../shared/schemas/pronunciation.ts';
import type { Pronunciation } from '../../../../shared/text/pronounce.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** What an import or export of the list did. */
type Exchange =
  ({ readonly kind: 'imported' } & PronunciationImport) | { readonly kind: 'exported'; readonly count: number };

export function exchangeText(exchange: Exchange, { speech, format }: Messages): string {
  const { exchanged: t } = speech.pronunciations;
  if (exchange.kind === 'exported') return t.exported({ n: exchange.count });
  const { added, changed, skipped } = exchange;
  return format.sentences(
    t.added({ n: added }),
    changed > 0 ? t.changed({ n: changed }) : '',
    skipped > 0 ? t.skipped({ n: skipped }) : '',
  );
}

/** The user's list of pronunciations, loaded when it is opened. */
export class Pronunciations extends ActionState {
  readonly #api: Api['pronunciations'];

  list = $state.raw<readonly Pronunciation[]>([]);
  isOpen = $state(false);
  exchange = $state.raw<Exchange | null>(null);
  /** The entry that was removed last; null once the list has changed otherwise. */
  removed = $state.raw<Pronunciation | null>(null);
  /** How often the list has changed since the window opened. */
  changes = $state(0);

  constructor(api: Api['pronunciations']) {
    super();
    this.#api = api;
  }

  async open(): Promise<void> {
    this.isOpen = true;
    this.exchange = null;
    this.removed = null;
    await this.attempt(async () => (this.list = await this.#api.list()));
  }

  close(): void {
    this.isOpen = false;
    this.problem = null;
  }

  /** Saves an entry in place of `before`; returns whether it was saved. */
  async save(entry: Pronunciation, before: PronunciationId | null): Promise<boolean> {
    return (await this.attempt(() => this.#change(this.#api.save({ entry, before })))) === true;
  }

  async remove(entry: Pronunciation): Promise<void> {
    const { language, word } = entry;
    const isDone = await this.attempt(() => this.#change(this.#api.remove({ language, word })));
    if (isDone) this.removed = entry;
  }

  async undoRemoval(): Promise<void> {
    if (this.removed) await this.save(this.removed, null);
  }

  async importFile(): Promise<void> {
    await this.attempt(async () => {
      const imported = await this.#api.importFile();
      if (!imported) return;
      await this.#change(this.#api.list());
      this.exchange = { kind: 'imported', ...imported };
    });
  }

  async exportFile(language: string): Promise<void> {
    await this.attempt(async () => {
      const count = await this.#api.exportFile({ language });
      if (count !== null) this.exchange = { kind: 'exported', count };
    });
  }

  async #change(changed: Promise<readonly Pronunciation[]>): Promise<true> {
    this.list = await changed;
    this.exchange = null;
    this.removed = null;
    this.changes += 1;
    return true;
  }
}
