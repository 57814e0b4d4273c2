import { lstat, rename } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import type { SourceDisposal } from '../../../shared/schemas/watch.ts';
import { hasSameContent } from '../files/content.ts';
import { isNotFound } from '../files/errno.ts';
import { makeFolder, withFolder } from '../files/folders.ts';
import { type FileIdentity, hasInode, fileIdentityOf, isSameFile, snapshotOf, fileStampAt } from '../files/identity.ts';
import { numberedName } from '../files/names.ts';
import {
  type NameReservation,
  publishTemporary,
  removeName,
  publishUnderFreeName,
  temporaryPathOf,
} from '../files/publish.ts';
import { type Job, sourceHashOf, type SourceJob } from '../jobs/job.ts';

/**
 * True if the file at `path` is the recording or text that was sent. If its time or inode differs or is missing, its bytes
 * decide: the file may have been touched, and some file systems have no stable inodes.
 */
async function isSource(job: SourceJob, path: string): Promise<boolean> {
  const stats = await lstat(path, { bigint: true }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  const sent = job.source.snapshot;
  if (!stats?.isFile() || !sent) return false;
  const { sizeBytes, modifiedNs } = snapshotOf(stats);
  if (sizeBytes !== sent.sizeBytes) return false;
  if (modifiedNs === sent.modifiedNs && isSameFile(fileIdentityOf(stats), sent)) return true;
  const sha256 = sourceHashOf(job);
  return sha256 !== undefined && (await hasSameContent(path, { sizeBytes }, { sizeBytes, sha256 }));
}

/** Folder for converted sources, inside the watched folder. */
export const doneFolder = 'Done';

interface Source {
  readonly job: SourceJob;
  /** Absolute path that the source has or had. */
  readonly path: string;
  /** The watched folder. */
  readonly root: string;
}

/** In the source's own folder, with an ending that watched folders ignore. */
export const stashPathOf = (jobId: string, path: string): string => temporaryPathOf(dirname(path), `source-${jobId}`);

const doneFolderFor = ({ path, root }: Source) => join(root, doneFolder, dirname(relative(root, path)));

/** Proposes the file's own name in `folder`, then the same name with a number. */
function namesFor(path: string, folder: string): NameReservation {
  return { pathFor: (attempt) => join(folder, numberedName(basename(path), attempt)), onReserve: () => undefined };
}

/** Path of the source in Done, relative to the root; null if it is not there. */
async function findInDone(source: Source): Promise<string | null> {
  const { pathFor } = namesFor(source.path, doneFolderFor(source));
  for (let attempt = 1; ; attempt += 1) {
    const path = await pathFor(attempt);
    if (!(await fileStampAt(path))) return null;
    if (await isSource(source.job, path)) return relative(source.root, path);
  }
}

/** Renames the source to a name that no other program uses. Returns false if there was no file. */
async function stashSource(source: Source, onBeforeStash: () => Promise<void>): Promise<boolean> {
  const { job, path } = source;
  const stashed = stashPathOf(job.id, path);
  // First, so that a source that cannot be moved is not touched.
  await makeFolder(doneFolderFor(source));
  await onBeforeStash();
  try {
    await rename(path, stashed);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // A network drive that lost the first reply repeats the request and finds no file.
    return (await fileStampAt(stashed)) !== null;
  }
}

/** Second name in Done that a crash left beside the stashed one; null for none. Without inodes it compares bytes. */
async function findSecondName(source: Source, stashed: FileIdentity): Promise<string | null> {
  const { pathFor } = namesFor(source.path, doneFolderFor(source));
  for (let attempt = 1; ; attempt += 1) {
    const path = await pathFor(attempt);
    const stamp = await fileStampAt(path);
    if (!stamp) return null;
    const isOne = hasInode(stashed) ? isSameFile(stamp.identity, stashed) : await isSource(source.job, path);
    if (isOne) return path;
  }
}

/** Moves a stashed source to its name in Done, or the next free one, and returns it relative to the root. Never replaces a file. */
async function moveStashed(source: Source): Promise<string> {
  const { job, path, root } = source;
  const stashed = stashPathOf(job.id, path);
  const folder = doneFolderFor(source);
  const stamp = await fileStampAt(stashed);
  if (!stamp) throw new Error(`${stashed} is gone`);
  const { identity } = stamp;
  await makeFolder(folder);
  const moved =
    (await findSecondName(source, identity)) ??
    (await publishUnderFreeName({ folder, temporaryPath: stashed, identity }, namesFor(path, folder)));
  await withFolder(folder, ({ sync }) => sync());
  await removeName(stashed);
  await withFolder(dirname(path), ({ sync }) => sync());
  return relative(root, moved);
}

/**
 * Gives a stashed file its name back, or the next free one. Never replaces a file. False if it is not there, perhaps with its
 * disk.
 */
async function unstash({ job, path }: Source): Promise<boolean> {
  const stashed = stashPathOf(job.id, path);
  const stamp = await fileStampAt(stashed);
  if (!stamp) return false;
  const { identity } = stamp;
  const there = await fileStampAt(path);
  // A crash may have left both names.
  if (there && isSameFile(there.identity, identity)) await removeName(stashed);
  else {
    const folder = dirname(path);
    await publishTemporary({ folder, temporaryPath: stashed, identity }, namesFor(path, folder));
  }
  return true;
}

interface DisposalRequest {
  readonly job: SourceJob;
  /** Current absolute path of the source, which may have been renamed since it was sent. */
  readonly path: string;
  /** The watched folder. */
  readonly root: string;
  readonly afterwards: Exclude<SourceDisposal, 'keep'>;
  trash(path: string): Promise<void>;
  /** Called before the source loses its name; until `onUnstashed`, only the job id and this path identify it. */
  onBeforeStash(): Promise<void>;
  /** Called when the source has a regular name again. */
  onUnstashed(): Promise<void>;
}

/** `to` is relative to the folder. `gone`: another program removed the source. */
type SourceOutcome =
  { readonly kind: 'moved'; readonly to: string } | { readonly kind: 'trashed' } | { readonly kind: 'gone' };

const sourceKept = (why: string): AppError => new AppError('watch/source-stays', why);

/** Reads the result again and throws unless its bytes are as it was finished. */
async function assertResultIntact({ id, output, finished, state }: Job): Promise<void> {
  const stamp = output && state === 'done' ? await fileStampAt(output.path) : null;
  if (!output || !finished || !stamp?.isFile || !(await hasSameContent(output.path, stamp, finished))) {
    throw sourceKept(`the result of ${id} is not as it was finished`);
  }
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );

/**
 * Continues with a stashed file. It may not be the source: another program may have saved its next recording over
 * it just before the rename. Such a file gets its name back, as does a source that cannot be moved.
 */
async function finishStashed(request: DisposalRequest, prove: () => Promise<void>): Promise<SourceOutcome> {
  const { job, path, onUnstashed } = request;
  try {
    await prove();
    if (!(await isSource(job, stashPathOf(job.id, path))))
      throw sourceKept(`another file had the name of the source of ${job.id}`);
    const to = await moveStashed(request);
    await onUnstashed();
    return { kind: 'moved', to };
  } catch (error) {
    if (await unstash(request)) await onUnstashed();
    throw error;
  }
}

/**
 * Moves or trashes a source as its folder's settings say, after verifying the bytes of the result and that the
 * source is the file that was sent. It moves via a stash name, so no other file is ever removed; a run after a
 * crash continues. Throws `watch/source-stays` and system errors; the source then has its name or stays stashed.
 */
export async function disposeOfSource(request: DisposalRequest): Promise<SourceOutcome> {
  const { job, path, root, afterwards, trash, onBeforeStash } = request;
  const hasResult = () => assertResultIntact(job);
  if (await exists(stashPathOf(job.id, path))) return finishStashed(request, hasResult);
  await hasResult();
  const inside = relative(root, path);
  if (inside.startsWith('..') || resolve(root, inside) !== path) throw sourceKept(`${path} is not in ${root}`);
  if (!(await isSource(job, path))) {
    // A crash may have come before the move was recorded.
    const to = afterwards === 'done' ? await findInDone(request) : null;
    if (to !== null) return { kind: 'moved', to };
    if (await exists(path)) throw sourceKept(`the source of ${job.id} is another file now`);
    return { kind: 'gone' };
  }
  if (afterwards === 'trash') {
    await trash(path);
    return { kind: 'trashed' };
  }
  return (await stashSource(request, onBeforeStash))
    ? finishStashed(request, () => Promise.resolve())
    : { kind: 'gone' };
}

/** A source that has only its stash name, on its way to Done. */
export interface StashedSource {
  readonly jobId: string;
  /** Original path, relative to the watched folder. */
  readonly path: string;
}

/** Stashed sources in the database, so that they are found again after a crash. */
interface StashedSources {
  add(folderId: string, move: StashedSource): void;
  remove(jobId: string): void;
  has(jobId: string): boolean;
  listByFolder(folderId: string): readonly StashedSource[];
}

const moveRow = v.object({ job_id: v.string(), path: v.string() });

export function createStashedSources(database: DatabaseSync): StashedSources {
  const insert = database.prepare('INSERT OR REPLACE INTO stashed_source (job_id, folder_id, path) VALUES (?, ?, ?)');
  const drop = database.prepare('DELETE FROM stashed_source WHERE job_id = ?');
  const select = database.prepare('SELECT 1 FROM stashed_source WHERE job_id = ?');
  const selectAll = database.prepare('SELECT job_id, path FROM stashed_source WHERE folder_id = ?');
  return {
    add: (folderId, { jobId, path }) => void insert.run(jobId, folderId, path),
    remove: (jobId) => void drop.run(jobId),
    has: (jobId) => select.get(jobId) !== undefined,
    listByFolder: (folderId) =>
      selectAll.all(folderId).map((stored) => {
        const { job_id: jobId, path } = v.parse(moveRow, stored);
        return { jobId, path };
      }),
  };
}
