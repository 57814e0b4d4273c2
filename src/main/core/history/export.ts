import { createWriteStream } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import yazl from 'yazl';
import type { HistoryExport } from '../../../shared/schemas/history.ts';
import type { Job } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { CopyStore } from '../files/copy-store.ts';
import { writeChosenFile } from '../files/replace-file.ts';
import type { TemporaryFiles } from '../files/temporary-files.ts';
import { copyContentOf } from './copies.ts';
import { type FileQueries, type EntryFile, resultOf } from './file-status.ts';
import { openFile, tryContentHash } from '../files/content.ts';
import {
  historyHeader,
  listName,
  type EntryAnnotations,
  resultName,
  soundName,
  toArchiveLine,
} from './archive-format.ts';
import type { OnProgress } from '../events.ts';

interface Dependencies {
  readonly store: Pick<JobStore, 'get'>;
  annotations(id: string): EntryAnnotations;
  readonly fileQueries: FileQueries;
  readonly copyStore: Pick<CopyStore, 'find'>;
  readonly temporaryFiles: Pick<TemporaryFiles, 'use'>;
}

interface ExportOptions {
  /** In the order of the list. */
  readonly ids: readonly string[];
  /** Only the list, or an archive with the results, or with Timbre's copies of those that are gone. */
  readonly what: 'list' | 'sound';
  readonly target: string;
  /** What happens to a file that is at `target` in the end: `replace` only if the user agreed to that. */
  readonly existing: 'replace' | 'keep';
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/** Entries read and written in a few milliseconds, so that the window stays responsive. */
const entriesPerBatch = 50;
const chunkBytes = 1024 * 1024;
const newFile = { flags: 'wx', mode: 0o600 };

/**
 * Exports entries to a file that appears complete or not at all; docs/history-format.md has the
 * format. Throws `output/…`, and rejects with the signal's reason.
 */
export async function exportHistory(dependencies: Dependencies, order: ExportOptions): Promise<HistoryExport> {
  const { store, annotations, fileQueries, copyStore, temporaryFiles } = dependencies;
  const { ids, what, target, existing, signal, onProgress } = order;
  /** `part` is the finished share of the next entry, 0..1. */
  const report = (count: number, part = 0) => onProgress({ share: (count + part) / Math.max(1, ids.length), count });
  const sum = { entries: 0, files: 0, withoutFile: 0, name: basename(target) };

  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify(historyHeader)}\n`;
    for (let start = 0; start < ids.length; start += entriesPerBatch) {
      signal.throwIfAborted();
      const some = ids.slice(start, start + entriesPerBatch).flatMap((id) => {
        const found = store.get(id);
        return (found && toArchiveLine(found, annotations(id))) ?? [];
      });
      sum.entries += some.length;
      yield some.map((line) => `${JSON.stringify(line)}\n`).join('');
      // In an archive, the list takes too little time to count as progress.
      if (what === 'list') report(Math.min(ids.length, start + entriesPerBatch));
      await nextTurn();
    }
  }

  async function exists(file: EntryFile): Promise<boolean> {
    const status = await fileQueries.quickStatus(file);
    if (status !== 'doubtful') return status === 'there';
    return (await tryContentHash(file.path, file.sizeBytes ?? 0, signal)) === file.sha256;
  }

  /** The result, or its copy; null if there is neither. */
  async function findSound(job: Job, file: EntryFile): Promise<EntryFile | null> {
    if (await exists(file)) return file;
    const content = copyContentOf(job);
    const copy = content && (await copyStore.find(content).catch(() => undefined));
    return copy ? { ...file, path: copy } : null;
  }

  /**
   * Streams a file into the archive and reports progress within it: a file of gigabytes takes as
   * long as thousands of small ones. Returns false if less than the file could be read.
   */
  async function addFile(
    archive: yazl.ZipFile,
    { path, sizeBytes }: EntryFile,
    name: string,
    stop: AbortSignal,
    onShare: (part: number) => void,
  ): Promise<boolean> {
    await using file = await openFile(path).catch(() => null);
    if (!file) return false;
    const chunks = file.createReadStream({ highWaterMark: chunkBytes, autoClose: false }) as AsyncIterable<Buffer>;
    let readBytes = 0;
    async function* read(): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of chunks) {
          yield chunk;
          readBytes += chunk.length;
          onShare(Math.min(1, readBytes / Math.max(1, sizeBytes ?? readBytes)));
        }
      } catch {
        // Its disk fails: an import ignores what is not the whole file.
      }
    }
    const stream = Readable.from(read(), { objectMode: false, highWaterMark: chunkBytes, signal: stop });
    // Audio does not compress.
    archive.addReadStream(stream, name, { compress: false });
    await finished(stream);
    return readBytes === (sizeBytes ?? readBytes);
  }

  /** Adds each distinct result once, with one open file at a time. */
  async function addAudio(archive: yazl.ZipFile, stop: AbortSignal): Promise<void> {
    const taken = new Set<string>();
    for (const [k, id] of ids.entries()) {
      stop.throwIfAborted();
      report(k);
      // Not every entry has a file to wait for.
      if (k % entriesPerBatch === 0) await nextTurn();
      const found = store.get(id);
      const file = found ? resultOf(found) : null;
      if (!found || !file || file.sha256 === null || taken.has(file.sha256)) continue;
      const { sha256 } = file;
      const name = soundName(sha256, extname(resultName(file.name, found.outputFormat)).toLowerCase());
      const sound = await findSound(found, file);
      if (sound && (await addFile(archive, sound, name, stop, (part) => report(k, part)))) {
        taken.add(sha256);
        sum.files += 1;
      } else sum.withoutFile += 1;
    }
  }

  async function writeArchive(path: string): Promise<void> {
    const archive = new yazl.ZipFile();
    const failed = new AbortController();
    const stop = AbortSignal.any([signal, failed.signal]);
    archive.on('error', (error: Error) => failed.abort(error));
    const fill = async () => {
      const list = Readable.from(lines(), { signal: stop });
      archive.addReadStream(list, listName);
      await finished(list);
      await addAudio(archive, stop);
      archive.end();
    };
    const write = () => pipeline(archive.outputStream, createWriteStream(path, newFile), { signal: stop });
    // The first failure aborts the other part and is the one reported.
    const parts = [fill, write].map((part) => part().catch((error: unknown) => failed.abort(error)));
    await Promise.all(parts);
    failed.signal.throwIfAborted();
  }

  try {
    const write = (part: string) =>
      what === 'sound' ? writeArchive(part) : pipeline(lines, createWriteStream(part, newFile), { signal });
    await temporaryFiles.use(dirname(target), (id) => writeChosenFile(target, write, existing, id));
    return sum;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
