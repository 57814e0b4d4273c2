import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createEventLoopYielder } from '../clock.ts';
import type { Signature } from '../files/identity.ts';
import { errnoOf, isForbidden } from '../files/errno.ts';
import { diskOf, mountPoints } from '../files/folders.ts';

export type WriterAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'writer'; readonly program: string | null }
  /** No visible process; another one may have it open. */
  | { readonly kind: 'unseen' }
  /** This system cannot tell. */
  | { readonly kind: 'unknown' };

export interface WriterQuestion {
  readonly path: string;
  readonly signature: Signature;
}

/** Finds who has files open for writing. Returns one answer per question, in their order. */
export type FindWriters = (questions: readonly WriterQuestion[]) => Promise<readonly WriterAnswer[]>;

const identity = (device: string, inode: string) => `${device}:${inode}`;
const writeBit = 0o200;
/** libuv's `UV_FS_O_EXLOCK`: opens the file exclusively on Windows. */
const exclusive = 0x10_00_00_00;
/** Never in a watched folder. */
const systemPath = /^\/(dev|proc|sys|memfd:)/;

/** Yields each handle that is open for writing, and null for any other. Returns true if every process was readable. */
function* openForWriting(
  procFolder: string,
): Generator<{ readonly link: string; readonly processFolder: string } | null, boolean> {
  const processIds = readdirSync(procFolder).filter((name) => /^\d+$/.test(name));
  // Process 1 always exists: if it is hidden (`hidepid`), others are hidden, too.
  let isAllSeen = processIds.includes('1');
  for (const processId of processIds) {
    const processFolder = join(procFolder, processId);
    let handles: readonly string[];
    try {
      handles = readdirSync(join(processFolder, 'fd'));
    } catch (error) {
      // Otherwise the process has ended.
      if (isForbidden(error)) isAllSeen = false;
      continue;
    }
    for (const handle of handles) {
      const link = join(processFolder, 'fd', handle);
      // The link's mode tells how the file was opened, without access to its disk, which may be a drive that hangs.
      const canWrite = ((lstatSync(link, { throwIfNoEntry: false })?.mode ?? 0) & writeBit) !== 0;
      yield canWrite ? { link, processFolder } : null;
    }
  }
  return isAllSeen;
}

/** Prefers the name of the executable, which users know; the name of the main thread may be anything. */
function programOf(processFolder: string): string | null {
  try {
    return basename(readlinkSync(join(processFolder, 'exe'))).replace(/ \(deleted\)$/, '');
  } catch {
    // The process has ended, or its link is not readable.
  }
  try {
    return readFileSync(join(processFolder, 'comm'), 'utf8').trim();
  } catch {
    return null;
  }
}

function targetOnDisk(link: string): string | null {
  try {
    const target = readlinkSync(link);
    return target.startsWith('/') && !systemPath.test(target) ? target : null;
  } catch {
    return null;
  }
}

const answersWithinMs = 2000;
/** Disks that have yet to answer a sweep. Each question holds a thread, so they are not asked again. */
const silentDisks = new Set<string>();

/** What is open; null if that cannot be known, or the disk does not answer. */
function statInTime(link: string, disk: string): Promise<BigIntStats | null> {
  if (silentDisks.has(disk)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => {
      silentDisks.add(disk);
      resolve(null);
    }, answersWithinMs);
    void stat(link, { bigint: true })
      .then(resolve, () => resolve(null))
      .finally(() => {
        clearTimeout(giveUp);
        silentDisks.delete(disk);
      });
  });
}

/**
 * One sweep over all open files (proc(5)). Only root sees those of every process. Other users do not see
 * system processes, such as a file server, which may write any user's files.
 */
async function sweepProcesses(
  questions: readonly WriterQuestion[],
  procFolder: string,
): Promise<readonly WriterAnswer[]> {
  const wanted = new Set(questions.map(({ signature }) => identity(signature.device, signature.inode)));
  const found = new Map<string, string | null>();
  const yieldIfDue = createEventLoopYielder(() => performance.now());
  const points = await mountPoints();
  const processes = openForWriting(procFolder);
  let next = processes.next();
  for (; !next.done; next = processes.next()) {
    await yieldIfDue();
    const opened = next.value;
    const target = opened && targetOnDisk(opened.link);
    if (!target) continue;
    const stats = await statInTime(opened.link, diskOf(target, points, 'linux'));
    const key = stats && identity(String(stats.dev), String(stats.ino));
    if (key && wanted.has(key)) found.set(key, programOf(opened.processFolder));
  }
  const kind = next.value ? 'none' : 'unseen';
  return questions.map(({ path, signature }) => {
    const program = found.get(identity(signature.device, signature.inode));
    if (program !== undefined) return { kind: 'writer', program };
    return { kind: silentDisks.has(diskOf(path, points, 'linux')) ? 'unknown' : kind };
  });
}

/** Opens the file exclusively, which fails while another program has it open for writing. */
async function probeShare({ path }: WriterQuestion): Promise<WriterAnswer> {
  try {
    const file = await open(path, exclusive);
    await file.close();
    return { kind: 'none' };
  } catch (error) {
    return errnoOf(error) === 'EBUSY' ? { kind: 'writer', program: null } : { kind: 'unknown' };
  }
}

/** Creates the search for writers on this system. `procFolder` is where Linux lists its processes. */
export function createFindWriters(platform: NodeJS.Platform, procFolder = '/proc'): FindWriters {
  return async (questions) => {
    if (platform === 'win32') return Promise.all(questions.map(probeShare));
    const unknown = questions.map((): WriterAnswer => ({ kind: 'unknown' }));
    if (platform !== 'linux') return unknown;
    // Processes may not be listed, or too many files are open.
    return sweepProcesses(questions, procFolder).catch(() => unknown);
  };
}
