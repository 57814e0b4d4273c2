import { loadMessages, type Messages } from '../../../shared/messages/index.ts';
import { spokenLanguage, textDirection } from '../../../shared/messages/languages.ts';
import type { AppInfo } from '../../../shared/schemas/app.ts';
import type { Language } from '../../../shared/schemas/settings.ts';
import { pageStorage } from './page-storage.ts';

/** macOS shows symbols for its keys in every language. */
const macKeys: Readonly<Record<string, string>> = { ctrl: '⌘', alt: '⌥', shift: '⇧', enter: '↩', del: '⌦' };

const languageKey = 'language';
const formatLocaleKey = 'format-locale';

type SystemLocale = Pick<AppInfo, 'languages' | 'formatLocale' | 'platform'>;

/** Languages for the first frame, before main has answered: the one shown last time, else those of the system. */
export const rememberedLanguages = (): readonly string[] =>
  [pageStorage.getItem(languageKey) ?? [], navigator.languages].flat();

/** The tag of the formats for the first frame. */
export const rememberedFormatLocale = (): string | undefined => pageStorage.getItem(formatLocaleKey) ?? undefined;

/** Stores both for the first frame of the next start. */
export function rememberLocale({ t, formatLocale }: Pick<I18n, 't' | 'formatLocale'>): void {
  pageStorage.setItem(languageKey, t.language);
  if (formatLocale !== undefined) pageStorage.setItem(formatLocaleKey, formatLocale);
}

/**
 * Messages in the user's language: the selected one, else the first supported language of the system. The previous language stays
 * until the messages of another one are loaded.
 */
export class I18n {
  #language: Language = 'system';
  #system: readonly string[];
  #formatLocale: string | undefined;
  #platform = $state.raw<AppInfo['platform']>('linux');
  #t = $state.raw<Messages>() as Messages;

  /** `messages` are those of the first frame. */
  constructor(messages: Messages) {
    this.#t = messages;
    this.#system = [messages.language];
  }

  /** The tag of the formats of dates and numbers, once main has told it. */
  get formatLocale(): string | undefined {
    return this.#formatLocale;
  }

  get t(): Messages {
    return this.#t;
  }

  /** Applies what main knows of the system and the selected language. Resolves once its messages are loaded. */
  follow({ languages, formatLocale, platform }: SystemLocale, language: Language): Promise<void> {
    this.#system = languages;
    this.#formatLocale = formatLocale;
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
    const wanted = (): readonly string[] => (this.#language === 'system' ? this.#system : [this.#language]);
    const messages = await loadMessages(wanted(), this.#formatLocale);
    // The user may have selected another language meanwhile.
    if (spokenLanguage(wanted()) === messages.language) this.#t = messages;
  }
}
