import type { Problem } from '../errors.ts';
import { isTextPath } from '../schemas/watch.ts';
import type { Messages } from './en.ts';
import type { ProblemText } from './facts.ts';

export { problemHandling, type ProblemAction } from '../errors.ts';
export type { ProblemText } from './facts.ts';
export type { Messages } from './en.ts';

/** Supported languages. A catalogue is loaded only when its language is used, so that startup does not wait for the others. */
const catalogues = {
  en: async (): Promise<Messages> => (await import('./en.ts')).en,
  de: async (): Promise<Messages> => (await import('./de.ts')).de,
} as const;

export type SpokenLanguage = keyof typeof catalogues;

const isSpoken = (language: string): language is SpokenLanguage => Object.hasOwn(catalogues, language);

/** The first supported language of some tags such as `de-AT` (best first); English if there is none. */
export function spokenLanguage(tags: string | readonly string[]): SpokenLanguage {
  for (const tag of typeof tags === 'string' ? [tags] : tags) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (isSpoken(language)) return language;
  }
  return 'en';
}

/** The messages of `spokenLanguage(tags)`. */
export const loadMessages = (tags: string | readonly string[]): Promise<Messages> => catalogues[spokenLanguage(tags)]();

/** The text of a problem, with the facts that are known. */
export const problemText = (messages: Messages, problem: Problem): ProblemText =>
  messages.problems[problem.code](problem.facts ?? {});

/** The text of a problem of a watched file, which the user did not add and which is checked again automatically. */
export function watchedProblemText(messages: Messages, problem: Problem): ProblemText {
  const text = problemText(messages, problem);
  const advice = messages.watch.advice[problem.code]?.(problem.facts ?? {});
  return advice === undefined ? text : { ...text, advice };
}

/** What is said of a file of a watched folder: a recording is converted, a text is spoken. */
export const watchedFileTexts = ({ watch }: Messages, path: string): Messages['watch']['file'] =>
  isTextPath(path) ? { ...watch.file, ...watch.textFile } : watch.file;
