import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AppError } from '../../shared/errors.ts';
import { windowsProgram } from '../core/child-process.ts';

/** What the user may have the computer do. */
type PowerAction = 'sleep' | 'shut-down';

type Command = readonly [program: string, ...args: readonly string[]];

const commands: Readonly<Record<'linux' | 'darwin' | 'win32', Readonly<Record<PowerAction, Command>>>> = {
  linux: { sleep: ['systemctl', 'suspend'], 'shut-down': ['systemctl', 'poweroff'] },
  darwin: {
    sleep: ['pmset', 'sleepnow'],
    'shut-down': ['osascript', '-e', 'tell application "System Events" to shut down'],
  },
  win32: {
    sleep: [windowsProgram('rundll32.exe'), 'powrprof.dll,SetSuspendState', '0,1,0'],
    'shut-down': [windowsProgram('shutdown.exe'), '/s', '/t', '0'],
  },
};

/** Runs a program and resolves when it ends; rejects with its error output. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<void>;

/** A dialog of the system may ask for a password; a program that hangs is given up. */
const programTimeoutMs = 60_000;

export const runProgram: RunProgram = async (program, args) => {
  await promisify(execFile)(program, [...args], { timeout: programTimeoutMs });
};

/** Puts the computer to sleep or shuts it down, by the system's own command. Throws `system/power-refused` with its words. */
export async function changePower(action: PowerAction, platform: NodeJS.Platform, run: RunProgram): Promise<void> {
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
  const [program, ...args] = commands[system][action];
  try {
    await run(program, args);
  } catch (cause) {
    const stderr = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
    throw new AppError('system/power-refused', `${program} failed`, {
      cause,
      facts: { action, ...(stderr !== '' && { said: stderr }) },
    });
  }
}
