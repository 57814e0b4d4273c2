import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandSwitches } from '../../src/main/electron/command-launcher.ts';

export const root = join(import.meta.dirname, '../..');
export const samples = join(root, 'samples');
/** Folder of the app under test: the source tree, or what was packed (scripts/pack-archive.mts). */
export const appFolder = process.env['TIMBRE_APP'] ?? root;
/** The host under test: the Electron binary or its stand-in. */
export const executable = process.env['TIMBRE_ELECTRON'] ?? '';

/** What runs the command line: Node, as in a source tree, or Electron, as where Timbre is installed. Its words follow. */
export const commandLines = {
  node: (program = appFolder): readonly string[] => [process.execPath, join(program, 'out/main/cli.js')],
  electron: (program = appFolder): readonly string[] => [
    executable,
    program,
    ...commandSwitches(process.platform),
    '--',
  ],
};
const runtime = process.env['TIMBRE_COMMANDS'] === 'electron' ? 'electron' : 'node';
/** The program and the first arguments of a command, in Electron if TIMBRE_COMMANDS says so. */
export const [program = '', ...command] = commandLines[runtime]();

/** Copies the built program to a folder beside which its data may be. */
export async function copyProgram(to: string): Promise<void> {
  for (const part of ['out', 'package.json', 'samples', 'build'])
    await cp(join(appFolder, part), join(to, part), { recursive: true });
  await symlink(join(appFolder, 'node_modules'), join(to, 'node_modules'));
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of stdout as JSON; empty where it is none. */
  readonly last: Readonly<Record<string, unknown>>;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Folder of another copy of the program. */
  readonly program?: string;
  /** What is piped in; without it there is nothing. */
  readonly input?: string | Buffer;
  /** As TIMBRE_COMMANDS says if omitted. */
  readonly runtime?: keyof typeof commandLines;
  /** What starts the command: a program with its arguments, of which the command's own are the last. */
  readonly through?: readonly string[];
  /** On a terminal, where stdout and stderr are one: what is typed once this is on the screen. */
  readonly typed?: { readonly at: string; readonly text: string };
}

/** Runs the built command line to its end, in English, with no keychain and no token unless `env` says otherwise. */
export async function runCommand(args: readonly string[], options: Options = {}): Promise<Ran> {
  const { env = {}, cwd = tmpdir(), input, through = [], typed } = options;
  const line = [...through, ...commandLines[options.runtime ?? runtime](options.program), ...args];
  const quoted = line.map((word) => `'${word}'`).join(' ');
  const terminal = ['script', '--quiet', '--return', '--command', quoted, '/dev/null'];
  const [file = '', ...rest] = typed ? terminal : line;
  const usual = { LANG: 'en_GB.UTF-8', LC_ALL: '', TIMBRE_TOKEN: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
  const child = spawn(file, rest, { cwd, env: { ...process.env, ...usual, ...env }, stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  if (!typed) child.stdin.end(input ?? '');
  let stdout = '';
  let stderr = '';
  let isTyped = false;
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
    if (!typed || isTyped || !stdout.includes(typed.at)) return;
    isTyped = true;
    child.stdin.write(typed.text);
  });
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(child, 'close')) as [number];
  const lastLine = stdout.trim().split('\n').at(-1) ?? '';
  return { code, stdout, stderr, last: lastLine.startsWith('{"') ? (JSON.parse(lastLine) as Ran['last']) : {} };
}
