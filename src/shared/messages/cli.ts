import type { CliMessages as Section } from './compiled/en-cli.ts';
import { loadCatalogue, type Messages } from './index.ts';
import { formatLocale, type SpokenLanguage, spokenLanguage, textDirection } from './languages.ts';
import { formatFor, type LocaleFormat } from './locale-format.ts';

/** All messages, with those of the command line. */
export type CliMessages = Messages & { readonly cli: Section };

const directionMarks = /[\u061c\u200e\u200f\u2066-\u2069]/g;

function withoutMarks(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(directionMarks, '');
  if (typeof value === 'function')
    return (...args: readonly unknown[]) => withoutMarks(Reflect.apply(value, null, args));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutMarks(one)]));
}

/** Formats without marks of direction: a terminal orders texts itself, and ours shows marks that a name may hide. */
const terminalFormat = (language: SpokenLanguage, format: LocaleFormat): LocaleFormat =>
  textDirection(language) === 'rtl' ? { ...(withoutMarks(format) as LocaleFormat), isolate: (text) => text } : format;

/** Like `loadMessages`, for a terminal. */
export async function loadCliMessages(tags: string | readonly string[], regional?: string): Promise<CliMessages> {
  const language = spokenLanguage(tags);
  const format = terminalFormat(language, formatFor(language, formatLocale(language, regional)));
  const [app, { messages }] = await Promise.all([
    loadCatalogue(language, format),
    import(`./compiled/${language}-cli.ts`) as Promise<typeof import('./compiled/en-cli.ts')>,
  ]);
  return { ...app, cli: messages(format) };
}

interface Page {
  readonly page: number;
  readonly pages: number;
  readonly shown: number;
  readonly total: number;
}

/** Which page of a list is shown, and how to see the next. */
export const pageText = (page: Page, { cli, format }: CliMessages): string =>
  format.sentences(cli.page(page), page.page < page.pages ? cli.nextPage({ page: page.page + 1 }) : '');
