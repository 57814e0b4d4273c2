import { isTextPath } from '../schemas/watch.ts';
import type { AppMessages } from './compiled/en-app.ts';
import { formatLocale, type SpokenLanguage, spokenLanguage } from './languages.ts';
import { formatFor, type LocaleFormat } from './locale-format.ts';

/** All texts that Timbre shows, announces or prints, with the formats of their numbers. */
export type Messages = AppMessages & { readonly language: SpokenLanguage; readonly format: LocaleFormat };

const loaded = new Map<string, Promise<Messages>>();

/** The messages of a language with these formats. */
export async function loadCatalogue(language: SpokenLanguage, format: LocaleFormat): Promise<Messages> {
  // One language is loaded, so that startup does not wait for the others.
  const { messages } = (await import(`./compiled/${language}-app.ts`)) as typeof import('./compiled/en-app.ts');
  return { language, format, ...messages(format) };
}

/** The messages of `spokenLanguage(tags)`, with the formats of the region that `regional` names, a tag such as `de-CH`. */
export function loadMessages(tags: string | readonly string[], regional?: string): Promise<Messages> {
  const language = spokenLanguage(tags);
  const locale = formatLocale(language, regional);
  const loading = loaded.get(locale) ?? loadCatalogue(language, formatFor(language, locale));
  loaded.set(locale, loading);
  return loading;
}

/** What is said of a file of a watched folder: a recording is converted, a text is spoken. */
export const watchedFileTexts = ({ watch }: Messages, path: string): Messages['watch']['file'] =>
  isTextPath(path) ? { ...watch.file, ...watch.textFile } : watch.file;
