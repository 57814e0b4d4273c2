import type { ErrorCode } from '../errors.ts';

/** What a name can be made of. */
export interface TemplateFacts {
  /** Of the recording, without its ending; for speech, what stands for it. */
  readonly name: string;
  readonly voice: string;
  readonly connection: string;
  /** Shown in local time. */
  readonly createdAt: Date;
  readonly language: string;
}

const two = (value: number): string => String(value).padStart(2, '0');

const fields: Readonly<Record<string, (facts: TemplateFacts) => string>> = {
  name: ({ name }) => name,
  voice: ({ voice }) => voice,
  connection: ({ connection }) => connection,
  language: ({ language }) => language,
  date: ({ createdAt: at }) =>
    `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
  time: ({ createdAt: at }) => `${two(at.getHours())}-${two(at.getMinutes())}-${two(at.getSeconds())}`,
};

/** The fields as they are written in a template, the most used first. */
export const templateFields: readonly string[] = Object.keys(fields).map((field) => `{${field}}`);

export const defaultNameTemplate = '{name}, {voice}';

/** Longer ones are refused: with its fields filled in, a name has to fit into 255 bytes. */
export const maxTemplateLength = 200;

const placeholder = /\{([^{}]*)\}/g;
const isDots = (part: string): boolean => /^\s*\.{1,2}\s*$/.test(part);

/** What is wrong with a template, as codes that have their sentences; empty where nothing is. */
export function templateFaults(template: string): readonly ErrorCode[] {
  const parts = template.split('/');
  const outside = template.startsWith('/') || /^\s*[a-z]:/i.test(template) || parts.some(isDots);
  const named = [...template.matchAll(placeholder)].map(([, field = '']) => field);
  return [
    ...(named.some((field) => !Object.hasOwn(fields, field)) ? (['template/unknown-field'] as const) : []),
    ...(outside ? (['template/outside'] as const) : []),
    ...(parts.some((part, k) => part.trim() === '' && !(outside && k === 0)) ? (['template/empty'] as const) : []),
  ];
}

/**
 * Characters that end or split a name on one of the three systems, control characters, line and paragraph separators, marks that turn
 * the reading direction (a name could show another ending than it has), the byte order mark, and what Unicode has not assigned.
 */
const illegal = /[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cn}]/gu;

/** A text of which no character means anything to a file system. It may still be empty, too long, or one of two dots. */
export const withoutIllegal = (text: string): string => text.toWellFormed().normalize('NFC').replace(illegal, '_');

/** A field's value is data: a slash in it makes no folder, and a field in it is not filled in. */
const filled = (part: string, facts: TemplateFacts): string =>
  part.replace(placeholder, (written, field: string) =>
    Object.hasOwn(fields, field) ? withoutIllegal(fields[field]?.(facts) ?? '') : written,
  );

/** The folders and, last, the name that a template asks for, with every known field filled in. Not yet legal as names. */
export function filledTemplate(template: string, facts: TemplateFacts): readonly string[] {
  const parts = template.split('/').filter((part) => part.trim() !== '');
  return (parts.length > 0 ? parts : [defaultNameTemplate]).map((part) => filled(part, facts));
}
