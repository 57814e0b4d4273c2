import { join, resolve } from 'node:path';
import { AppError } from '../../../shared/app-error.ts';
import type { ErrorCode } from '../../../shared/error-code.ts';
import { isOutputFormat } from '../../../sound/sound-format.ts';
import { legalName, withoutIllegal } from './legal-name.ts';

/** What a name can be made of. */
export interface NameFacts {
  /** Of the recording, without its ending; for speech, what stands for it. */
  readonly name: string;
  readonly voice: string;
  readonly connection: string;
  /** Shown in local time. */
  readonly createdAt: Date;
  /** With its leading dot. */
  readonly format: string;
  readonly language: string;
}

const two = (value: number): string => String(value).padStart(2, '0');

const fields: Readonly<Record<string, (facts: NameFacts) => string>> = {
  name: ({ name }) => name,
  voice: ({ voice }) => voice,
  connection: ({ connection }) => connection,
  language: ({ language }) => language,
  date: ({ createdAt: at }) =>
    `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
  time: ({ createdAt: at }) => `${two(at.getHours())}-${two(at.getMinutes())}-${two(at.getSeconds())}`,
};

export const defaultNameTemplate = '{name}, {voice}';

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

/** A field's value is data: a slash in it makes no folder, and a field in it is not filled in. */
const filled = (part: string, facts: NameFacts): string =>
  part.replace(placeholder, (written, field: string) =>
    Object.hasOwn(fields, field) ? withoutIllegal(fields[field]?.(facts) ?? '') : written,
  );

function endingOf(format: string): string {
  const name = format.toLowerCase().replace(/^\./, '');
  if (!isOutputFormat(name)) throw new AppError('output/failed', `a result may not end in ${JSON.stringify(format)}`);
  return `.${name}`;
}

/**
 * The absolute path of a result below `folder`: its name from the template, folders where the template has a slash, the ending of its
 * format; from the second attempt on with a number, as file managers do. Stays below `folder` and is legal on all three systems, even
 * for a template that `templateFaults` refuses. Throws `output/failed` for a format that is not one of sound.
 */
export function outputPath(folder: string, template: string, facts: NameFacts, attempt: number): string {
  const ending = endingOf(facts.format);
  const parts = template.split('/').filter((part) => part.trim() !== '');
  const names = (parts.length > 0 ? parts : [defaultNameTemplate]).map((part) => legalName(filled(part, facts)));
  const stem = names.pop() ?? '';
  return join(resolve(folder), ...names, `${stem}${attempt === 1 ? '' : ` (${attempt})`}${ending}`);
}
