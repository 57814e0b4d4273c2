import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isRunning, killFamily, leaderOf } from './processes.ts';

/** Starts a shell in a session of its own; it prints the id of a child of its own. */
async function startShell(script: string) {
  const shell = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(shell, 'exit');
  const leader = leaderOf(shell.pid ?? 0);
  if (!leader) throw new Error('the shell has no row');
  const [text] = (await once(shell.stdout, 'data')) as [Buffer];
  return { leader, child: Number(text.toString()), exited };
}

it('ends the child of a leader that has already exited', async () => {
  const { leader, child, exited } = await startShell('sleep 1000 > /dev/null & echo $!');
  await exited;
  expect([isRunning(leader.pid), isRunning(child)]).toEqual([false, true]);
  await killFamily([leader]);
  expect(isRunning(child)).toBe(false);
});

it('ends a descendant that started a session of its own', async () => {
  const { leader, child } = await startShell('setsid sh -c "echo \\$\\$; exec sleep 1000 > /dev/null" & wait');
  await killFamily([leader]);
  expect([isRunning(leader.pid), isRunning(child)]).toEqual([false, false]);
});

it('leaves a process alone that has the id of a leader but another start time', async () => {
  const { leader, child } = await startShell('sleep 1000 > /dev/null & echo $!; wait');
  await killFamily([{ ...leader, startTicks: leader.startTicks - 1 }]);
  expect([isRunning(leader.pid), isRunning(child)]).toEqual([true, true]);
  await killFamily([leader]);
});
