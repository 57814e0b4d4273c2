import { controlCharacters } from './control-characters.ts';
import { fillFields, type TemplateFacts, templateValues } from './name-template.ts';

/** The values for the fields of a hook's arguments: those of a name template, and where the files are. */
export interface HookArgumentFacts extends TemplateFacts {
  readonly id: string;
  /** Empty for a text without a file. */
  readonly source: string;
  readonly result: string;
}

/** The fields as written in an argument, most used first. */
export const hookFields: readonly string[] = [
  ...['result', 'source', 'name', 'voice', 'connection', 'language', 'date', 'time', 'id'].map((field) => `{${field}}`),
];

/**
 * Fills in the arguments. Each stays one argument, whatever a value contains; other text in braces stays as it is. A
 * NUL, which no argument can have, is removed.
 */
export function hookArguments(templates: readonly string[], facts: HookArgumentFacts): readonly string[] {
  const { id, source, result } = facts;
  const values = { ...templateValues(facts), id, source, result };
  return templates.map((template) => fillFields(template, values).replaceAll('\0', '').toWellFormed());
}

/** The arguments in a text with one on each line. Blank lines are none. */
export const parseArguments = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** So that the user can read all of them in the dialog that asks for consent. */
export const argumentLimits = { count: 20, length: 300 } as const;

/** True if a hook may have these arguments. None has characters that could make it look like another one. */
export const areArgumentsAllowed = (args: readonly string[]): boolean =>
  args.length <= argumentLimits.count &&
  args.every((arg) => arg.length <= argumentLimits.length && arg.search(controlCharacters) < 0);
