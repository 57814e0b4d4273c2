import { lstat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { AppError } from '../../../shared/app-error.ts';
import type { Afterwards } from '../../../shared/wire/watch.ts';
import { standingAt } from '../outputs/file-identity.ts';
import { hasContentOf } from '../outputs/finished-file.ts';
import type { ConversionJob } from '../jobs/job.ts';
import { foundInDone, hiddenPathOf, hideSource, moveHidden, returnHidden } from './hidden-source.ts';
import { isSource } from './is-source.ts';
import { isMissing } from './eyes/system-code.ts';

export interface AskedEnd {
  readonly job: ConversionJob;
  /** Where the source lies now, absolute: it may have been renamed since it was sent. */
  readonly path: string;
  /** The watched folder. */
  readonly root: string;
  readonly afterwards: Exclude<Afterwards, 'keep'>;
  trash(path: string): Promise<void>;
  /** Called right before the source loses its name: until it has one again, only the job and this path tell where it is. */
  onHiding(): Promise<void>;
  /** It has a name again. */
  onNamed(): Promise<void>;
}

/** `moved` says where to, relative to the folder. `gone`: somebody else took the source away. */
export type SourceOutcome =
  { readonly kind: 'moved'; readonly to: string } | { readonly kind: 'trashed' } | { readonly kind: 'gone' };

const stays = (why: string): AppError => new AppError('watch/source-stays', why);

/** The result must be on the disk as it was finished: its bytes are read again for it. */
async function mustHaveResult({ id, output, finished, state }: ConversionJob): Promise<void> {
  const standing = output && state === 'done' ? await standingAt(output.path) : null;
  if (!output || !finished || !standing?.isFile || !(await hasContentOf(output.path, standing, finished))) {
    throw stays(`the result of ${id} is not as it was finished`);
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

/**
 * Goes on with a source that has only its hidden name. Whatever stands there came from under the source's name, but perhaps it is not the
 * source: a program may have saved its next recording over it at that moment. That one gets its name back, and so does a source that
 * cannot be moved.
 */
async function endHidden(asked: AskedEnd, prove: () => Promise<void>): Promise<SourceOutcome> {
  const { job, path, onNamed } = asked;
  try {
    await prove();
    if (!(await isSource(job, hiddenPathOf(job.id, path))))
      throw stays(`another file had the name of the source of ${job.id}`);
    const to = await moveHidden(asked);
    await onNamed();
    return { kind: 'moved', to };
  } catch (error) {
    await returnHidden(asked);
    await onNamed();
    throw error;
  }
}

/**
 * Does with a source what its folder says, once the result is certain: the result's bytes are read from the disk and compared, and the
 * source must be the file that was sent. Nothing else is ever removed: into Done the source goes by way of a hidden name of its own, under
 * which no other program puts a file. Goes on where a kill came in between. Throws `watch/source-stays` and the system's errors, and the
 * source then has its name, or is hidden still if not even that could be done.
 */
export async function endSource(asked: AskedEnd): Promise<SourceOutcome> {
  const { job, path, root, afterwards, trash, onHiding } = asked;
  const hasResult = () => mustHaveResult(job);
  if (await isThere(hiddenPathOf(job.id, path))) return endHidden(asked, hasResult);
  await hasResult();
  const inside = relative(root, path);
  if (inside.startsWith('..') || resolve(root, inside) !== path) throw stays(`${path} is not in ${root}`);
  if (!(await isSource(job, path))) {
    // A kill came before anybody could write down that it was moved.
    const to = afterwards === 'done' ? await foundInDone(asked) : null;
    if (to !== null) return { kind: 'moved', to };
    if (await isThere(path)) throw stays(`the source of ${job.id} is another file now`);
    return { kind: 'gone' };
  }
  if (afterwards === 'trash') {
    await trash(path);
    return { kind: 'trashed' };
  }
  return (await hideSource(asked, onHiding)) ? endHidden(asked, () => Promise.resolve()) : { kind: 'gone' };
}

/** Whether a folder is this one or in it. */
export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
