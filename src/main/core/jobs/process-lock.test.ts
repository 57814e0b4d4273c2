import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireProcessLock } from './process-lock.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

const files = () => readdir(join(folder, 'runners'));

it('reports a process as alive until it is killed, even while it is suspended', async () => {
  const path = join(folder, 'other.mts');
  await writeFile(
    path,
    `import { acquireProcessLock } from ${JSON.stringify(join(import.meta.dirname, 'process-lock.ts'))};
     acquireProcessLock(${JSON.stringify(folder)}, 'other');
     process.stdout.write('locked');
     setInterval(() => undefined, 1000);`,
  );
  const other = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  const mine = acquireProcessLock(folder, 'mine');
  expect(mine.isAlive('other')).toBe(true);
  other.kill('SIGSTOP');
  expect(mine.isAlive('other')).toBe(true);
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(mine.isAlive('other')).toBe(false);
  expect(await files()).not.toContain('other.lock');
  mine.release();
});

it('is alive itself, and reports an unknown id as dead', () => {
  const mine = acquireProcessLock(folder);
  expect(mine.isAlive(mine.id)).toBe(true);
  expect(mine.isAlive('nobody')).toBe(false);
  mine.release();
});

it('tells two owners in one process apart', () => {
  const one = acquireProcessLock(folder);
  const two = acquireProcessLock(folder);
  expect([one.isAlive(two.id), two.isAlive(one.id)]).toEqual([true, true]);
  one.release();
  expect(two.isAlive(one.id)).toBe(false);
  two.release();
});

it('leaves no files when it is released, also twice', async () => {
  const mine = acquireProcessLock(folder);
  mine.release();
  mine.release();
  expect(await files()).toEqual([]);
});

it('does not fail at its end if its files cannot be removed, which no longer lock anything', async () => {
  const [mine, other] = [acquireProcessLock(folder, 'mine'), acquireProcessLock(folder, 'other')];
  const journal = join(folder, 'runners', 'mine.lock-journal');
  await rm(journal, { force: true });
  await mkdir(journal);
  mine.release();
  expect(other.isAlive('mine')).toBe(false);
  other.release();
  expect(await files()).toEqual(['mine.lock-journal']);
});
