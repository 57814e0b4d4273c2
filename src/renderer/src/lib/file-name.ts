import type { JobInfo } from '../../../shared/schemas/job.ts';
import { isTextPath } from '../../../shared/schemas/watch.ts';

/** The name of the file or folder that a path of any system ends with. */
export const fileNameOf = (path: string): string =>
  path
    .replace(/[/\\]+$/, '')
    .split(/[/\\]/)
    .at(-1) ?? path;

/** True if the name of a job is the first words of a text, which are clipped at their end, and not the name of a file. */
export const hasTitle = ({ kind, name }: Pick<JobInfo, 'kind' | 'name'>): boolean =>
  kind === 'speech' && !isTextPath(name);
