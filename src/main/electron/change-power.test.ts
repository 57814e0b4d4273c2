import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AppError } from '../../shared/errors.ts';
import { changePower, type RunProgram, runProgram } from './change-power.ts';

it.each([
  ['linux', 'sleep', 'systemctl suspend'],
  ['linux', 'shut-down', 'systemctl poweroff'],
  ['freebsd', 'sleep', 'systemctl suspend'],
  ['darwin', 'sleep', 'pmset sleepnow'],
  ['darwin', 'shut-down', 'osascript -e tell application "System Events" to shut down'],
  ['win32', 'sleep', 'C:\\Windows\\System32\\rundll32.exe powrprof.dll,SetSuspendState 0,1,0'],
  ['win32', 'shut-down', 'C:\\Windows\\System32\\shutdown.exe /s /t 0'],
] as const)('on %s, %s is the system’s own command', async (platform, action, line) => {
  const lines: string[] = [];
  const run: RunProgram = (program, args) => Promise.resolve(void lines.push([program, ...args].join(' ')));
  await changePower(action, platform, run);
  expect(lines).toEqual([line]);
});

it('a refusal has the words of the system', async () => {
  const refused = (error: Error) =>
    changePower('shut-down', 'linux', () => Promise.reject(error)).catch(
      (thrown: unknown) => (thrown as AppError).problem,
    );
  const facts = { action: 'shut-down' };
  expect(
    await refused(Object.assign(new Error('exit 1'), { stderr: 'Interactive authentication required.\n' })),
  ).toEqual({
    code: 'system/power-refused',
    facts: { ...facts, said: 'Interactive authentication required.' },
  });
  expect(await refused(new Error('spawn systemctl ENOENT'))).toEqual({ code: 'system/power-refused', facts });
});

it.skipIf(process.platform === 'win32')(
  'a program gets its arguments as they are, and its failure is a rejection',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-power-'));
    const program = join(folder, 'program');
    await writeFile(program, '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.log"\necho no >&2\nexit $#\n');
    await chmod(program, 0o755);
    await runProgram(program, []);
    await expect(runProgram(program, ['a b', '$HOME'])).rejects.toMatchObject({ stderr: 'no\n' });
    expect(await readFile(`${program}.log`, 'utf8')).toBe('a b\n$HOME\n');
    await rm(folder, { recursive: true });
  },
);
