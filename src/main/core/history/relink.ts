import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isIn } from '../database/columns.ts';
import { transaction } from '../database/sqlite.ts';
import type { OnProgress } from '../events.ts';
import { tryContentHash } from '../files/content.ts';
import { hasInode, isUnchangedSource, snapshotOf, type SourceSnapshot } from '../files/identity.ts';
import { nameKey } from '../files/names.ts';
import { nextChangeNumber } from '../jobs/job-row.ts';
import type { EntryFile, WhichFile } from './file-status.ts';

/** A file, or a folder and the depth to search: 0 is only the folder itself. */
export interface SearchPlace {
  readonly path: string;
  readonly depth: number;
}

interface Search {
  readonly places: readonly SearchPlace[];
  readonly signal: AbortSignal;
  /** Maximum number of directory entries to visit. */
  readonly maxNames: number;
  /** True for a file that belongs to another entry, so it is not a moved one. */
  isTaken(path: string): boolean;
  readonly onProgress?: OnProgress;
}

interface Candidate extends NewLocation {
  readonly file: EntryFile;
}

/** Directory entries visited by an automatic search. */
export const maxNamesNearby = 5000;

/** Near a file: its folder with subfolders, and the parent folder with the siblings. */
export function placesNearby(path: string): readonly SearchPlace[] {
  const folder = dirname(path);
  const above = dirname(folder);
  return above === folder
    ? [{ path: folder, depth: 1 }]
    : [
        { path: folder, depth: 1 },
        { path: above, depth: 1 },
      ];
}

/** Prefix of temporary files: incomplete or removed results. */
const ownPrefix = '.timbre-';

async function* filesIn({ path, depth }: SearchPlace, signal: AbortSignal): AsyncGenerator<string | null> {
  let entries;
  try {
    entries = await opendir(path, { bufferSize: 256 });
  } catch {
    // `path` is a file, or a folder that cannot be read.
    if ((await lstat(path).catch(() => undefined))?.isFile()) yield path;
    return;
  }
  const folders: Dirent[] = [];
  for await (const entry of entries) {
    signal.throwIfAborted();
    // Skip links, which may leave the folder or form cycles, and Timbre's own temporary files.
    if (entry.isDirectory()) folders.push(entry);
    yield entry.isFile() && !entry.name.startsWith(ownPrefix) ? join(path, entry.name) : null;
  }
  if (depth === 0) return;
  for (const folder of folders) yield* filesIn({ path: join(path, folder.name), depth: depth - 1 }, signal);
}

/** Most likely first: reading a wrong file can take minutes. */
const likelihood = ({ file, path, snapshot }: Candidate): number =>
  (file.identity && hasInode(file.identity) && file.identity.inode === snapshot.inode ? 2 : 0) +
  (basename(path) === file.name ? 1 : 0);

/** Without a known hash, only the identical unmodified file is accepted. */
function isUntouched({ file, snapshot }: Candidate): boolean {
  const { identity, modifiedNs, sizeBytes } = file;
  if (!identity || modifiedNs === null || sizeBytes === null || !hasInode(identity)) return false;
  return isUnchangedSource({ ...identity, modifiedNs, sizeBytes }, snapshot);
}

/**
 * Finds files by content: reads files of exactly the right size, most likely first, until the hash
 * matches. Links are not followed; unreadable files are skipped. Returns the matches and the number
 * of directory entries visited. Rejects with the signal's reason.
 */
export async function findByContent(
  wanted: readonly EntryFile[],
  { places, signal, maxNames, isTaken, onProgress }: Search,
): Promise<{ readonly found: ReadonlyMap<EntryFile, NewLocation>; readonly names: number }> {
  const bySize = Map.groupBy(
    wanted.filter(({ sizeBytes }) => sizeBytes !== null),
    ({ sizeBytes }) => sizeBytes,
  );
  const candidates = new Map<string, Candidate[]>();
  let names = 0;
  for (const place of places) {
    for await (const path of filesIn(place, signal)) {
      names += 1;
      if (names > maxNames) break;
      onProgress?.({ share: null, count: names });
      if (path === null || candidates.has(path)) continue;
      const stats = await lstat(path, { bigint: true }).catch(() => undefined);
      const files = stats?.isFile() ? bySize.get(Number(stats.size)) : undefined;
      if (!stats || !files || isTaken(path)) continue;
      const snapshot = snapshotOf(stats);
      candidates.set(
        path,
        files.map((file) => ({ file, path, snapshot })),
      );
    }
  }

  const found = new Map<EntryFile, NewLocation>();
  const hashes = new Map<string, string | null>();
  for (const candidate of [...candidates.values()].flat().sort((a, b) => likelihood(b) - likelihood(a))) {
    const { file, path, snapshot } = candidate;
    if (found.has(file)) continue;
    if (file.sha256 === null) {
      if (isUntouched(candidate)) found.set(file, { path, snapshot });
      continue;
    }
    const known = hashes.get(path);
    const hash = known !== undefined ? known : await tryContentHash(path, snapshot.sizeBytes, signal);
    hashes.set(path, hash);
    if (hash === file.sha256) found.set(file, { path, snapshot });
  }
  return { found, names };
}

/** The current path of a file and its stamp. */
export interface NewLocation {
  readonly path: string;
  readonly snapshot: SourceSnapshot;
}

/**
 * Updates the path in all finished jobs (or only in `only`) that had this content at the old path,
 * and returns their ids. A source without a hash must be the identical unmodified file.
 * Other processes see the change by polling; the caller notifies this one.
 */
export function updatePath(
  database: DatabaseSync,
  which: WhichFile,
  { path, sha256, sizeBytes, identity, modifiedNs }: EntryFile,
  { path: newPath, snapshot }: NewLocation,
  only?: readonly string[],
): readonly string[] {
  const isMeant = `(:only IS NULL OR ${isIn('id', ':only')})`;
  const statement =
    which === 'result'
      ? database.prepare(
          `UPDATE job SET output_path = :newPath, output_key = :newKey, output_device = :device, output_inode = :inode,
             revision = revision + 1, change_number = ${nextChangeNumber}
           WHERE output_key = :key AND output_path = :path AND output_sha256 IS :sha256 AND state = 'done' AND ${isMeant}
           RETURNING id`,
        )
      : database.prepare(
          `UPDATE job SET source_path = :newPath,
             source = json_remove(json_set(source, '$.path', :newPath, '$.snapshot', json(:snapshot)), '$.realPath'),
             revision = revision + 1, change_number = ${nextChangeNumber}
           WHERE source_path = :path AND phase = 9 AND source ->> '$.snapshot.sizeBytes' IS :sizeBytes
             AND coalesce(source_sha256, source ->> '$.sha256') IS :sha256 AND ${isMeant}
             AND (:sha256 IS NOT NULL OR (
               source ->> '$.snapshot.inode' IS :inode AND source ->> '$.snapshot.modifiedNs' IS :modifiedNs
             )) RETURNING id`,
        );
  const values = { path, newPath, sha256, only: only ? JSON.stringify(only) : null };
  return transaction(database, () =>
    statement
      .all(
        which === 'result'
          ? {
              ...values,
              key: nameKey(path),
              newKey: nameKey(newPath),
              device: snapshot.device,
              inode: snapshot.inode,
            }
          : { ...values, sizeBytes, inode: identity?.inode ?? null, modifiedNs, snapshot: JSON.stringify(snapshot) },
      )
      .map(({ id }) => String(id)),
  );
}
