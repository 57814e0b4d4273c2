import { rename } from 'node:fs/promises';
import { basename, dirname, join, parse, relative } from 'node:path';
import type { ConversionJob } from '../jobs/job.ts';
import { hasInode, isSame, standingAt, type FileIdentity } from '../outputs/file-identity.ts';
import { makeFolder, withFolder } from '../outputs/output-folder.ts';
import { publishTemporary } from '../outputs/publish-temporary.ts';
import { takeName, type NameClaim } from '../outputs/take-name.ts';
import { removeName, temporaryPathOf } from '../outputs/temporary-file.ts';
import { isMissing } from './eyes/system-code.ts';
import { isSource } from './is-source.ts';

/** Where sources go that were converted, inside their folder. */
export const doneFolder = 'Done';

interface Source {
  readonly job: ConversionJob;
  /** Absolute, the name that it has or had. */
  readonly path: string;
  /** The watched folder. */
  readonly root: string;
}

/** Beside its name, and ending as what watched folders pass over. */
export const hiddenPathOf = (jobId: string, path: string): string => temporaryPathOf(dirname(path), `source-${jobId}`);

const folderInDone = ({ path, root }: Source) => join(root, doneFolder, dirname(relative(root, path)));

/** A file's own name in a folder, then this name with a number. */
function namesFor(path: string, folder: string): NameClaim {
  const { name, ext } = parse(path);
  return {
    pathFor: (attempt) => join(folder, attempt === 1 ? basename(path) : `${name} (${attempt})${ext}`),
    onTaking: () => undefined,
  };
}

/** Where the source lies in Done, relative to the root; null where it does not. */
export async function foundInDone(source: Source): Promise<string | null> {
  const { pathFor } = namesFor(source.path, folderInDone(source));
  for (let attempt = 1; ; attempt += 1) {
    const path = await pathFor(attempt);
    if (!(await standingAt(path))) return null;
    if (await isSource(source.job, path)) return relative(source.root, path);
  }
}

/** Takes the name from whatever stands there, into our hands: under the hidden one nobody else puts a file. False where nothing stands. */
export async function hideSource(source: Source, onHiding: () => Promise<void>): Promise<boolean> {
  const { job, path } = source;
  const hidden = hiddenPathOf(job.id, path);
  // First, so that what cannot be moved is not touched.
  await makeFolder(folderInDone(source));
  await onHiding();
  try {
    await rename(path, hidden);
    return true;
  } catch (error) {
    if (!isMissing(error)) throw error;
    // A share whose first answer was lost repeats the request, and finds nothing there.
    return (await standingAt(hidden)) !== null;
  }
}

/** The name in Done that a kill has left beside the hidden one; null for none. Without inodes the bytes tell. */
async function secondName(source: Source, hidden: FileIdentity): Promise<string | null> {
  const { pathFor } = namesFor(source.path, folderInDone(source));
  for (let attempt = 1; ; attempt += 1) {
    const path = await pathFor(attempt);
    const standing = await standingAt(path);
    if (!standing) return null;
    const isOne = hasInode(hidden) ? isSame(standing.identity, hidden) : await isSource(source.job, path);
    if (isOne) return path;
  }
}

/** Gives a hidden source its name in Done, or the next free one, and returns it relative to the root. Nothing is replaced. */
export async function moveHidden(source: Source): Promise<string> {
  const { job, path, root } = source;
  const hidden = hiddenPathOf(job.id, path);
  const folder = folderInDone(source);
  const standing = await standingAt(hidden);
  if (!standing) throw new Error(`${hidden} is gone`);
  const { identity } = standing;
  await makeFolder(folder);
  const moved =
    (await secondName(source, identity)) ??
    (await takeName({ folder, temporaryPath: hidden, identity }, namesFor(path, folder)));
  await withFolder(folder, ({ sync }) => sync());
  await removeName(hidden);
  await withFolder(dirname(path), ({ sync }) => sync());
  return relative(root, moved);
}

/** Gives what is hidden its name back, or the next free one beside it. Nothing is replaced. */
export async function returnHidden({ job, path }: Source): Promise<void> {
  const hidden = hiddenPathOf(job.id, path);
  const standing = await standingAt(hidden);
  if (!standing) return;
  const { identity } = standing;
  const there = await standingAt(path);
  // A kill may have left both names.
  if (there && isSame(there.identity, identity)) await removeName(hidden);
  else {
    const folder = dirname(path);
    await publishTemporary({ folder, temporaryPath: hidden, identity }, namesFor(path, folder));
  }
}
