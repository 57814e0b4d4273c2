import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Clock } from '../clock.ts';
import { openDatabase } from './database.ts';
import { followOtherWrites } from './other-writes.ts';

let folder: string;
let own: DatabaseSync;
let other: DatabaseSync;
let closing: AbortController;
let polls: (() => void)[];
let defects: unknown[];

/** Lets one poll happen, and waits until it waits for the next one. */
async function poll(): Promise<void> {
  await expect.poll(() => polls.length).toBe(1);
  polls.pop()?.();
  await expect.poll(() => polls.length).toBe(1);
}
const write = (database: DatabaseSync, id: string) =>
  database.prepare("INSERT INTO connection (id, document, created_at) VALUES (?, '{}', 0)").run(id);

function follow(onWrite: () => void): void {
  const clock: Clock = {
    now: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        polls.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };
  followOtherWrites({ database: own, clock, onDefect: (error) => defects.push(error) }, closing.signal, onWrite);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-writes-'));
  own = await openDatabase(folder);
  other = await openDatabase(folder);
  closing = new AbortController();
  polls = [];
  defects = [];
});
afterEach(async () => {
  closing.abort();
  own.close();
  other.close();
  await rm(folder, { recursive: true });
});

it('is called after another process has written, and not for its own writes', async () => {
  let calls = 0;
  follow(() => (calls += 1));
  write(own, 'own');
  await poll();
  expect(calls).toBe(0);
  write(other, 'a');
  write(other, 'b');
  await poll();
  await poll();
  expect(calls).toBe(1);
});

it('is called again for what it failed to handle, and only a failure that does not pass is reported', async () => {
  const failures: unknown[] = [Object.assign(new Error('locked'), { errcode: 5 }), new Error('a defect')];
  let handled = 0;
  follow(() => {
    const failure = failures.shift();
    if (failure) throw failure as Error;
    handled += 1;
  });
  write(other, 'a');
  await poll();
  expect([handled, defects]).toEqual([0, []]);
  await poll();
  expect([handled, defects]).toEqual([0, [new Error('a defect')]]);
  await poll();
  expect(handled).toBe(1);
});
