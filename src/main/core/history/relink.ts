import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../database/sqlite.ts';
import type { TellProgress } from '../events.ts';
import { contentHash } from '../files/content.ts';
import { isUnchangedSource, snapshotOf, type SourceSnapshot } from '../files/identity.ts';
import { nameKey } from '../files/names.ts';
import { isIn, nextChange } from '../jobs/job-row.ts';
import type { EntryFile, WhichFile } from './file-status.ts';

/** Where to look: a file or a folder, and how many folders deep; 0 is what lies in the folder itself. */
export interface SearchPlace {
  readonly path: string;
  readonly depth: number;
}

interface Search {
  readonly places: readonly SearchPlace[];
  readonly signal: AbortSignal;
  /** Names that may be looked at in all. */
  readonly maxNames: number;
  /** Files that are another entry's are none that were moved. */
  isTaken(path: string): boolean;
  readonly onProgress?: TellProgress;
}

interface Candidate extends NewPlace {
  readonly file: EntryFile;
}

/** Names of the places around a file that are looked at without being asked for. */
export const maxNamesNearby = 5000;

/** Around a file: its folder and what is in it, and the folder above with those beside it. */
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

/** Of names that Timbre gives to what is not to be seen: results that are not whole, or were removed. */
const ownPrefix = '.timbre-';

async function* filesIn({ path, depth }: SearchPlace, signal: AbortSignal): AsyncGenerator<string | null> {
  let entries;
  try {
    entries = await opendir(path, { bufferSize: 256 });
  } catch {
    // A file that was named itself; or a folder that nobody may look into, where nothing is found.
    if ((await lstat(path).catch(() => undefined))?.isFile()) yield path;
    return;
  }
  const folders: Dirent[] = [];
  for await (const entry of entries) {
    signal.throwIfAborted();
    // No link: it leads to what is somewhere else, or in circles. And nothing that Timbre itself has hidden.
    if (entry.isDirectory()) folders.push(entry);
    yield entry.isFile() && !entry.name.startsWith(ownPrefix) ? join(path, entry.name) : null;
  }
  if (depth === 0) return;
  for (const folder of folders) yield* filesIn({ path: join(path, folder.name), depth: depth - 1 }, signal);
}

const isIdentified = ({ identity }: EntryFile): boolean => identity !== null && !['', '0'].includes(identity.inode);

/** The likeliest first: what is read in vain costs minutes. */
const likelihood = ({ file, path, snapshot }: Candidate): number =>
  (isIdentified(file) && file.identity?.inode === snapshot.inode ? 2 : 0) + (basename(path) === file.name ? 1 : 0);

/** A file whose hash nobody ever took is known only where it is the very same, untouched. */
function isUntouched({ file, snapshot }: Candidate): boolean {
  const { identity, modifiedNs, sizeBytes } = file;
  if (!identity || modifiedNs === null || sizeBytes === null || !isIdentified(file)) return false;
  return isUnchangedSource({ ...identity, modifiedNs, sizeBytes }, snapshot);
}

/**
 * Looks for files by their bytes: those of exactly the right size are read, the likeliest first, until one has the right hash. Links are
 * not followed. Gives what was found, by the file that was looked for, and how many names it went through. Rejects with the signal's
 * reason; what cannot be read is passed over.
 */
export async function findByContent(
  wanted: readonly EntryFile[],
  { places, signal, maxNames, isTaken, onProgress }: Search,
): Promise<{ readonly found: ReadonlyMap<EntryFile, NewPlace>; readonly names: number }> {
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

  const found = new Map<EntryFile, NewPlace>();
  const hashes = new Map<string, string | null>();
  for (const candidate of [...candidates.values()].flat().sort((a, b) => likelihood(b) - likelihood(a))) {
    const { file, path, snapshot } = candidate;
    if (found.has(file)) continue;
    if (file.sha256 === null) {
      if (isUntouched(candidate)) found.set(file, { path, snapshot });
      continue;
    }
    const known = hashes.get(path);
    const hash =
      known !== undefined
        ? known
        : await contentHash(path, snapshot.sizeBytes, signal).catch(() => {
            signal.throwIfAborted();
            return null;
          });
    hashes.set(path, hash);
    if (hash === file.sha256) found.set(file, { path, snapshot });
  }
  return { found, names };
}

/** Where a file lies now, and what it is there. */
export interface NewPlace {
  readonly path: string;
  readonly snapshot: SourceSnapshot;
}

/**
 * Writes down, for all jobs that ended and had these bytes at that path, where the file lies now; of `only` these, where they are given.
 * A recording whose hash nobody ever took is the same one where it was the very same, untouched file. Returns their ids. The writes count as changes: other processes hear of them by themselves, this one is told by whoever calls.
 */
export function updatePath(
  database: DatabaseSync,
  which: WhichFile,
  { path, sha256, sizeBytes, identity, modifiedNs }: EntryFile,
  { path: newPath, snapshot }: NewPlace,
  only?: readonly string[],
): readonly string[] {
  const isMeant = `(:only IS NULL OR ${isIn('id', ':only')})`;
  const statement =
    which === 'result'
      ? database.prepare(
          `UPDATE job SET output_path = :newPath, output_key = :newKey, output_device = :device, output_inode = :inode,
             revision = revision + 1, change = ${nextChange}
           WHERE output_key = :key AND output_path = :path AND output_sha256 IS :sha256 AND state = 'done' AND ${isMeant}
           RETURNING id`,
        )
      : database.prepare(
          `UPDATE job SET source_path = :newPath,
             source = json_set(source, '$.path', :newPath, '$.snapshot', json(:snapshot)),
             revision = revision + 1, change = ${nextChange}
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
