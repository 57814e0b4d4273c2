import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createInstanceLock, type InstanceLock, type SecondInstance } from './instance-lock.mts';

let folder: string;
let lock: InstanceLock;
let seconds: SecondInstance[];
let errors: string[];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'host-lock-')), 'x'.repeat(120));
  seconds = [];
  errors = [];
  lock = createInstanceLock({
    userData: () => folder,
    onSecond: (second) => Promise.resolve(void seconds.push(second)),
    reportError: (why) => errors.push(why),
  });
});
afterEach(() => {
  lock.release();
  rmSync(join(folder, '..'), { recursive: true });
});

/** A second start in its own process. Resolves with its output: whether it got the lock, and its errors. */
async function startSecond(): Promise<{ readonly isFirst: boolean; readonly errorOutput: string }> {
  const program = `
    const { createInstanceLock } = await import(${JSON.stringify(new URL('./instance-lock.mts', import.meta.url).href)});
    const deps = { userData: () => ${JSON.stringify(folder)}, onSecond: async () => {}, reportError: (why) => console.error(why) };
    console.log(createInstanceLock(deps).request({ from: 'second' }));
    process.exit(0);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  let out = '';
  let errorOutput = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errorOutput += chunk.toString()));
  await once(child, 'close');
  return { isFirst: out.trim() === 'true', errorOutput };
}

/** Via an open folder, as in the lock: a socket address is limited to 107 bytes. */
async function send(bytes: Buffer | string): Promise<void> {
  const opened = openSync(folder, 'r');
  try {
    const socket = connect(`/proc/self/fd/${opened}/instance.sock`);
    await new Promise<void>((resolve) => {
      socket.on('error', () => undefined).on('close', () => resolve());
      socket.resume().end(bytes);
    });
  } finally {
    closeSync(opened);
  }
}

test('a second start passes on its arguments and does not get the lock', async () => {
  expect(lock.request(null)).toBe(true);
  expect(await startSecond()).toEqual({ isFirst: false, errorOutput: '' });
  expect(seconds).toMatchObject([{ data: { from: 'second' } }]);
});

test('other users cannot enter its folder', () => {
  expect(lock.request(null)).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('an invalid message is ignored, and a later valid one still arrives', async () => {
  lock.request(null);
  const bad = [
    '',
    'null',
    '5',
    '[]',
    '{',
    '{"argv":5,"cwd":"/"}',
    '{"argv":[]}',
    '\0\xff',
    Buffer.alloc(7_000_000, 'x'),
  ];
  for (const message of bad) await send(message);
  expect(seconds).toEqual([]);
  expect(await startSecond()).toMatchObject({ isFirst: false });
  expect(seconds).toHaveLength(1);
});

test('is free again once its process has ended, even if the socket was left', async () => {
  expect(lock.request(null)).toBe(true);
  lock.release();
  writeFileSync(join(folder, 'instance.sock'), '');
  expect(await startSecond()).toEqual({ isFirst: true, errorOutput: '' });
  expect(lock.request(null)).toBe(true);
});

test('a start that cannot use its folder reports the reason', () => {
  const file = join(folder, '..', 'file');
  writeFileSync(file, '');
  const stuck = createInstanceLock({
    userData: () => file,
    onSecond: () => Promise.resolve(),
    reportError: (why) => errors.push(why),
  });
  expect(stuck.request(null)).toBe(false);
  expect(errors[0]).toContain(file);
});
