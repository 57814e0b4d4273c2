import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import { type HistoryImport, maxRefusedLines, type RefusedLine } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { createBatchSize } from '../database/batch-size.ts';
import { nextBatch } from '../database/checkpoints.ts';
import { relaxedCommit } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { OnProgress } from '../events.ts';
import type { TemporaryFiles } from '../files/temporary-files.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ArchiveLine } from './archive-format.ts';
import { openHistoryArchive } from './archive-reader.ts';
import type { FileQueries } from './file-status.ts';
import { createImportedAudio } from './import-audio.ts';
import { createImportedJobs } from './import-jobs.ts';
import { readEntries } from './import-list.ts';

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

/**
 * Target time per batch, so that the window stays responsive. A batch takes about twice as long
 * when the word index merges segments or the WAL is checkpointed.
 */
const batchSizes = { first: 10, least: 1, most: 500, targetMs: 8 };
/** Characters per batch: a single line may have eight million. */
const maxBatchChars = 1024 * 1024;
/** Share of an archive's progress that its list gets; the rest is audio. */
const listShareOfArchive = 0.1;

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
  const { database, writes, show, onAdded, clock } = dependencies;
  const target = resolve(folder);
  const jobs = createImportedJobs({ ...dependencies, folder: target });
  const archive = await openHistoryArchive(path);
  const audio = createImportedAudio({ ...dependencies, ...jobs, archive, folder: target, signal });
  const listShare = archive.hasAudio ? listShareOfArchive : 1;
  const sum = { added: 0, known: 0, refused: 0 };
  const refusedLines: RefusedLine[] = [];
  const lines = createBatchSize({ ...batchSizes, now: clock.now });

  const counts = (): HistoryImport => ({ ...sum, withoutFile: audio.withoutFile() });
  const report = (share: number) => onProgress({ share, count: sum.added + sum.known + sum.refused });

  /** Imports a batch; afterwards the overall progress is `share`. */
  async function importBatch(entries: readonly ArchiveLine[], share: number): Promise<void> {
    // After a power cut, importing again restores what was lost.
    const submit = () => writes.write(() => relaxedCommit(database, () => jobs.submit(entries)));
    const imported = lines.measure(entries.length, submit);
    const added = imported.filter(({ isNew }) => isNew);
    sum.added += added.length;
    sum.known += imported.length - added.length;
    show(imported.filter(({ isNew }) => !isNew).map(({ id }) => id));
    onAdded(added.map(({ id }) => id));
    for (const [k, { id }] of imported.entries()) {
      signal.throwIfAborted();
      const entry = entries[k];
      if (entry) await audio.request(id, entry);
    }
    report(share);
    await nextBatch(database);
  }

  /** Returns why the list could not be read to its end, or null. */
  async function importList(): Promise<AppError | null> {
    let damage: AppError | null = null;
    let held: ArchiveLine[] = [];
    let heldChars = 0;
    const onRefused = (line: RefusedLine) => {
      sum.refused += 1;
      if (refusedLines.length < maxRefusedLines) refusedLines.push(line);
    };
    try {
      for await (const { entry, length, readBytes } of readEntries(archive, { path, signal, onRefused })) {
        held.push(entry);
        heldChars += length;
        if (held.length < lines.next() && heldChars < maxBatchChars) continue;
        await importBatch(held, listShare * Math.min(1, readBytes / archive.listBytes));
        held = [];
        heldChars = 0;
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'history/export-damaged') throw error;
      damage = error;
    }
    await importBatch(held, listShare);
    return damage;
  }

  try {
    const damage = await importList();
    await audio.write((share) => report(listShare + (1 - listShare) * share));
    report(1);
    if (!damage) return counts();
    const facts = { ...damage.problem.facts, count: sum.added + sum.known };
    throw new AppError(damage.code, damage.message, { cause: damage.cause, facts });
  } finally {
    archive.close();
    onEnd?.({ counts: counts(), paths: audio.paths, refusedLines });
  }
}
