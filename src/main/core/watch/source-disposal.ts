import { lstat, rename } from 'node:fs/promises';
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import type { SourceDisposal } from '../../../shared/schemas/watch.ts';
import { hasContentOf } from '../files/content.ts';
import { isNotFound } from '../files/errno.ts';
import { makeFolder, withFolder } from '../files/folders.ts';
import { type FileIdentity, hasInode, fileIdentityOf, isSameFile, snapshotOf, standingAt } from '../files/identity.ts';
import {
  type NameReservation,
  publishTemporary,
  removeName,
  publishUnderFreeName,
  temporaryPathOf,
} from '../files/publish.ts';
import type { ConversionJob } from '../jobs/job.ts';

/**
 * Whether the file at a path is the recording that was sent: the same file, with the size and time that it had. Where its time or number
 * says otherwise, or nothing, its bytes decide: it may have been touched, and some disks have no numbers, make them up, or get another one
 * each time they are mounted.
 */
export async function isSource({ source, sourceSha256 }: ConversionJob, path: string): Promise<boolean> {
  const stats = await lstat(path, { bigint: true }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  const sent = source.snapshot;
  if (!stats?.isFile() || !sent) return false;
  const { sizeBytes, modifiedNs } = snapshotOf(stats);
  if (sizeBytes !== sent.sizeBytes) return false;
  if (modifiedNs === sent.modifiedNs && isSameFile(fileIdentityOf(stats), sent)) return true;
  const sha256 = sourceSha256 ?? source.sha256;
  return sha256 !== undefined && (await hasContentOf(path, { sizeBytes }, { sizeBytes, sha256 }));
}

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
export const hiddenSourcePathOf = (jobId: string, path: string): string =>
  temporaryPathOf(dirname(path), `source-${jobId}`);

const folderInDone = ({ path, root }: Source) => join(root, doneFolder, dirname(relative(root, path)));

/** A file's own name in a folder, then this name with a number. */
function namesFor(path: string, folder: string): NameReservation {
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
  const hidden = hiddenSourcePathOf(job.id, path);
  // First, so that what cannot be moved is not touched.
  await makeFolder(folderInDone(source));
  await onHiding();
  try {
    await rename(path, hidden);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
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
    const isOne = hasInode(hidden) ? isSameFile(standing.identity, hidden) : await isSource(source.job, path);
    if (isOne) return path;
  }
}

/** Gives a hidden source its name in Done, or the next free one, and returns it relative to the root. Nothing is replaced. */
export async function moveHidden(source: Source): Promise<string> {
  const { job, path, root } = source;
  const hidden = hiddenSourcePathOf(job.id, path);
  const folder = folderInDone(source);
  const standing = await standingAt(hidden);
  if (!standing) throw new Error(`${hidden} is gone`);
  const { identity } = standing;
  await makeFolder(folder);
  const moved =
    (await secondName(source, identity)) ??
    (await publishUnderFreeName({ folder, temporaryPath: hidden, identity }, namesFor(path, folder)));
  await withFolder(folder, ({ sync }) => sync());
  await removeName(hidden);
  await withFolder(dirname(path), ({ sync }) => sync());
  return relative(root, moved);
}

/** Gives what is hidden its name back, or the next free one beside it. Nothing is replaced. */
export async function returnHidden({ job, path }: Source): Promise<void> {
  const hidden = hiddenSourcePathOf(job.id, path);
  const standing = await standingAt(hidden);
  if (!standing) return;
  const { identity } = standing;
  const there = await standingAt(path);
  // A kill may have left both names.
  if (there && isSameFile(there.identity, identity)) await removeName(hidden);
  else {
    const folder = dirname(path);
    await publishTemporary({ folder, temporaryPath: hidden, identity }, namesFor(path, folder));
  }
}

export interface DisposalRequest {
  readonly job: ConversionJob;
  /** Where the source lies now, absolute: it may have been renamed since it was sent. */
  readonly path: string;
  /** The watched folder. */
  readonly root: string;
  readonly afterwards: Exclude<SourceDisposal, 'keep'>;
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
      if (isNotFound(error)) return false;
      throw error;
    },
  );

/**
 * Goes on with a source that has only its hidden name. Whatever stands there came from under the source's name, but perhaps it is not the
 * source: a program may have saved its next recording over it at that moment. That one gets its name back, and so does a source that
 * cannot be moved.
 */
async function endHidden(asked: DisposalRequest, prove: () => Promise<void>): Promise<SourceOutcome> {
  const { job, path, onNamed } = asked;
  try {
    await prove();
    if (!(await isSource(job, hiddenSourcePathOf(job.id, path))))
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
export async function disposeOfSource(asked: DisposalRequest): Promise<SourceOutcome> {
  const { job, path, root, afterwards, trash, onHiding } = asked;
  const hasResult = () => mustHaveResult(job);
  if (await isThere(hiddenSourcePathOf(job.id, path))) return endHidden(asked, hasResult);
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

/** An original that has no name just now, but a hidden one: it is on its way into Done. */
export interface StashedSource {
  readonly jobId: string;
  /** The name that it had, relative to its folder. */
  readonly path: string;
}

/** Originals on their way, on disk: what a kill leaves under a hidden name is found again. */
export interface StashedSources {
  begin(folderId: string, move: StashedSource): void;
  end(jobId: string): void;
  has(jobId: string): boolean;
  ofFolder(folderId: string): readonly StashedSource[];
}

const moveRow = v.object({ job_id: v.string(), path: v.string() });

export function createStashedSources(database: DatabaseSync): StashedSources {
  const insert = database.prepare('INSERT OR REPLACE INTO source_move (job_id, folder_id, path) VALUES (?, ?, ?)');
  const drop = database.prepare('DELETE FROM source_move WHERE job_id = ?');
  const select = database.prepare('SELECT 1 FROM source_move WHERE job_id = ?');
  const selectAll = database.prepare('SELECT job_id, path FROM source_move WHERE folder_id = ?');
  return {
    begin: (folderId, { jobId, path }) => void insert.run(jobId, folderId, path),
    end: (jobId) => void drop.run(jobId),
    has: (jobId) => select.get(jobId) !== undefined,
    ofFolder: (folderId) =>
      selectAll.all(folderId).map((stored) => {
        const { job_id: jobId, path } = v.parse(moveRow, stored);
        return { jobId, path };
      }),
  };
}
