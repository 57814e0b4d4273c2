import { join, resolve } from 'node:path';
import { AppError } from '../../../shared/app-error.ts';
import { filledTemplate, type TemplateFacts } from '../../../shared/name-template.ts';
import { isFormatName } from '../../../shared/wire/settings.ts';
import { legalName } from './legal-name.ts';

/** What a name and its ending are made of. */
export interface NameFacts extends TemplateFacts {
  /** With its leading dot. */
  readonly format: string;
}

function endingOf(format: string): string {
  const name = format.toLowerCase().replace(/^\./, '');
  if (!isFormatName(name)) throw new AppError('output/failed', `a result may not end in ${JSON.stringify(format)}`);
  return `.${name}`;
}

/**
 * The absolute path of a result below `folder`: its name from the template, folders where the template has a slash, the ending of its
 * format; from the second attempt on with a number, as file managers do. Stays below `folder` and is legal on all three systems, even
 * for a template that `templateFaults` refuses. Throws `output/failed` for a format that is not one of sound.
 */
export function outputPath(folder: string, template: string, facts: NameFacts, attempt: number): string {
  const ending = endingOf(facts.format);
  const names = filledTemplate(template, facts).map((part) => legalName(part));
  const stem = names.pop() ?? '';
  return join(resolve(folder), ...names, `${stem}${attempt === 1 ? '' : ` (${attempt})`}${ending}`);
}
