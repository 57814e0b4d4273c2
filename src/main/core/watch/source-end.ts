import { lstat, unlink } from 'node:fs/promises';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import { AppError } from '../../../shared/app-error.ts';
import type { Afterwards } from '../../../shared/wire/watch.ts';
import { isSame, standingAt } from '../outputs/file-identity.ts';
import { hasContentOf } from '../outputs/finished-file.ts';
import { makeFolder, withFolder } from '../outputs/output-folder.ts';
import { takeName } from '../outputs/take-name.ts';
import { sameSnapshot, snapshotOf } from '../voice-service/source-snapshot.ts';
import type { ConversionJob } from '../jobs/job.ts';
import { isMissing } from './eyes/system-code.ts';

/** Where sources go that were converted, inside their folder. */
export const doneFolder = 'Done';

interface Asked {
  readonly job: ConversionJob;
  /** Where the source lies now, absolute: it may have been renamed since it was sent. */
  readonly path: string;
  /** The watched folder. */
  readonly root: string;
  readonly afterwards: Exclude<Afterwards, 'keep'>;
  trash(path: string): Promise<void>;
}

const stays = (why: string): AppError => new AppError('watch/source-stays', why);

/** The result must be on the disk as it was finished: its bytes are read again for it. */
async function mustHaveResult({ id, output, finished, state }: ConversionJob): Promise<void> {
  const standing = output && state === 'done' ? await standingAt(output.path) : null;
  if (!output || !finished || !standing?.isFile || !(await hasContentOf(output.path, standing, finished))) {
    throw stays(`the result of ${id} is not as it was finished`);
  }
}

const statsOf = (path: string) =>
  lstat(path, { bigint: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** The source must be the recording that was converted. */
async function mustBeSource({ id, source }: ConversionJob, path: string): Promise<void> {
  const stats = await statsOf(path);
  if (!stats?.isFile() || !source.snapshot || !sameSnapshot(snapshotOf(stats), source.snapshot)) {
    throw stays(`the source of ${id} is another file now`);
  }
}

/** Where a source went that was moved before, when a kill came before anybody could write that down; null where it is not there. */
async function movedBefore({ source }: ConversionJob, path: string, root: string): Promise<string | null> {
  const folder = join(root, doneFolder, dirname(relative(root, path)));
  const { name, ext } = parse(path);
  for (let attempt = 1; ; attempt += 1) {
    const taken = join(folder, attempt === 1 ? `${name}${ext}` : `${name} (${attempt})${ext}`);
    const stats = await statsOf(taken);
    if (!stats) return null;
    if (stats.isFile() && source.snapshot && sameSnapshot(snapshotOf(stats), source.snapshot)) {
      return relative(root, taken);
    }
  }
}

/** Moves by link and unlink: at no moment is there no name, and no other file is replaced. */
async function moveToDone(path: string, root: string): Promise<string> {
  const inside = relative(root, path);
  if (inside.startsWith('..') || resolve(root, inside) !== path) throw stays(`${path} is not in ${root}`);
  const folder = join(root, doneFolder, dirname(inside));
  const { name, ext } = parse(path);
  const first = join(folder, `${name}${ext}`);
  const source = await standingAt(path);
  if (!source) throw stays(`${path} is gone`);
  await makeFolder(folder);
  const there = await standingAt(first);
  // A kill between link and unlink left both names.
  const taken =
    there && isSame(there.identity, source.identity)
      ? first
      : await takeName(
          { folder, temporaryPath: path, identity: source.identity },
          {
            pathFor: (attempt) => (attempt === 1 ? first : join(folder, `${name} (${attempt})${ext}`)),
            onTaking: () => undefined,
          },
        );
  await withFolder(folder, (handle) => handle.sync());
  // Where there are no links it was renamed, and nothing is left to remove.
  if (await standingAt(path)) await unlink(path);
  return relative(root, taken);
}

/**
 * Does with a source what its folder says, once the result is certain: the result's bytes are read from the disk and compared, and the
 * source must be the file that was sent. Returns where it went, relative to the folder; null for the trash. Throws `watch/source-stays`
 * and the system's errors, and the source is then where it was.
 */
export async function endSource({ job, path, root, afterwards, trash }: Asked): Promise<string | null> {
  await mustHaveResult(job);
  if (!(await statsOf(path))) {
    // Nothing is left to throw away.
    if (afterwards === 'trash') return null;
    const moved = await movedBefore(job, path, root);
    if (moved !== null) return moved;
  }
  await mustBeSource(job, path);
  if (afterwards === 'done') return moveToDone(path, root);
  await trash(path);
  return null;
}

/** Whether a folder is this one or in it. */
export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
