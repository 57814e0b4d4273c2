import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { batchesOf } from '../../../shared/batches.ts';
import { AppError } from '../../../shared/errors.ts';
import { contentHash, readHashed, tryContentHash } from './content.ts';
import { diskFull, errnoOf, inFolder, isNotFound, outputError } from './errno.ts';
import { freeBytes, isOwnFolder, makeFolder, withFolder } from './folders.ts';
import { fileStampAt } from './identity.ts';
import { openOutput } from './pending-output.ts';
import { removeName } from './publish.ts';
import { reserveOriginalName } from './stash.ts';
import type { TemporaryFiles } from './temporary-files.ts';

/** The content of a result, and so of its copy. */
export interface CopyContent {
  /** Hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** With a leading dot. Part of the copy's name, so that other programs can open it. */
  readonly extension: string;
}

/** A copy in the folder. */
interface StoredCopy {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** When the latest result with this content was made or, if later, when it was last restored. */
  readonly usedAt: number;
}

/** `none`: there is no copy. `damaged`: it had other bytes, and was removed. */
type RestoredCopy = { readonly kind: 'restored'; readonly path: string } | { readonly kind: 'none' | 'damaged' };

interface RestoreOptions {
  /** Where the file was. If another file is there, it gets the next free name, or that of a file with the same content. */
  readonly path: string;
  /** The time that the file gets, in milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly now: number;
  readonly signal: AbortSignal;
  /** True for a name that belongs to another result, even if no file has it. Not for that of the result itself by now. */
  isTaken(path: string): boolean;
}

/**
 * Copies of results in one private folder, named after their content, so that the same content is kept once. A file of
 * the folder is complete or has a temporary name. Several processes may use the folder at once. Files with other names
 * are neither counted nor touched.
 */
export interface CopyStore {
  readonly folder: string;
  /** Path of the copy of this content, which may be damaged; undefined if there is none. */
  find(content: CopyContent): Promise<string | undefined>;
  /**
   * Copies a file, as a clone where the file system can. `known`: there was a copy. `changed`: the file no longer has
   * this content, or cannot be read. Leaves `spareBytes` free on the disk. Throws `output/…`, and the signal's reason.
   */
  add(path: string, content: CopyContent, usedAt: number, signal: AbortSignal): Promise<'added' | 'known' | 'changed'>;
  /** Puts a copy back, byte by byte as it was, and never in place of a file. Throws `output/…`, and the signal's reason. */
  restore(content: CopyContent, options: RestoreOptions): Promise<RestoredCopy>;
  list(): Promise<readonly StoredCopy[]>;
  /** Removes all that can be, then throws `output/…` if one cannot. */
  remove(names: readonly string[]): Promise<void>;
  /** Removes the copies that were not used for longest, until the rest has at most `maxBytes`. Throws `output/…` if it cannot. */
  trim(maxBytes: number): Promise<void>;
  /** Like `trim`, but looks at the folder only now and then: a look at 100,000 copies takes seconds. */
  keepWithin(maxBytes: number): Promise<void>;
  /** Removes what killed processes left behind in the folder. */
  sweep(): Promise<void>;
  /** A text that is stored with the copies; null if there is none. */
  readNote(): Promise<string | null>;
  /** Does nothing without a folder. */
  writeNote(text: string): Promise<void>;
}

interface Dependencies {
  readonly folder: string;
  /** Identifies this process in the names of temporary files. */
  readonly owner: string;
  isAlive(owner: string): boolean;
  readonly temporaryFiles: Pick<TemporaryFiles, 'use'>;
  /** Bytes of the disk of a folder that running jobs will need. */
  reservedBytes(folder: string): Promise<number>;
  /** Space that copies leave free. */
  readonly spareBytes?: number;
}

/** Enough for the results of a few jobs that run meanwhile, and for the system. */
const defaultSpareBytes = 500e6;
/** Files looked at together. */
const filesPerBatch = 64;
/** Copies that can be removed before the folder is looked at again. */
const removalsPerLook = 1000;

/** Thrown instead of giving a file a name: another process that restores the same result has done so. */
const restoredMeanwhile = new Error('another process has restored this file');

const copyName = /^([0-9a-f]{64})(?:\.[a-z0-9]{1,16})?$/;
const noteName = '.removals';
const temporaryName = /^\.timbre-([0-9a-f-]{36})-[0-9a-f-]{36}\.part$/;

/** The name of a copy; undefined for a hash that is none, which an imported entry could have. */
function nameOf({ sha256, extension }: CopyContent): string | undefined {
  const name = `${sha256}${extension.toLowerCase()}`;
  return [name, sha256].find((one) => copyName.test(one));
}

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await isOwnFolder(folder)) ? readdir(folder) : [];

export function createCopyStore(dependencies: Dependencies): CopyStore {
  const { folder, owner, isAlive, temporaryFiles, reservedBytes, spareBytes = defaultSpareBytes } = dependencies;
  /**
   * What the last look at the folder found, with this process's changes since: the copies that go next come first.
   * `changedMs` is the folder's time, which tells of all other changes.
   */
  let known: { bytes: number; oldest: StoredCopy[]; changedMs: number | undefined } | null = null;
  const folderTime = async (): Promise<number | undefined> => (await fileStampAt(folder))?.modifiedMs;

  async function find(content: CopyContent): Promise<string | undefined> {
    const name = nameOf(content);
    if (name === undefined || !(await isOwnFolder(folder))) return undefined;
    const path = join(folder, name);
    return (await fileStampAt(path))?.isFile ? path : undefined;
  }

  /** Only its place in the order of removal depends on this. */
  const markUsed = (copy: string, at: number): Promise<void> =>
    utimes(copy, at / 1000, at / 1000).catch(() => undefined);

  async function prepareFolder(): Promise<void> {
    await makeFolder(folder, 0o700);
    if (await isOwnFolder(folder)) return;
    throw new AppError('output/not-writable', `${folder} is not a folder`, { facts: { folder } });
  }

  async function assertSpace(place: string, neededBytes: number): Promise<void> {
    const [free, reserved] = await Promise.all([freeBytes(place), reservedBytes(place)]);
    if (free - reserved < neededBytes) throw diskFull(place, neededBytes);
  }

  /** True if `to` is now a clone of the file with this content, false if it has to be copied. */
  async function clone(path: string, to: string, { sha256, sizeBytes }: CopyContent, signal: AbortSignal) {
    try {
      await copyFile(path, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    } catch {
      // Most file systems cannot. What else may be wrong shows when it is copied.
      await removeName(to);
      return false;
    }
    if ((await contentHash(to, sizeBytes, signal)) === sha256) return true;
    await removeName(to);
    return false;
  }

  /** Returns false if the file no longer has this content, or cannot be read. */
  async function copyBytes(path: string, to: string, { sha256, sizeBytes }: CopyContent, signal: AbortSignal) {
    await using file = await open(to, 'wx', 0o600);
    const write = (chunk: Buffer) => inFolder(folder, () => file.writeFile(chunk));
    try {
      return (await readHashed(path, sizeBytes, signal, write)) === sha256;
    } catch (error) {
      // Of reading; an error of writing has become an `AppError`.
      if (errnoOf(error) !== undefined) return false;
      throw error;
    }
  }

  async function addTo(path: string, content: CopyContent, name: string, usedAt: number, signal: AbortSignal) {
    if (!(await fileStampAt(path).catch(() => null))?.isFile) return 'changed';
    await prepareFolder();
    await assertSpace(folder, content.sizeBytes + spareBytes);
    if (known && known.changedMs !== (await folderTime())) known = null;
    const temporaryPath = join(folder, `.timbre-${owner}-${randomUUID()}.part`);
    try {
      const isCopied =
        (await clone(path, temporaryPath, content, signal)) || (await copyBytes(path, temporaryPath, content, signal));
      if (!isCopied) return 'changed';
      await using file = await open(temporaryPath, 'r+').catch(() => open(temporaryPath, 'r'));
      await file.chmod(0o600);
      await file.utimes(usedAt / 1000, usedAt / 1000);
      await file.sync();
      signal.throwIfAborted();
      await rename(temporaryPath, join(folder, name));
      await withFolder(folder, ({ sync }) => sync());
      if (known) {
        known.bytes += content.sizeBytes;
        // This one goes before some of them, which only another look puts in order.
        if (usedAt < (known.oldest.at(-1)?.usedAt ?? 0)) known.oldest = [];
        known.changedMs = await folderTime();
      }
      return 'added';
    } finally {
      await removeName(temporaryPath).catch(() => undefined);
    }
  }

  /** Reads a copy. Returns false if another process has removed it. */
  async function readCopy(
    copy: string,
    { sizeBytes }: CopyContent,
    signal: AbortSignal,
    onChunk: (chunk: Buffer) => Promise<void>,
  ): Promise<boolean> {
    try {
      await readHashed(copy, sizeBytes, signal, onChunk);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw outputError(error, folder);
    }
  }

  async function restoreTo(
    copy: string,
    content: CopyContent,
    { path, modifiedAt, signal, isTaken }: RestoreOptions,
  ): Promise<RestoredCopy> {
    const target = dirname(path);
    await makeFolder(target);
    await assertSpace(target, content.sizeBytes);
    return temporaryFiles.use(target, async (id) => {
      const output = await openOutput(target, id);
      let name = path;
      try {
        const isRead = await readCopy(copy, content, signal, (chunk) => output.write(Buffer.from(chunk)));
        if (!isRead) return { kind: 'none' };
        // Of what was read: another process that restores the same content changes the copy's time meanwhile.
        if ((await output.finish()).sha256 !== content.sha256) return { kind: 'damaged' };
        await utimes(output.temporaryPath, modifiedAt / 1000, modifiedAt / 1000);
        const { pathFor, onReserve } = reserveOriginalName(path, () => undefined);
        let skipped = 0;
        const published = await output.publish({
          onReserve,
          async pathFor(attempt) {
            const tried = name;
            do {
              name = await pathFor(attempt + skipped);
              skipped += 1;
            } while (name !== path && isTaken(name));
            skipped -= 1;
            // The name that was tried may have been free until the other took it.
            for (const one of [tried, name]) {
              if ((await tryContentHash(one, content.sizeBytes, signal)) !== content.sha256) continue;
              name = one;
              throw restoredMeanwhile;
            }
            return name;
          },
        });
        return { kind: 'restored', path: published };
      } catch (error) {
        if (error === restoredMeanwhile) return { kind: 'restored', path: name };
        throw error;
      } finally {
        await output.discard();
      }
    });
  }

  async function list(): Promise<readonly StoredCopy[]> {
    const names = (await namesIn(folder)).filter((name) => copyName.test(name));
    const copies: StoredCopy[] = [];
    for (const batch of batchesOf(names, filesPerBatch)) {
      const some = batch.map(async (name) => {
        const stamp = await fileStampAt(join(folder, name));
        if (!stamp?.isFile) return [];
        return [{ name, sha256: name.slice(0, 64), sizeBytes: stamp.sizeBytes, usedAt: stamp.modifiedMs }];
      });
      copies.push(...(await Promise.all(some)).flat());
    }
    return copies;
  }

  /** Removes a copy. Resolves to why it cannot be removed, so that the others are all the same. */
  const tryToRemove = (name: string): Promise<unknown> =>
    inFolder(folder, () => removeName(join(folder, name))).catch((error: unknown) => error);

  async function remove(names: readonly string[]): Promise<void> {
    let problem: unknown;
    for (const name of names) {
      const why = await tryToRemove(name);
      problem ??= why;
    }
    known = null;
    if (problem instanceof Error) throw problem;
  }

  async function trim(maxBytes: number): Promise<void> {
    const copies = [...(await list())].sort((a, b) => a.usedAt - b.usedAt || (a.name < b.name ? -1 : 1));
    let bytes = copies.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let problem: unknown;
    let count = 0;
    for (const { name, sizeBytes } of copies) {
      if (bytes <= maxBytes) break;
      count += 1;
      const why = await tryToRemove(name);
      if (why === undefined) bytes -= sizeBytes;
      problem ??= why;
    }
    known = { bytes, oldest: copies.slice(count, count + removalsPerLook), changedMs: await folderTime() };
    if (bytes > maxBytes && problem instanceof Error) throw problem;
  }

  async function keepWithin(maxBytes: number): Promise<void> {
    const last = known;
    // In place of the folder there may be a link by now.
    if (!last || !(await isOwnFolder(folder))) return trim(maxBytes);
    while (last.bytes > maxBytes) {
      const next = last.oldest.shift();
      if (!next) return trim(maxBytes);
      const stamp = await fileStampAt(join(folder, next.name));
      // Another process has restored it since.
      if (stamp && stamp.modifiedMs !== next.usedAt) continue;
      if ((await tryToRemove(next.name)) === undefined) last.bytes -= next.sizeBytes;
      last.changedMs = await folderTime();
    }
  }

  return {
    folder,
    find,
    add: (path, content, usedAt, signal) =>
      inFolder(folder, async () => {
        const name = nameOf(content);
        if (name === undefined) return 'changed';
        const copy = await find(content);
        const stamp = copy === undefined ? null : await fileStampAt(copy);
        if (copy === undefined || stamp?.sizeBytes !== content.sizeBytes)
          return addTo(path, content, name, usedAt, signal);
        if (stamp.modifiedMs < usedAt) await markUsed(copy, usedAt);
        return 'known';
      }),
    async restore(content, options) {
      const copy = await find(content);
      if (copy === undefined) return { kind: 'none' };
      const restored = await inFolder(dirname(options.path), () => restoreTo(copy, content, options));
      if (restored.kind === 'damaged') await remove([basename(copy)]);
      if (restored.kind === 'restored') await markUsed(copy, options.now);
      return restored;
    },
    list: () => inFolder(folder, list),
    remove,
    trim: (maxBytes) => inFolder(folder, () => trim(maxBytes)),
    keepWithin: (maxBytes) => inFolder(folder, () => keepWithin(maxBytes)),
    async readNote() {
      if (!(await isOwnFolder(folder))) return null;
      return readFile(join(folder, noteName), 'utf8').catch(() => null);
    },
    async writeNote(text) {
      if (!(await isOwnFolder(folder))) return;
      await inFolder(folder, () => writeFile(join(folder, noteName), text, { mode: 0o600 }));
    },
    async sweep() {
      for (const name of await namesIn(folder)) {
        const left = temporaryName.exec(name)?.[1];
        if (left === undefined || isAlive(left)) continue;
        // One that cannot be removed, as its disk is not writable now, is left to the next sweep.
        await removeName(join(folder, name)).catch(() => undefined);
      }
    },
  };
}
