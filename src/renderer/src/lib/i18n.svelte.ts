import { loadMessages, spokenLanguage, type Messages, type SpokenLanguage } from '../../../shared/messages/index.ts';
import type { AppInfo } from '../../../shared/schemas/app.ts';
import type { Language } from '../../../shared/schemas/settings.ts';

/** macOS shows signs for its keys, in every language. */
const macKeys: Readonly<Record<string, string>> = { ctrl: '⌘', alt: '⌥', shift: '⇧', enter: '↩', del: '⌦' };

const memory = 'timbre.language';

/** The languages to ask for before main has said which: the one that was shown the last time, else those of the system. */
export function rememberedLanguages(): readonly string[] {
  try {
    return [localStorage.getItem(memory) ?? [], navigator.languages].flat();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return navigator.languages;
  }
}

/** For the first frame of the next start. */
export function rememberLanguage(language: string): void {
  try {
    localStorage.setItem(memory, language);
  } catch (error) {
    // A page without storage begins with the language of the system.
    if (!(error instanceof DOMException)) throw error;
  }
}

/**
 * The words in the person's language: the one that was chosen, else the first of the system's that Timbre speaks. Another language
 * shows once its messages are loaded; until then the present one stays.
 */
export class I18n {
  #chosen: Language = 'system';
  #system: readonly string[];
  #platform = $state.raw<AppInfo['platform']>('linux');
  #t = $state.raw<Messages>() as Messages;

  /** `messages` are those of the first frame. */
  constructor(messages: Messages) {
    this.#t = messages;
    this.#system = [messages.language];
  }

  get t(): Messages {
    return this.#t;
  }

  /** What main knows: the system, and what the person chose. Resolves when the right words are there. */
  follow({ languages, platform }: Pick<AppInfo, 'languages' | 'platform'>, language: Language): Promise<void> {
    this.#system = languages;
    this.#platform = platform;
    return this.choose(language);
  }

  /** What is written on a key; `ctrl` is the key that shortcuts are pressed with, ⌘ on a Mac. */
  key(name: string): string {
    const names: Readonly<Record<string, string>> = this.t.shortcuts.names;
    return (this.#platform === 'mac' ? macKeys[name] : undefined) ?? names[name] ?? name;
  }

  choose(language: Language): Promise<void> {
    this.#chosen = language;
    return this.#load();
  }

  async #load(): Promise<void> {
    const wanted = (): SpokenLanguage => spokenLanguage(this.#chosen === 'system' ? this.#system : this.#chosen);
    if (wanted() !== this.#t.language) {
      const messages = await loadMessages(wanted());
      // The person may have chosen again meanwhile.
      if (wanted() === messages.language) this.#t = messages;
    }
  }
}
