import { execFile } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../shared/errors.ts';
import type { TerminalCommand } from '../../shared/schemas/app.ts';
import { errnoOf, isDiskFull, isForbidden, isNotFound, outputError } from '../core/files/errno.ts';
import { makeFolderSync } from '../core/files/folders.ts';
import { findProgramFile } from '../core/program-file.ts';
import { commandLauncher, isCommandLauncher, quoteForShell } from './command-launcher.ts';

interface Dependencies {
  readonly platform: NodeJS.Platform;
  /** What the command starts: the AppImage, or the executable in `Timbre.app`. */
  readonly program: string;
  /** Where the command is installed. */
  readonly folder: string;
  /** Value of PATH. */
  readonly searchPath: string;
  /** Runs a line of the shell as an administrator, after the system has asked. Throws `system/terminal-command`. */
  runAsAdministrator?(line: string): Promise<void>;
}

interface TerminalCommandControl {
  get(): TerminalCommand;
  /** Throws `system/terminal-command`, `system/terminal-command-taken` if another program has its place, `output/disk-full`. */
  set(isOn: boolean): Promise<void>;
  /** Lets an installed command start this program, which may have moved, or be newer. */
  repair(): void;
}

const isNotAllowed = (error: unknown): boolean => isForbidden(error) || errnoOf(error) === 'EROFS';

/** The program `timbre` of a terminal where no package brings it: for an AppImage and on macOS. */
export function createTerminalCommand({
  platform,
  program,
  folder,
  searchPath,
  runAsAdministrator,
}: Dependencies): TerminalCommandControl {
  const path = join(folder, 'timbre');
  const launcher = commandLauncher(program, platform);

  /** Undefined if there is none. Empty if it is no file, or may not be read: then it is not ours. A link may lead to any file. */
  function read(): string | undefined {
    try {
      return lstatSync(path).isFile() ? readFileSync(path, 'utf8') : '';
    } catch (error) {
      return isNotFound(error) ? undefined : '';
    }
  }

  /** Removes what a process left that was killed while it wrote. What cannot be removed does no harm. */
  function removeLeft(): void {
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (!entry.isFile() || !/^timbre\.\d+\.tmp$/.test(entry.name)) continue;
        const left = join(folder, entry.name);
        const text = readFileSync(left, 'utf8');
        if (text === '' || isCommandLauncher(text)) rmSync(left, { force: true });
      }
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }

  /** A full disk leaves no half of it. */
  function write(): void {
    makeFolderSync(folder);
    removeLeft();
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, launcher, { flag: 'wx' });
      chmodSync(temporary, 0o755);
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  return {
    get: () => ({
      path,
      isInstalled: read() === launcher,
      isOnPath: searchPath.split(delimiter).includes(folder),
    }),
    async set(isOn) {
      const present = read();
      const isOurs = present !== undefined && isCommandLauncher(present);
      if (present !== undefined && !isOurs) {
        if (!isOn) return;
        throw new AppError('system/terminal-command-taken', `${path} is another program`, { facts: { name: path } });
      }
      try {
        if (isOn) write();
        else if (isOurs) unlinkSync(path);
      } catch (cause) {
        if (isDiskFull(cause)) throw outputError(cause, folder);
        if (!isNotAllowed(cause) || !runAsAdministrator) {
          throw new AppError('system/terminal-command', String(cause), { cause, facts: { folder } });
        }
        const [inFolder, file] = [quoteForShell(folder), quoteForShell(path)];
        const temporary = quoteForShell(`${path}.tmp`);
        const write = `printf %s ${quoteForShell(launcher)} > ${temporary} && chmod 755 ${temporary}`;
        const install = `mkdir -p ${inFolder} && rm -f ${temporary} && ${write} && mv -f ${temporary} ${file}`;
        await runAsAdministrator(isOn ? install : `rm -f ${file}`);
      }
    },
    repair() {
      const present = read();
      if (present === undefined || present === launcher || !isCommandLauncher(present)) return;
      try {
        write();
      } catch (error) {
        // It is shown as not installed, and can be installed again.
        if (!isNotAllowed(error)) throw error;
      }
    },
  };
}

/** Asks for an administrator's password as macOS does. Resolves without an effect if the user refuses. */
async function runAsMacAdministrator(line: string): Promise<void> {
  const quoted = line.replace(/["\\]/g, String.raw`\$&`);
  try {
    await promisify(execFile)('/usr/bin/osascript', [
      '-e',
      `do shell script "${quoted}" with administrator privileges`,
    ]);
  } catch (cause) {
    // "User canceled" (AppleScript Language Guide, Error numbers).
    if (String(cause).includes('(-128)')) return;
    throw new AppError('system/terminal-command', String(cause), { cause });
  }
}

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  /** Path of the program that runs. */
  readonly exe: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The control for a program that brings no `timbre` by its package; null for others, and where it runs from does not last. */
export function findTerminalCommand({
  platform,
  isPackaged,
  exe,
  home,
  env,
}: Surroundings): TerminalCommandControl | null {
  const { PATH: searchPath = '' } = env;
  const image = findProgramFile({ platform, env, execPath: exe });
  if (platform === 'linux' && isPackaged && image !== null) {
    return createTerminalCommand({ platform, program: image, folder: join(home, '.local/bin'), searchPath });
  }
  // In a disk image, or where macOS runs what was downloaded and not moved since.
  const isLasting = !/^\/Volumes\/|\/AppTranslocation\//.test(exe);
  if (platform === 'darwin' && isPackaged && isLasting) {
    return createTerminalCommand({
      platform,
      program: exe,
      folder: '/usr/local/bin',
      // Programs of the Dock have a shorter PATH than terminals, where this folder is always on it.
      searchPath: `${searchPath}:/usr/local/bin`,
      runAsAdministrator: runAsMacAdministrator,
    });
  }
  return null;
}
