import type { DatabaseSync } from 'node:sqlite';
import { lstat } from 'node:fs/promises';
import { basename, join, parse, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { type HistoryImport, maxRefusedLines, type RefusedLine } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { relaxedCommit } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { snapshotOf, fileStampAt } from '../files/identity.ts';
import { freeBytes, makeFolder } from '../files/folders.ts';
import { diskFull, inFolder } from '../files/errno.ts';
import { openOutput, type PendingOutput } from '../files/pending-output.ts';
import type { TemporaryFiles } from '../files/temporary-files.ts';
import { type FileQueries, resultOf } from './file-status.ts';
import { tryContentHash } from '../files/content.ts';
import { type HistoryArchive, openHistoryArchive, lineEnd, textLines, tooLong } from './archive-reader.ts';
import { historyHeader, archiveLine, type ArchiveLine, legalResultName, resultName } from './archive-format.ts';
import { createImportedJobs } from './import-jobs.ts';
import { updatePath } from './relink.ts';
import type { OnProgress } from '../events.ts';

interface Dependencies {
  readonly database: DatabaseSync;
  readonly writes: Pick<WriteGate, 'write'>;
  readonly store: Pick<JobStore, 'get'>;
  /** Shows existing entries that may have been removed. */
  show(ids: readonly string[]): void;
  /** Entries that the import added. */
  onAdded(ids: readonly string[]): void;
  /** Entries whose path changed. */
  onChanged(ids: readonly string[]): void;
  connectionId(name: string): string | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly fileQueries: FileQueries;
  readonly temporaryFiles: Pick<TemporaryFiles, 'use'>;
}

interface ImportOptions {
  readonly path: string;
  /** Folder for audio files; created with the first of them. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  /** Called once it has ended, also before a rejection. */
  onEnd?(done: ImportedParts): void;
}

/** What an import did until it ended. */
export interface ImportedParts {
  readonly counts: HistoryImport;
  /** Audio files that it wrote. */
  readonly paths: readonly string[];
  /** The first of the refused lines. */
  readonly refusedLines: readonly RefusedLine[];
}

/** The text of a speech job is the longest part of a line: at most 16 MiB, of which each byte may be two in JSON. */
const maxLineBytes = 33 * 1024 ** 2;
/**
 * Target time per batch, so that the window stays responsive. A batch takes about twice as long
 * when the word index merges segments or the WAL is checkpointed.
 */
const batchMs = 8;
const firstBatchSize = 10;
const maxBatchSize = 500;
/** More consecutive lines or bytes without an entry mean damage, not a few edited lines. */
const maxInvalidLines = 10_000;
const maxInvalidBytes = 64 * 1024 * 1024;
/** Share of an archive's progress that its list gets; the rest is audio. */
const listShareOfArchive = 0.1;
/** Characters per batch: a single line may have eight million. */
const maxBatchChars = 1024 * 1024;

/** Some editors on Windows add it. */
const byteOrderMark = /^\ufeff/;
const header = v.object({ timbre: v.literal(historyHeader.timbre), version: v.number() });

function parseJson<S extends v.GenericSchema>(schema: S, line: string): v.InferOutput<S> | null {
  try {
    const result = v.safeParse(schema, JSON.parse(line));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}

/** The entry of a line, or why it has none. */
function readLine(text: string | typeof tooLong): ArchiveLine | Omit<RefusedLine, 'line'> {
  if (text === tooLong) return { reason: 'too-long', field: '' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: 'no-object', field: '' };
  }
  const parsed = v.safeParse(archiveLine, value);
  if (parsed.success) {
    const { output: line } = parsed;
    if (!line.result) return line;
    return { ...line, result: { ...line.result, name: resultName(line.result.name, line.outputFormat) } };
  }
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? '';
  if (field === '') return { reason: 'no-object', field };
  return { reason: issue.received === 'undefined' ? 'missing' : 'wrong', field };
}

/**
 * Imports an exported history. Existing entries are not duplicated, so an import can be repeated
 * and continues where a killed one stopped. Invalid lines are counted and skipped.
 * Audio is streamed from an archive and accepted only with the size and hash of its entry. Files
 * get legal names below `folder`, never replace a file, and are written once per content, and only
 * if there is room for all of them.
 * Throws `history/not-an-export`, `history/export-newer` and `history/export-too-large` before
 * anything changes, `history/export-damaged` after importing everything readable, `input/…` for an
 * unreadable file, `output/…` for a folder that is not writable, `data/not-writable`, and the
 * signal's reason.
 */
export async function importHistory(
  dependencies: Dependencies,
  { path, folder, signal, onProgress, onEnd }: ImportOptions,
): Promise<HistoryImport> {
  const { database, writes, store, show, onAdded, onChanged, clock, fileQueries, temporaryFiles } = dependencies;
  const target = resolve(folder);
  const jobs = createImportedJobs({ ...dependencies, folder: target });
  const sum = { added: 0, known: 0, refused: 0, withoutFile: 0 };
  const paths: string[] = [];
  const refusedLines: RefusedLine[] = [];
  const nextAttempts = new Map<string, number>();
  /** Audio in the archive that is missing here, by hash, with the entries that refer to it. */
  const wanted = new Map<string, { readonly result: NonNullable<ArchiveLine['result']>; readonly ids: string[] }>();
  /** Why reading the list failed before its end. */
  let damage: unknown;
  /** Overall progress, 0..1. */
  let share = 0;
  /** Lines per batch, adapted to the speed of the previous batches. */
  let batchSize = firstBatchSize;

  /** The first name, starting from this attempt, that no entry uses. */
  function freeName(name: string, attempt: number): { path: string; attempt: number } {
    const { name: stem, ext } = parse(legalResultName(name));
    for (let next = attempt; ; next += 1) {
      const free = join(target, `${stem}${next === 1 ? '' : ` (${next})`}${ext}`);
      if (!jobs.isClaimed(free)) return { path: free, attempt: next };
    }
  }

  /** True if a killed import left this file: published, but not yet linked to its entry. */
  async function isLeftover(name: string, { sha256, sizeBytes }: NonNullable<ArchiveLine['result']>): Promise<boolean> {
    const stamp = await fileStampAt(name).catch(() => null);
    if (!stamp?.isFile || stamp.sizeBytes !== sizeBytes) return false;
    return (await tryContentHash(name, sizeBytes, signal)) === sha256;
  }

  async function writeTo(
    output: PendingOutput,
    { name, sizeBytes, sha256 }: NonNullable<ArchiveLine['result']>,
    archive: HistoryArchive,
    onShare: (part: number) => void,
  ): Promise<string | null> {
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
    const published = await output.publish({
      pathFor() {
        free = freeName(name, free.attempt + 1);
        return free.path;
      },
      onReserve: () => undefined,
    });
    nextAttempts.set(legalResultName(name), free.attempt + 1);
    paths.push(published);
    return published;
  }

  /**
   * Writes an audio file and returns its path, or null if the bytes do not match the entry. Reports
   * progress, 0..1.
   */
  async function write(
    result: NonNullable<ArchiveLine['result']>,
    archive: HistoryArchive,
    onShare: (part: number) => void,
  ): Promise<string | null> {
    const { sizeBytes } = result;
    if ((await freeBytes(target)) < sizeBytes) throw diskFull(target, sizeBytes);
    await inFolder(target, () => makeFolder(target));
    return temporaryFiles.use(target, async (id) => {
      const output = await openOutput(target, id);
      try {
        return await writeTo(output, result, archive, onShare);
      } finally {
        await output.discard();
      }
    });
  }

  const reportShare = (to: number) => {
    share = to;
    onProgress({ share, count: sum.added + sum.known + sum.refused });
  };

  /** Requests the audio of an entry if it is missing here. */
  async function requestAudio(id: string, { result }: ArchiveLine, archive: HistoryArchive): Promise<void> {
    if (!result) return;
    const { sha256 } = result;
    const found = store.get(id);
    const file = found ? resultOf(found) : null;
    if (file?.sha256 !== sha256 || (await fileQueries.quickStatus(file)) !== 'missing') return;
    if (!archive.hasAudioFile(sha256, result.sizeBytes)) {
      sum.withoutFile += 1;
      return;
    }
    const want = wanted.get(sha256) ?? { result, ids: [] };
    want.ids.push(id);
    wanted.set(sha256, want);
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

  /** Extracts the requested audio once there is room for all of it. */
  async function extractAudio(archive: HistoryArchive): Promise<void> {
    const neededBytes = [...wanted.values()].reduce((bytes, { result }) => bytes + result.sizeBytes, 0);
    if (wanted.size > 0 && (await freeBytes(target)) < neededBytes) throw diskFull(target, neededBytes);
    const from = share;
    let doneBytes = 0;
    for (const { result, ids } of wanted.values()) {
      signal.throwIfAborted();
      const { name, sizeBytes } = result;
      const onShare = (part: number) =>
        reportShare(from + ((1 - from) * (doneBytes + part * sizeBytes)) / Math.max(1, neededBytes));
      const left = freeName(name, nextAttempts.get(legalResultName(name)) ?? 1).path;
      const place = (await isLeftover(left, result)) ? left : await write(result, archive, onShare);
      if (place === null) sum.withoutFile += ids.length;
      else await link(ids, place);
      doneBytes += sizeBytes;
    }
    reportShare(1);
  }

  /** Imports a batch of lines; afterwards the overall progress is `until`. */
  async function importBatch(lines: readonly ArchiveLine[], archive: HistoryArchive, until: number): Promise<void> {
    const begun = clock.now();
    // After a power cut, importing again restores what was lost.
    const ids = writes.write(() => relaxedCommit(database, () => jobs.submit(lines)));
    const fitting = (lines.length * batchMs) / Math.max(1, clock.now() - begun);
    batchSize = Math.max(1, Math.floor(Math.min(fitting, lines.length * 2, maxBatchSize)));
    const added = ids.filter(({ isNew }) => isNew);
    sum.added += added.length;
    sum.known += ids.length - added.length;
    show(ids.filter(({ isNew }) => !isNew).map(({ id }) => id));
    onAdded(added.map(({ id }) => id));
    for (const [k, { id }] of ids.entries()) {
      signal.throwIfAborted();
      const line = lines[k];
      if (line && archive.hasAudio) await requestAudio(id, line, archive);
    }
    reportShare(until);
    await nextTurn();
  }

  function assertHeader(line: string | typeof tooLong): void {
    const found = line === tooLong ? null : parseJson(header, line);
    const facts = { name: basename(path) };
    if (!found) throw new AppError('history/not-an-export', `${path} does not begin as a history`, { facts });
    if (found.version > historyHeader.version) {
      throw new AppError('history/export-newer', `${path} has version ${found.version}`, { facts });
    }
  }

  let isLineEnded = true;

  /** The readable bytes of the list, up to the point where it cannot hold further entries. */
  async function* readable(archive: HistoryArchive, isFruitless: (bytes: number) => boolean): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of archive.list()) {
        if (signal.aborted) return;
        if (isFruitless(chunk.length)) throw new Error(`no entry in ${maxInvalidBytes} bytes`);
        yield chunk;
        isLineEnded = chunk.at(-1) === lineEnd;
      }
    } catch (error) {
      damage = error;
    }
  }

  async function readAll(archive: HistoryArchive): Promise<void> {
    const listShare = archive.hasAudio ? listShareOfArchive : 1;
    let lineNumber = 0;
    let held: ArchiveLine[] = [];
    let heldLetters = 0;
    let readBytes = 0;
    let isLastNoObject = false;
    /** Invalid input since the last valid entry. */
    let wrong = { lines: 0, bytes: 0 };
    const chunks = readable(archive, (bytes) => (wrong.bytes += bytes) > maxInvalidBytes);
    let begunMs = performance.now();
    for await (const text of textLines(chunks, maxLineBytes)) {
      signal.throwIfAborted();
      readBytes += text === tooLong ? maxLineBytes : Buffer.byteLength(text) + 1;
      lineNumber += 1;
      if (lineNumber === 1) {
        assertHeader(text === tooLong ? text : text.replace(byteOrderMark, ''));
        continue;
      }
      const line = readLine(text);
      isLastNoObject = 'reason' in line && line.reason === 'no-object';
      if (!('reason' in line)) {
        wrong = { lines: 0, bytes: 0 };
        held.push(line);
        heldLetters += text === tooLong ? 0 : text.length;
      } else {
        if (text === tooLong || text.trim() !== '') {
          sum.refused += 1;
          if (refusedLines.length < maxRefusedLines) refusedLines.push({ line: lineNumber, ...line });
        }
        wrong.lines += 1;
        if (wrong.lines >= maxInvalidLines) {
          damage = new Error(`no entry in ${maxInvalidLines} lines`);
          break;
        }
      }
      if (held.length >= batchSize || heldLetters >= maxBatchChars) {
        await importBatch(held, archive, listShare * Math.min(1, readBytes / archive.listBytes));
        held = [];
        heldLetters = 0;
        begunMs = performance.now();
      } else if (performance.now() - begunMs > batchMs) {
        await nextTurn();
        begunMs = performance.now();
      }
    }
    signal.throwIfAborted();
    if (lineNumber === 0) assertHeader('');
    if (!isLineEnded && isLastNoObject) damage ??= new Error('ends within a line');
    await importBatch(held, archive, listShare);
    await extractAudio(archive);
    if (damage === undefined) return;
    const facts = { name: basename(path), count: sum.added + sum.known };
    throw new AppError('history/export-damaged', `${path} cannot be read to its end`, { cause: damage, facts });
  }

  const archive = await openHistoryArchive(path);
  try {
    await readAll(archive);
    return sum;
  } finally {
    archive.close();
    onEnd?.({ counts: sum, paths, refusedLines });
  }
}
