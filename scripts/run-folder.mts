import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The temporary folder of one test run. Removing it also removes what killed programs left in it. Its path also identifies
 * processes that outlive their test (only on Linux; elsewhere none is found).
 */
export interface RunFolder {
  readonly path: string;
  /** Environment of the programs in the run: this folder for temporary files and for Node's compile cache. */
  readonly env: NodeJS.ProcessEnv;
  /** Programs of the run that are still running, each with its id and command line. */
  leftProcesses(): readonly LeftProcess[];
  /** Names of the folders that our tests created and did not remove. */
  leftFolders(): readonly string[];
  remove(): void;
}

export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

/** Only our own prefixes: Chromium and tools leave folders behind when they are killed. */
const ours = /^(timbre|host)-/;

/** Chromium overwrites its environment with process titles, so arguments and working directory are checked as well. */
function belongsTo(path: string, pid: string): boolean {
  const holds = (read: () => string): boolean => {
    try {
      return read().includes(path);
    } catch {
      // The process has ended, or belongs to another user.
      return false;
    }
  };
  return (
    holds(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ||
    holds(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ||
    holds(() => readlinkSync(`/proc/${pid}/cwd`))
  );
}

/** Command line of a process; empty for a zombie. */
const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

/** Other programs that are running and were started with this folder; only on Linux. */
export function processesOf(path: string): readonly LeftProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && belongsTo(path, name))
    .map((name) => ({ pid: Number(name), command: commandOf(name) }))
    .filter(({ command }) => command !== '');
}

export function createRunFolder(): RunFolder {
  const path = mkdtempSync(join(tmpdir(), 'timbre-run-'));
  return {
    path,
    env: { ...process.env, TMPDIR: path, TMP: path, TEMP: path, NODE_COMPILE_CACHE: join(path, 'compile-cache') },
    leftProcesses: () => processesOf(path),
    leftFolders: () => readdirSync(path).filter((name) => ours.test(name)),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
