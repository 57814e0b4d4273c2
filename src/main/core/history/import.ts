import type { DatabaseSync } from 'node:sqlite';
import { lstat } from 'node:fs/promises';
import { basename, join, parse, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import type { HistoryImport } from '../../../shared/schemas/history.ts';
import type { Clock } from '../clock.ts';
import { relaxedCommit } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { Job } from '../jobs/job.ts';
import { snapshotOf, standingAt } from '../files/identity.ts';
import { freeBytes } from '../files/folders.ts';
import { diskFull } from '../files/errno.ts';
import { openOutput } from '../files/pending-output.ts';
import { type DiskQueries, quickStatus, resultOf } from './file-status.ts';
import { contentHash } from '../files/content.ts';
import { type HistoryArchive, openHistoryArchive, textLines, tooLong } from './archive-reader.ts';
import { historyHeader, historyLine, type HistoryLine, legalResultName, resultName } from './archive-format.ts';
import { createImportedJobs } from './import-jobs.ts';
import { updatePath } from './relink.ts';
import type { TellProgress } from '../events.ts';

interface Dependencies {
  readonly database: DatabaseSync;
  readonly writes: Pick<WriteGate, 'write'>;
  job(id: string): Job | undefined;
  /** Shows entries that are here already, and may have been removed. */
  show(ids: readonly string[]): void;
  /** Entries that are new here. */
  onAdded(ids: readonly string[]): void;
  /** Entries that have another path now. */
  onChanged(ids: readonly string[]): void;
  connectionId(name: string): string | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly looks: DiskQueries;
  readonly platform: NodeJS.Platform;
  readonly randomId: () => string;
}

interface Order {
  readonly path: string;
  /** Where sounds go; made with the first of them. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onProgress: TellProgress;
}

/** The text of a piece of speech is the longest thing in a line. */
const maxLineBytes = 8 * 1024 * 1024;
/**
 * The window goes on drawing: entries are taken up in slices of about this time. Now and then the index of words merges its parts, or
 * the log is written back, which takes as long again.
 */
const sliceMs = 8;
const firstSlice = 10;
const largestSlice = 500;
/** So much in a row that holds no entry is more than some lines that somebody spoilt. */
const mostWrongLines = 10_000;
const mostWrongBytes = 64 * 1024 * 1024;
/** Of an archive's work its list; the rest are its sounds. */
const shareOfList = 0.1;
/** Characters of the lines of a slice: a line may be eight million long. */
const sliceLetters = 1024 * 1024;

/** Editors of some systems begin a file with it. */
const byteOrderMark = /^\ufeff/;
const header = v.object({ timbre: v.literal(historyHeader.timbre), version: v.number() });

function parsed<S extends v.GenericSchema>(schema: S, line: string): v.InferOutput<S> | null {
  try {
    const result = v.safeParse(schema, JSON.parse(line));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}

function readLine(text: string): HistoryLine | null {
  const line = parsed(historyLine, text);
  if (!line?.result) return line;
  return { ...line, result: { ...line.result, name: resultName(line.result.name, line.outputFormat) } };
}

/**
 * Brings entries that were exported into history. What is here already is not doubled: an import can be repeated, and goes on where an
 * earlier one was killed. A line that holds no entry is counted and passed over. Sounds come out of an archive as a stream, count only
 * with the size and the hash that their entry names, get legal names below `folder`, and never replace a file; each content is written
 * once, and none where there is no room for all of them. Throws `history/not-an-export`, `history/export-newer` and
 * `history/export-too-large` before anything is changed, `history/export-damaged` once all is taken up that could be read, `input/…`
 * for a file that cannot be read, `output/…` for a folder that cannot be written to, `data/not-writable`, and the signal's reason.
 */
export async function importHistory(
  dependencies: Dependencies,
  { path, folder, signal, onProgress }: Order,
): Promise<HistoryImport> {
  const { database, writes, job, show, onAdded, onChanged, clock, looks, platform, randomId } = dependencies;
  const target = resolve(folder);
  const jobs = createImportedJobs({ ...dependencies, folder: target });
  const sum = { added: 0, known: 0, refused: 0, withoutFile: 0 };
  const nextAttempts = new Map<string, number>();
  /** Contents that the archive has and this computer has not, with the entries that name them. */
  const wanted = new Map<string, { readonly result: NonNullable<HistoryLine['result']>; readonly ids: string[] }>();
  /** Why the list could not be read to its end. */
  let damage: unknown;
  /** How much of the work is done, 0..1. */
  let share = 0;
  /** Lines that are taken up at once: as many as the last ones let hope for. */
  let slice = firstSlice;

  /** The first name from an attempt on that no entry of ours has. */
  function freeName(name: string, attempt: number): { path: string; attempt: number } {
    const { name: stem, ext } = parse(legalResultName(name));
    for (let next = attempt; ; next += 1) {
      const free = join(target, `${stem}${next === 1 ? '' : ` (${next})`}${ext}`);
      if (!jobs.isClaimed(free)) return { path: free, attempt: next };
    }
  }

  /** What an import that was killed has left under the name: the sound, but not the word of it. */
  async function isLeft(name: string, { sha256, sizeBytes }: NonNullable<HistoryLine['result']>): Promise<boolean> {
    const standing = await standingAt(name).catch(() => null);
    if (!standing?.isFile || standing.sizeBytes !== sizeBytes) return false;
    return (await contentHash(name, sizeBytes, signal).catch(() => null)) === sha256;
  }

  /** Writes a sound and gives its path; null where the archive's bytes are not what they should be. Tells how much is written, 0..1. */
  async function write(
    result: NonNullable<HistoryLine['result']>,
    archive: HistoryArchive,
    tell: (part: number) => void,
  ): Promise<string | null> {
    const { name, sizeBytes, sha256 } = result;
    if ((await freeBytes(target)) < sizeBytes) throw diskFull(target, sizeBytes);
    const output = await openOutput(target, `import-${randomId()}`);
    try {
      let bytes = 0;
      try {
        for await (const chunk of (await archive.sound(sha256)) as AsyncIterable<Buffer>) {
          signal.throwIfAborted();
          bytes += chunk.length;
          if (bytes > sizeBytes) return null;
          await output.write(chunk);
          tell(bytes / sizeBytes);
        }
      } catch (error) {
        // The disk's trouble is told; the archive's is its own.
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
        onTaking: () => undefined,
      });
      nextAttempts.set(legalResultName(name), free.attempt + 1);
      return published;
    } finally {
      await output.discard();
    }
  }

  const tellShare = (to: number) => {
    share = to;
    onProgress({ share, count: sum.added + sum.known + sum.refused });
  };

  /** Asks for the sound of an entry, where it is not here. */
  async function ask(id: string, { result }: HistoryLine, archive: HistoryArchive): Promise<void> {
    if (!result) return;
    const { sha256 } = result;
    const found = job(id);
    const file = found ? resultOf(found) : null;
    if (file?.sha256 !== sha256 || (await quickStatus(file, looks, platform)) !== 'missing') return;
    if (!archive.hasSound(sha256, result.sizeBytes)) {
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
      const found = job(id);
      const file = found ? resultOf(found) : null;
      // One that had the same path was linked with another.
      if (!file || file.path === path) continue;
      onChanged(writes.write(() => updatePath(database, 'result', file, { path, snapshot })));
    }
  }

  /** Takes what is wanted out of the archive, once there is room for all of it. */
  async function takeSounds(archive: HistoryArchive): Promise<void> {
    const neededBytes = [...wanted.values()].reduce((bytes, { result }) => bytes + result.sizeBytes, 0);
    if (wanted.size > 0 && (await freeBytes(target)) < neededBytes) throw diskFull(target, neededBytes);
    const from = share;
    let doneBytes = 0;
    for (const { result, ids } of wanted.values()) {
      signal.throwIfAborted();
      const { name, sizeBytes } = result;
      const tell = (part: number) =>
        tellShare(from + ((1 - from) * (doneBytes + part * sizeBytes)) / Math.max(1, neededBytes));
      const left = freeName(name, nextAttempts.get(legalResultName(name)) ?? 1).path;
      const place = (await isLeft(left, result)) ? left : await write(result, archive, tell);
      if (place === null) sum.withoutFile += ids.length;
      else await link(ids, place);
      doneBytes += sizeBytes;
    }
    tellShare(1);
  }

  /** When it is done, `until` of the whole work is. */
  async function takeUp(lines: readonly HistoryLine[], archive: HistoryArchive, until: number): Promise<void> {
    const begun = clock.now();
    // What a power cut takes back is imported again.
    const ids = writes.write(() => relaxedCommit(database, () => jobs.takeUp(lines)));
    const fitting = (lines.length * sliceMs) / Math.max(1, clock.now() - begun);
    slice = Math.max(1, Math.floor(Math.min(fitting, lines.length * 2, largestSlice)));
    const added = ids.filter(({ isNew }) => isNew);
    sum.added += added.length;
    sum.known += ids.length - added.length;
    show(ids.filter(({ isNew }) => !isNew).map(({ id }) => id));
    onAdded(added.map(({ id }) => id));
    for (const [k, { id }] of ids.entries()) {
      signal.throwIfAborted();
      const line = lines[k];
      if (line && archive.isWithSound) await ask(id, line, archive);
    }
    tellShare(until);
    await nextTurn();
  }

  function mustBeHeader(line: string | typeof tooLong): void {
    const found = line === tooLong ? null : parsed(header, line);
    const facts = { name: basename(path) };
    if (!found) throw new AppError('history/not-an-export', `${path} does not begin as a history`, { facts });
    if (found.version > historyHeader.version) {
      throw new AppError('history/export-newer', `${path} has version ${found.version}`, { facts });
    }
  }

  /** The bytes of the list, as far as they can be read and may hold something. */
  async function* readable(archive: HistoryArchive, isFruitless: (bytes: number) => boolean): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of archive.list()) {
        if (signal.aborted) return;
        if (isFruitless(chunk.length)) throw new Error(`no entry in ${mostWrongBytes} bytes`);
        yield chunk;
      }
    } catch (error) {
      damage = error;
    }
  }

  async function readAll(archive: HistoryArchive): Promise<void> {
    const listShare = archive.isWithSound ? shareOfList : 1;
    let isFirst = true;
    let held: HistoryLine[] = [];
    let heldLetters = 0;
    let readBytes = 0;
    /** Since the last entry. */
    let wrong = { lines: 0, bytes: 0 };
    const chunks = readable(archive, (bytes) => (wrong.bytes += bytes) > mostWrongBytes);
    let begunMs = performance.now();
    for await (const text of textLines(chunks, maxLineBytes)) {
      signal.throwIfAborted();
      readBytes += text === tooLong ? maxLineBytes : Buffer.byteLength(text) + 1;
      if (isFirst) {
        mustBeHeader(text === tooLong ? text : text.replace(byteOrderMark, ''));
        isFirst = false;
        continue;
      }
      const line = text === tooLong ? null : readLine(text);
      if (line) {
        wrong = { lines: 0, bytes: 0 };
        held.push(line);
        heldLetters += text === tooLong ? 0 : text.length;
      } else {
        if (text === tooLong || text.trim() !== '') sum.refused += 1;
        wrong.lines += 1;
        if (wrong.lines >= mostWrongLines) {
          damage = new Error(`no entry in ${mostWrongLines} lines`);
          break;
        }
      }
      if (held.length >= slice || heldLetters >= sliceLetters) {
        await takeUp(held, archive, listShare * Math.min(1, readBytes / archive.listBytes));
        held = [];
        heldLetters = 0;
        begunMs = performance.now();
      } else if (performance.now() - begunMs > sliceMs) {
        await nextTurn();
        begunMs = performance.now();
      }
    }
    signal.throwIfAborted();
    if (isFirst) mustBeHeader('');
    await takeUp(held, archive, listShare);
    await takeSounds(archive);
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
  }
}
