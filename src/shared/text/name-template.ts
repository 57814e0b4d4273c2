import type { ErrorCode } from '../errors.ts';
import { isoDay, twoDigits } from './iso-day.ts';

/** The values for a template's fields. */
export interface TemplateFacts {
  /** Name of the recording without its extension; for speech, a name in its place. */
  readonly name: string;
  readonly voice: string;
  readonly connection: string;
  /** Formatted in local time. */
  readonly createdAt: Date;
  readonly language: string;
}

const fields: Readonly<Record<string, (facts: TemplateFacts) => string>> = {
  name: ({ name }) => name,
  voice: ({ voice }) => voice,
  connection: ({ connection }) => connection,
  language: ({ language }) => language,
  date: ({ createdAt }) => isoDay(createdAt),
  time: ({ createdAt: at }) =>
    `${twoDigits(at.getHours())}-${twoDigits(at.getMinutes())}-${twoDigits(at.getSeconds())}`,
};

/** The fields as written in a template, most used first. */
export const templateFields: readonly string[] = Object.keys(fields).map((field) => `{${field}}`);

export const defaultNameTemplate = '{name}, {voice}';

/** Longer templates are rejected, because a name with its fields filled in must fit into 255 bytes. */
export const maxTemplateLength = 200;

const placeholder = /\{([^{}]*)\}/g;
const isDots = (part: string): boolean => /^\s*\.{1,2}\s*$/.test(part);

/** Returns the error codes of a template's faults; empty if it is valid. */
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
 * Characters that end or split a name on one of the three systems, control characters, line and
 * paragraph separators, bidirectional controls (a name could seem to have another extension), the
 * byte order mark, and unassigned code points.
 */
const illegal = /[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cn}]/gu;

/**
 * Replaces characters that have a meaning to a file system. The result may still be empty, too long,
 * or `..`.
 */
export const withoutIllegal = (text: string): string => text.toWellFormed().normalize('NFC').replace(illegal, '_');

/** Replaces the placeholders of known fields. A field inside a value is not filled in. */
export const fillFields = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(placeholder, (written, field: string) =>
    Object.hasOwn(values, field) ? (values[field] ?? '') : written,
  );

/** The values of a template's fields, by field. */
export const templateValues = (facts: TemplateFacts): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([field, valueOf]) => [field, valueOf(facts)]));

/**
 * Returns the folders and, last, the name of a template with all known fields filled in. They may
 * not be legal names yet.
 */
export function filledTemplate(template: string, facts: TemplateFacts): readonly string[] {
  const parts = template.split('/').filter((part) => part.trim() !== '');
  // Values are data: a slash creates no folder.
  const legal = Object.entries(templateValues(facts)).map(([field, value]) => [field, withoutIllegal(value)]);
  const values = Object.fromEntries(legal) as Readonly<Record<string, string>>;
  return (parts.length > 0 ? parts : [defaultNameTemplate]).map((part) => fillFields(part, values));
}
