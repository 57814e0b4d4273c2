import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createBreather } from './breather.ts';
import type { Signature } from './eyes.ts';
import { systemCode } from './system-code.ts';

export type WriterAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'writer'; readonly program: string | null }
  /** Nobody here can tell. */
  | { readonly kind: 'unknown' };

export interface WriterQuestion {
  readonly path: string;
  readonly signature: Signature;
  /** Of the file's owner. */
  readonly userId: number;
}

/** Who has files open for writing. One call serves all that are asked about at a moment, in their order. */
export type FindWriters = (questions: readonly WriterQuestion[]) => Promise<readonly WriterAnswer[]>;

const identity = (device: string, inode: string) => `${device}:${inode}`;
const writeBit = 0o200;
/** libuv's `UV_FS_O_EXLOCK`: on Windows, shares the file with nobody. */
const shareWithNobody = 0x10_00_00_00;
/** Nothing of these is a file that somebody watches. */
const systemPath = /^\/(dev|proc|sys|memfd:)/;

function* openForWriting(
  procFolder: string,
): Generator<{ readonly link: string; readonly processFolder: string } | null> {
  for (const processId of readdirSync(procFolder)) {
    if (!/^\d+$/.test(processId)) continue;
    const processFolder = join(procFolder, processId);
    let handles: readonly string[];
    try {
      handles = readdirSync(join(processFolder, 'fd'));
    } catch {
      // It has ended, or is somebody else's.
      continue;
    }
    for (const handle of handles) {
      const link = join(processFolder, 'fd', handle);
      // The link itself says how it was opened, without a look at the disk, which may be a network drive that hangs.
      const canWrite = ((lstatSync(link, { throwIfNoEntry: false })?.mode ?? 0) & writeBit) !== 0;
      yield canWrite ? { link, processFolder } : null;
    }
  }
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
 * One sweep over all open files (proc(5)). Processes of other people cannot be looked into, so a file of another person has no certain
 * answer; root sees everything.
 */
async function sweepProcesses(
  questions: readonly WriterQuestion[],
  procFolder: string,
  ownUserId: number,
): Promise<readonly WriterAnswer[]> {
  const wanted = new Set(questions.map(({ signature }) => identity(signature.device, signature.inode)));
  const found = new Map<string, string | null>();
  const breathe = createBreather(() => performance.now());
  for (const opened of openForWriting(procFolder)) {
    await breathe();
    if (!opened || !isOnDisk(opened.link)) continue;
    const stats = await stat(opened.link, { bigint: true }).catch(() => null);
    const key = stats && identity(String(stats.dev), String(stats.ino));
    if (key && wanted.has(key)) found.set(key, programOf(opened.processFolder));
  }
  return questions.map(({ signature, userId }) => {
    const program = found.get(identity(signature.device, signature.inode));
    if (program !== undefined) return { kind: 'writer', program };
    return ownUserId === 0 || userId === ownUserId ? { kind: 'none' } : { kind: 'unknown' };
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
    return sweepProcesses(questions, procFolder, process.getuid?.() ?? -1).catch(() => unknown);
  };
}
