import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRunFolder } from './run-folder.mts';

function newFolder() {
  const folder = createRunFolder();
  onTestFinished(() => folder.remove());
  return folder;
}

const isLinux = process.platform === 'linux';

it.runIf(isLinux)('finds a process of the run that outlived its parent, and no other (Linux)', async () => {
  const [run, other] = [newFolder(), newFolder()];
  const orphan = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
    child.unref();
    console.log(child.pid);
  `;
  const parent = spawn(process.execPath, ['-e', orphan], { env: run.env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  parent.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(parent, 'close');
  const pid = Number(said);
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The test has already ended it.
    }
  });
  expect(run.leftProcesses()).toMatchObject([{ pid, command: expect.stringContaining('setInterval') as string }]);
  expect(other.leftProcesses()).toEqual([]);
  process.kill(pid, 'SIGKILL');
  await expect.poll(run.leftProcesses).toEqual([]);
});

it('lists what tests left behind, and removes everything, including leftovers of killed browsers', () => {
  const run = newFolder();
  for (const name of ['timbre-jobs-1', 'org.chromium.Chromium.1']) {
    mkdirSync(join(run.path, name));
    writeFileSync(join(run.path, name, 'x'), '');
  }
  expect(run.leftFolders()).toEqual(['timbre-jobs-1']);
  expect(Object.values(run.env).filter((value) => value === run.path)).toHaveLength(3);
  run.remove();
  expect(existsSync(run.path)).toBe(false);
});
