import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createEventLoopYielder } from '../clock.ts';
import { isForbidden, systemCode } from '../files/errno.ts';
import type { Signature } from '../files/identity.ts';

export type WriterAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'writer'; readonly program: string | null }
  /** Nobody who can be looked into. */
  | { readonly kind: 'unseen' }
  /** Nobody here can tell. */
  | { readonly kind: 'unknown' };

export interface WriterQuestion {
  readonly path: string;
  readonly signature: Signature;
}

/** Who has files open for writing. One call serves all that are asked about at a moment, in their order. */
export type FindWriters = (questions: readonly WriterQuestion[]) => Promise<readonly WriterAnswer[]>;

const identity = (device: string, inode: string) => `${device}:${inode}`;
const writeBit = 0o200;
/** libuv's `UV_FS_O_EXLOCK`: on Windows, shares the file with nobody. */
const shareWithNobody = 0x10_00_00_00;
/** Nothing of these is a file that somebody watches. */
const systemPath = /^\/(dev|proc|sys|memfd:)/;

/** Returns whether every process could be looked into. */
function* openForWriting(
  procFolder: string,
): Generator<{ readonly link: string; readonly processFolder: string } | null, boolean> {
  const processIds = readdirSync(procFolder).filter((name) => /^\d+$/.test(name));
  // The first process never ends: where it is not shown, others are not shown either (`hidepid`).
  let isAllSeen = processIds.includes('1');
  for (const processId of processIds) {
    const processFolder = join(procFolder, processId);
    let handles: readonly string[];
    try {
      handles = readdirSync(join(processFolder, 'fd'));
    } catch (error) {
      // Else it has ended.
      if (isForbidden(error)) isAllSeen = false;
      continue;
    }
    for (const handle of handles) {
      const link = join(processFolder, 'fd', handle);
      // The link itself says how it was opened, without a look at the disk, which may be a network drive that hangs.
      const canWrite = ((lstatSync(link, { throwIfNoEntry: false })?.mode ?? 0) & writeBit) !== 0;
      yield canWrite ? { link, processFolder } : null;
    }
  }
  return isAllSeen;
}

/** By the name of its file, which people know; that of its main thread may be anything. */
function programOf(processFolder: string): string | null {
  try {
    return basename(readlinkSync(join(processFolder, 'exe'))).replace(/ \(deleted\)$/, '');
  } catch {
    // It has ended, or its file may not be asked for.
  }
  try {
    return readFileSync(join(processFolder, 'comm'), 'utf8').trim();
  } catch {
    return null;
  }
}

function isOnDisk(link: string): boolean {
  try {
    const target = readlinkSync(link);
    return target.startsWith('/') && !systemPath.test(target);
  } catch {
    return false;
  }
}

/**
 * One sweep over all open files (proc(5)). Root sees everything. Others cannot look into the processes of other people and of the
 * system, a file server perhaps, which writes what belongs to anybody.
 */
async function sweepProcesses(
  questions: readonly WriterQuestion[],
  procFolder: string,
): Promise<readonly WriterAnswer[]> {
  const wanted = new Set(questions.map(({ signature }) => identity(signature.device, signature.inode)));
  const found = new Map<string, string | null>();
  const breathe = createEventLoopYielder(() => performance.now());
  const processes = openForWriting(procFolder);
  let next = processes.next();
  for (; !next.done; next = processes.next()) {
    await breathe();
    const opened = next.value;
    if (!opened || !isOnDisk(opened.link)) continue;
    const stats = await stat(opened.link, { bigint: true }).catch(() => null);
    const key = stats && identity(String(stats.dev), String(stats.ino));
    if (key && wanted.has(key)) found.set(key, programOf(opened.processFolder));
  }
  const kind = next.value ? 'none' : 'unseen';
  return questions.map(({ signature }) => {
    const program = found.get(identity(signature.device, signature.inode));
    return program === undefined ? { kind } : { kind: 'writer', program };
  });
}

/** Opens it for reading and for nobody else beside us: refused where somebody has it open for writing. */
async function probeShare({ path }: WriterQuestion): Promise<WriterAnswer> {
  try {
    const file = await open(path, shareWithNobody);
    await file.close();
    return { kind: 'none' };
  } catch (error) {
    return systemCode(error) === 'EBUSY' ? { kind: 'writer', program: null } : { kind: 'unknown' };
  }
}

/** How writers are found on this system. `procFolder` is where Linux shows its processes. */
export function createFindWriters(platform: NodeJS.Platform, procFolder = '/proc'): FindWriters {
  return async (questions) => {
    if (platform === 'win32') return Promise.all(questions.map(probeShare));
    const unknown = questions.map((): WriterAnswer => ({ kind: 'unknown' }));
    if (platform !== 'linux') return unknown;
    // Without the right to list processes, or out of handles: nobody can tell.
    return sweepProcesses(questions, procFolder).catch(() => unknown);
  };
}
