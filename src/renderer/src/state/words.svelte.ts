import { messagesFor, type Messages } from '../../../shared/messages/index.ts';
import type { AppInfo } from '../../../shared/wire/app.ts';
import type { Language } from '../../../shared/wire/settings.ts';

/** macOS shows signs for its keys, in every language. */
const macKeys: Readonly<Record<string, string>> = { ctrl: '⌘', alt: '⌥', shift: '⇧', enter: '↩', del: '⌦' };

/** The words in the person's language: the one that was chosen, else the first of the system's that Timbre speaks. */
export class Words {
  #chosen = $state<Language>('system');
  #system = $state.raw<readonly string[]>([]);
  #platform = $state.raw<AppInfo['platform']>('linux');

  readonly t: Messages = $derived(messagesFor(this.#chosen === 'system' ? this.#system : this.#chosen));

  followSystem({ languages, platform }: Pick<AppInfo, 'languages' | 'platform'>): void {
    this.#system = languages;
    this.#platform = platform;
  }

  /** What is written on a key; `ctrl` is the key that shortcuts are pressed with, ⌘ on a Mac. */
  key(name: string): string {
    const names: Readonly<Record<string, string>> = this.t.keys.names;
    return (this.#platform === 'mac' ? macKeys[name] : undefined) ?? names[name] ?? name;
  }

  choose(language: Language): void {
    this.#chosen = language;
  }
}
