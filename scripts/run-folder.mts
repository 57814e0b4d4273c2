import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The temporary folder of one run of the tests: whatever a program of the run makes there, also one that is killed, goes with the folder.
 * It is also the mark by which processes are known that outlive their test (on Linux; elsewhere none is seen).
 */
export interface RunFolder {
  readonly path: string;
  /** What the programs of the run get: this folder as their temporary one, and for what Node compiled. */
  readonly env: NodeJS.ProcessEnv;
  /** Programs of the run that still run, each with its id and command line. */
  leftProcesses(): readonly LeftProcess[];
  /** Names in it that tests of ours made and did not remove. */
  leftFolders(): readonly string[];
  remove(): void;
}

export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

/** Our own names; Chromium and tools leave theirs when they are killed. */
const ours = /^(timbre|host)-/;

/** Chromium writes its titles over its environment, so its arguments and its place count as well. */
function belongsTo(path: string, pid: string): boolean {
  const holds = (read: () => string): boolean => {
    try {
      return read().includes(path);
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  };
  return (
    holds(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ||
    holds(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ||
    holds(() => readlinkSync(`/proc/${pid}/cwd`))
  );
}

/** Empty for one that has ended and only waits to be asked how. */
const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

export function createRunFolder(): RunFolder {
  const path = mkdtempSync(join(tmpdir(), 'timbre-run-'));
  return {
    path,
    env: { ...process.env, TMPDIR: path, TMP: path, TEMP: path, NODE_COMPILE_CACHE: join(path, 'compile-cache') },
    leftProcesses() {
      if (process.platform !== 'linux') return [];
      return readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && belongsTo(path, name))
        .map((name) => ({ pid: Number(name), command: commandOf(name) }))
        .filter(({ command }) => command !== '');
    },
    leftFolders: () => readdirSync(path).filter((name) => ours.test(name)),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
