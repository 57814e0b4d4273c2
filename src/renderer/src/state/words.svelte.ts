import { messagesFor, type Messages } from '../../../shared/messages/index.ts';
import type { Language } from '../../../shared/wire/settings.ts';

/** The words in the person's language: the one that was chosen, else the first of the system's that Timbre speaks. */
export class Words {
  #chosen = $state<Language>('system');
  #system = $state.raw<readonly string[]>([]);

  readonly t: Messages = $derived(messagesFor(this.#chosen === 'system' ? this.#system : this.#chosen));

  followSystem(languages: readonly string[]): void {
    this.#system = languages;
  }

  choose(language: Language): void {
    this.#chosen = language;
  }
}
