import { createHash } from 'node:crypto';
import { link, mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../shared/app-error.ts';
import type { ErrorCode } from '../../../shared/error-code.ts';

/** A result on its way to its final name. Exactly one of `publish` and `discard` ends it. */
export interface PendingOutput {
  /** For a check of what arrived, before it counts. */
  readonly temporaryPath: string;
  write(chunk: Buffer): Promise<void>;
  /** Ends the file on disk; SHA-256 of its content as hex. */
  finish(): Promise<string>;
  /** Gives the file the first free name that `nameFor` offers, and returns its path. Never replaces anything. */
  publish(nameFor: (attempt: number) => string): Promise<string>;
  discard(): Promise<void>;
}

const maxAttempts = 10_000;
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
const noLinks = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
const notWritable = new Set<unknown>(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR']);

function outputError(error: unknown, folder: string): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const cause: ErrorCode =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'output/disk-full'
      : notWritable.has(code)
        ? 'output/not-writable'
        : 'output/failed';
  return new AppError(cause, `${folder}: ${String(code ?? error)}`, { cause: error, facts: { folder } });
}

async function guarded<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw outputError(error, folder);
  }
}

/** Makes the new name itself survive a power cut. Windows has no such thing and keeps names by its own journal. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Takes `target` if nobody has it. A hard link is refused by the system when the name exists, so nothing can come in between. */
async function takeName(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (noLinks.has(codeOf(error))) return takeNameWithoutLinks(temporary, target);
    throw error;
  }
  await unlink(temporary);
  return true;
}

/** exFAT and some shares have no links: an empty file that only we can have made holds the name, and is then replaced. */
async function takeNameWithoutLinks(temporary: string, target: string): Promise<boolean> {
  try {
    await (await open(target, 'wx')).close();
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  await rename(temporary, target);
  return true;
}

/**
 * Opens a temporary file in the folder that the result belongs to, made if need be. `jobId` is in its name, so that a later start
 * knows its own.
 */
export function openOutput(folder: string, jobId: string): Promise<PendingOutput> {
  return guarded(folder, async () => {
    await mkdir(folder, { recursive: true });
    const temporaryPath = join(folder, `.timbre-${jobId}.part`);
    let file: FileHandle | undefined = await open(temporaryPath, 'w');
    const hash = createHash('sha256');
    const closeFile = async () => {
      const open = file;
      file = undefined;
      await open?.close();
    };

    return {
      temporaryPath,
      write: (chunk) =>
        guarded(folder, async () => {
          hash.update(chunk);
          await file?.writeFile(chunk);
        }),
      finish: () =>
        guarded(folder, async () => {
          await file?.sync();
          await closeFile();
          return hash.digest('hex');
        }),
      publish: (nameFor) =>
        guarded(folder, async () => {
          for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
            const target = join(folder, nameFor(attempt));
            if (dirname(target) !== folder) throw new Error(`a name that leaves its folder: ${target}`);
            if (await takeName(temporaryPath, target)) {
              await syncFolder(folder);
              return target;
            }
          }
          throw new Error('every name is taken');
        }),
      async discard() {
        await closeFile().catch(() => undefined);
        await unlink(temporaryPath).catch((error: unknown) => {
          if (codeOf(error) !== 'ENOENT') throw outputError(error, folder);
        });
      },
    };
  });
}
