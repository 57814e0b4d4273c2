import { lstat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { join, parse } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { tryContentHash } from '../files/content.ts';
import { diskFull, inFolder } from '../files/errno.ts';
import { freeBytes, makeFolder } from '../files/folders.ts';
import { snapshotOf, fileStampAt } from '../files/identity.ts';
import { openOutput, type PendingOutput } from '../files/pending-output.ts';
import type { TemporaryFiles } from '../files/temporary-files.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { HistoryArchive } from './archive-reader.ts';
import { type ArchiveLine, legalResultName } from './archive-format.ts';
import { type FileQueries, resultOf } from './file-status.ts';
import { updatePath } from './relink.ts';

type ArchivedResult = NonNullable<ArchiveLine['result']>;

/** Audio to write, and the entries that refer to it. */
interface Wanted {
  readonly result: ArchivedResult;
  readonly ids: string[];
}

/** Thrown instead of giving a file a name: another import of the same archive has written it. */
const writtenMeanwhile = new Error('another import has written this file');

/** The audio of an archive, for entries whose own is missing here. */
export interface ImportedAudio {
  /** Requests the audio of an entry if its file is missing here. */
  request(id: string, entry: ArchiveLine): Promise<void>;
  /**
   * Writes the requested audio once there is room for all of it. Files get legal names, never replace a file, and are written once per
   * content. `onShare` is told the progress, 0..1. Throws `output/…` and the signal's reason.
   */
  write(onShare: (share: number) => void): Promise<void>;
  /** Files that were written so far. */
  readonly paths: readonly string[];
  /** Number of entries whose audio is missing here, and in the archive or damaged there. */
  withoutFile(): number;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly writes: Pick<WriteGate, 'write'>;
  readonly store: Pick<JobStore, 'get'>;
  readonly fileQueries: FileQueries;
  readonly temporaryFiles: Pick<TemporaryFiles, 'use'>;
  readonly archive: HistoryArchive;
  /** Absolute; created with the first file. */
  readonly folder: string;
  /** True if another result is recorded with this path. */
  isClaimed(path: string): boolean;
  /** Entries whose path changed. */
  onChanged(ids: readonly string[]): void;
  readonly signal: AbortSignal;
}

export function createImportedAudio({
  database,
  writes,
  store,
  fileQueries,
  temporaryFiles,
  archive,
  folder,
  isClaimed,
  onChanged,
  signal,
}: Dependencies): ImportedAudio {
  const paths: string[] = [];
  const nextAttempts = new Map<string, number>();
  /** By hash. */
  const wanted = new Map<string, Wanted>();
  let withoutFile = 0;

  /** The first name, starting from this attempt, that no entry uses. */
  function freeName(name: string, attempt: number): { path: string; attempt: number } {
    const { name: stem, ext } = parse(legalResultName(name));
    for (let next = attempt; ; next += 1) {
      const free = join(folder, `${stem}${next === 1 ? '' : ` (${next})`}${ext}`);
      if (!isClaimed(free)) return { path: free, attempt: next };
    }
  }

  async function hasContent(name: string, { sha256, sizeBytes }: ArchivedResult): Promise<boolean> {
    const stamp = await fileStampAt(name).catch(() => null);
    if (!stamp?.isFile || stamp.sizeBytes !== sizeBytes) return false;
    return (await tryContentHash(name, sizeBytes, signal)) === sha256;
  }

  /**
   * The file of these entries if another import wrote it: one that has linked it since, or one that was killed or has yet to
   * link it, under one of these names.
   */
  async function findWritten({ result, ids }: Wanted, names: readonly string[]): Promise<string | null> {
    const linked = ids.flatMap((id) => {
      const found = store.get(id);
      return (found && resultOf(found)?.path) ?? [];
    });
    for (const path of new Set([...linked, ...names])) if (await hasContent(path, result)) return path;
    return null;
  }

  async function writeTo(output: PendingOutput, want: Wanted, onShare: (part: number) => void): Promise<string | null> {
    const { name, sizeBytes, sha256 } = want.result;
    let bytes = 0;
    try {
      for await (const chunk of (await archive.openAudio(sha256)) as AsyncIterable<Buffer>) {
        signal.throwIfAborted();
        bytes += chunk.length;
        if (bytes > sizeBytes) return null;
        await output.write(chunk);
        onShare(bytes / sizeBytes);
      }
    } catch (error) {
      // Errors of the target disk are reported; errors of the archive count as a missing file.
      if (error instanceof AppError || signal.aborted) throw error;
      return null;
    }
    const finished = await output.finish();
    if (finished.sha256 !== sha256 || finished.sizeBytes !== sizeBytes) return null;
    let free = { path: '', attempt: (nextAttempts.get(legalResultName(name)) ?? 1) - 1 };
    let other: string | null = null;
    try {
      const published = await output.publish({
        async pathFor() {
          const { path: tried } = free;
          free = freeName(name, free.attempt + 1);
          // The name that was tried may have been free until the other took it.
          other = await findWritten(want, [tried, free.path].filter(Boolean));
          if (other !== null) throw writtenMeanwhile;
          return free.path;
        },
        onReserve: () => undefined,
      });
      nextAttempts.set(legalResultName(name), free.attempt + 1);
      paths.push(published);
      return published;
    } catch (error) {
      if (error === writtenMeanwhile) return other;
      throw error;
    }
  }

  /** Writes a file and returns its path, or null if the bytes do not match the entry. */
  async function writeFile(want: Wanted, onShare: (part: number) => void): Promise<string | null> {
    const { sizeBytes } = want.result;
    if ((await freeBytes(folder)) < sizeBytes) throw diskFull(folder, sizeBytes);
    await inFolder(folder, () => makeFolder(folder));
    return temporaryFiles.use(folder, async (id) => {
      const output = await openOutput(folder, id);
      try {
        return await writeTo(output, want, onShare);
      } finally {
        await output.discard();
      }
    });
  }

  async function link(ids: readonly string[], path: string): Promise<void> {
    const snapshot = snapshotOf(await lstat(path, { bigint: true }));
    for (const id of ids) {
      const found = store.get(id);
      const file = found ? resultOf(found) : null;
      // Already updated together with another entry of the same path.
      if (!file || file.path === path) continue;
      onChanged(writes.write(() => updatePath(database, 'result', file, { path, snapshot })));
    }
  }

  return {
    paths,
    withoutFile: () => withoutFile,
    async request(id, { result }) {
      if (!result || !archive.hasAudio) return;
      const { sha256 } = result;
      const found = store.get(id);
      const file = found ? resultOf(found) : null;
      if (file?.sha256 !== sha256 || (await fileQueries.quickStatus(file)) !== 'missing') return;
      if (!archive.hasAudioFile(sha256, result.sizeBytes)) {
        withoutFile += 1;
        return;
      }
      const want = wanted.get(sha256) ?? { result, ids: [] };
      want.ids.push(id);
      wanted.set(sha256, want);
    },
    async write(onShare) {
      const neededBytes = [...wanted.values()].reduce((bytes, { result }) => bytes + result.sizeBytes, 0);
      if (wanted.size > 0 && (await freeBytes(folder)) < neededBytes) throw diskFull(folder, neededBytes);
      let doneBytes = 0;
      for (const want of wanted.values()) {
        signal.throwIfAborted();
        const { ids } = want;
        const { name, sizeBytes } = want.result;
        const onPart = (part: number) => onShare((doneBytes + part * sizeBytes) / Math.max(1, neededBytes));
        const { path: free } = freeName(name, nextAttempts.get(legalResultName(name)) ?? 1);
        const path = (await findWritten(want, [free])) ?? (await writeFile(want, onPart));
        if (path === null) withoutFile += ids.length;
        else await link(ids, path);
        doneBytes += sizeBytes;
      }
    },
  };
}
