import { loadMessages, spokenLanguage, type Messages, type SpokenLanguage } from '../../../shared/messages/index.ts';
import { textDirection } from '../../../shared/messages/text-direction.ts';
import type { AppInfo } from '../../../shared/schemas/app.ts';
import type { Language } from '../../../shared/schemas/settings.ts';

/** macOS shows symbols for its keys in every language. */
const macKeys: Readonly<Record<string, string>> = { ctrl: '⌘', alt: '⌥', shift: '⇧', enter: '↩', del: '⌦' };

const storageKey = 'timbre.language';

/** Languages for the first frame, before main has answered: the one shown last time, else those of the system. */
export function rememberedLanguages(): readonly string[] {
  try {
    return [localStorage.getItem(storageKey) ?? [], navigator.languages].flat();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return navigator.languages;
  }
}

/** Stores the language for the first frame of the next start. */
export function rememberLanguage(language: string): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch (error) {
    // Without storage, the next start begins in the language of the system.
    if (!(error instanceof DOMException)) throw error;
  }
}

/**
 * Messages in the user's language: the selected one, else the first supported language of the system. The previous language stays
 * until the messages of another one are loaded.
 */
export class I18n {
  #language: Language = 'system';
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

  /** Applies what main knows of the system and the selected language. Resolves once its messages are loaded. */
  follow({ languages, platform }: Pick<AppInfo, 'languages' | 'platform'>, language: Language): Promise<void> {
    this.#system = languages;
    this.#platform = platform;
    return this.select(language);
  }

  /** The label of a key; `ctrl` is the modifier of shortcuts, ⌘ on a Mac, and `inline-end` the arrow along the line of text. */
  key(name: string): string {
    if (name === 'inline-end') return textDirection(this.t.language) === 'rtl' ? '←' : '→';
    const names: Readonly<Record<string, string>> = this.t.shortcuts.names;
    return (this.#platform === 'mac' ? macKeys[name] : undefined) ?? names[name] ?? name;
  }

  select(language: Language): Promise<void> {
    this.#language = language;
    return this.#load();
  }

  async #load(): Promise<void> {
    const wanted = (): SpokenLanguage => spokenLanguage(this.#language === 'system' ? this.#system : this.#language);
    if (wanted() !== this.#t.language) {
      const messages = await loadMessages(wanted());
      // The user may have selected another language meanwhile.
      if (wanted() === messages.language) this.#t = messages;
    }
  }
}
