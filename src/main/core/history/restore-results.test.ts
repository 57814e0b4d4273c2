import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createWriteGate } from '../database/write-gate.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { Job } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { createOwnResults } from '../jobs/own-results.ts';
import { createTestCopies, type TestCopies } from './copies.fixture.ts';
import { resultOf } from './file-status.ts';
import { countReads, useLibrary } from './history-entries.fixture.ts';
import { hasRestorable, restoreResults, type RestoredResult } from './restore-results.ts';

const library = useLibrary();
const { platform } = process;
const nothing = { restored: 0, there: 0, none: 0, damaged: 0, away: 0, failed: 0, firstProblem: null };
let test: TestCopies;
let changed: string[];
let each: RestoredResult[];

beforeEach(() => {
  test = createTestCopies(library());
  [changed, each] = [[], []];
});

/** An entry whose result has a copy. */
async function entry(id: string, text = `result ${id}`, name = `out/${id}.wav`): Promise<Job> {
  const job = await library().done(
    id,
    await library().write(`in/${id}.wav`, 'source'),
    await library().write(name, text),
  );
  await expect.poll(async () => (await test.copies.status()).waiting).toBe(0);
  await test.copies.stop();
  test = createTestCopies(library());
  return job;
}
const pathOf = (job: Job) => job.output?.path ?? '';
const now = (id: string) => library().store.get(id);

function restore(
  ids: readonly string[],
  signal = new AbortController().signal,
  store: Pick<JobStore, 'get'> = library().store,
) {
  const { database } = library();
  const writes = createWriteGate({ database, clock: systemClock, onDefect: () => undefined });
  return restoreResults(
    {
      database,
      store,
      writes,
      ...test,
      clock: systemClock,
      onChanged: (some) => changed.push(...some),
    },
    ids,
    { signal, onProgress: () => undefined },
    (result) => each.push(result),
  );
}

describe('a result that is gone', () => {
  it('comes back at its place, where history knows it as its own', async () => {
    const job = await entry('a');
    const path = pathOf(job);
    const before = await stat(path);
    await rm(dirname(path), { recursive: true });
    expect(await restore(['a'])).toEqual({ ...nothing, restored: 1 });
    expect(each).toEqual([{ id: 'a', kind: 'restored', path }]);
    expect(await readFile(path, 'utf8')).toBe('result a');
    // As old as it was.
    expect((await stat(path)).mtimeMs - before.mtimeMs).toBeLessThan(1000);
    expect(changed).toEqual(['a']);
    const file = resultOf(now('a') as Job);
    expect(file && (await test.fileQueries.quickStatus(file))).toBe('there');
    // A watched folder takes it for no new recording.
    expect(await createOwnResults(library().database).isAt(path, new AbortController().signal)).toBe(true);
  });

  it('comes back for all entries that have it', async () => {
    await entry('a', 'same', 'out/shared.wav');
    const job = await entry('b', 'same', 'out/shared.wav');
    await rm(pathOf(job));
    expect(await restore(['a', 'b'])).toEqual({ ...nothing, restored: 1, there: 1 });
    expect(changed.toSorted()).toEqual(['a', 'b']);
  });

  it('gets the next free name if another file is there, and its entry follows', async () => {
    const job = await entry('a');
    await writeFile(pathOf(job), 'the user’s own');
    // The name of another result, whose file is gone too.
    const other = await entry('b', 'other', 'out/a (2).wav');
    await rm(pathOf(other));
    expect(await restore(['a'])).toEqual({ ...nothing, restored: 1 });
    const path = library().at('out', 'a (3).wav');
    expect(now('a')?.output?.path).toBe(path);
    expect(await readFile(path, 'utf8')).toBe('result a');
    expect(await readFile(pathOf(job), 'utf8')).toBe('the user’s own');
    expect(now('b')?.output?.path).toBe(pathOf(other));
  });
});

describe('a result that two processes restore at the same time', () => {
  it.each([
    ['comes back once', false],
    ['comes back once beside another file', true],
  ])('%s', async (_, isReplaced) => {
    const ids = ['a', 'b', 'c', 'd'];
    for (const id of ids) await entry(id);
    const folder = dirname(pathOf(now('a') as Job));
    for (const id of ids) {
      await rm(join(folder, `${id}.wav`));
      if (isReplaced) await writeFile(join(folder, `${id}.wav`), 'another');
    }
    const results = await Promise.all([restore(ids), restore(ids)]);
    expect(results).toMatchObject([{ failed: 0 }, { failed: 0 }]);
    const names = ids.map((id) => `${id}${isReplaced ? ' (2)' : ''}.wav`);
    const all = isReplaced ? ids.flatMap((id) => [`${id} (2).wav`, `${id}.wav`]) : names;
    expect((await readdir(folder)).sort()).toEqual(all);
    expect(ids.map((id) => pathOf(now(id) as Job))).toEqual(names.map((name) => join(folder, name)));
  });
});

describe('a selection', () => {
  const isOffered = (ids: readonly string[], signal = new AbortController().signal) =>
    hasRestorable({ ...library(), ...test }, () => Promise.resolve(ids), signal);

  it('has something to restore only if one of its own results is gone or has another size, and has a copy', async () => {
    const [a, b] = [await entry('a'), await entry('b')];
    await entry('c');
    expect(await isOffered(['a', 'b', 'c'])).toBe(false);
    await rm(pathOf(a));
    expect([await isOffered(['a', 'b']), await isOffered(['b', 'c'])]).toEqual([true, false]);
    await writeFile(pathOf(b), 'something else');
    expect([await isOffered(['b', 'c']), await isOffered(['c'])]).toEqual([true, false]);
    for (const name of await readdir(test.copyStore.folder)) await rm(join(test.copyStore.folder, name));
    const unasked = () => Promise.reject(new Error('the selection was resolved for nothing'));
    const { signal } = new AbortController();
    expect(await hasRestorable({ ...library(), ...test }, unasked, signal)).toBe(false);
  });

  it('is not looked at any longer than it is asked for', async () => {
    await entry('a');
    await expect(isOffered(['a'], AbortSignal.abort(new Error('another one')))).rejects.toThrow('another one');
  });
});

describe('an entry', () => {
  it('whose result is there is left alone, even if the file was replaced by the same bytes', async () => {
    const job = await entry('a');
    const other = await entry('b');
    await writeFile(library().at('copy'), 'result b');
    await rename(library().at('copy'), pathOf(other));
    expect(await restore(['a', 'b'])).toEqual({ ...nothing, there: 2 });
    expect(await readdir(dirname(pathOf(job)))).toEqual(['a.wav', 'b.wav']);
    expect(changed).toEqual([]);
  });

  it('without a copy has nothing to restore, and one without a result is not counted', async () => {
    const job = await entry('a');
    await rm(pathOf(job));
    await rm(test.copyStore.folder, { recursive: true });
    library().store.add([conversionJob({ id: 'failed', state: 'failed' })]);
    expect(await restore(['a', 'failed', 'unknown'])).toEqual({ ...nothing, none: 1 });
  });

  it('with a damaged copy says so, and the copy is gone', async () => {
    const job = await entry('a');
    await rm(pathOf(job));
    const [name = ''] = await readdir(test.copyStore.folder);
    await writeFile(join(test.copyStore.folder, name), 'Result a');
    expect(await restore(['a'])).toEqual({ ...nothing, damaged: 1 });
    expect(await readdir(test.copyStore.folder)).toEqual([]);
    expect(await restore(['a'])).toEqual({ ...nothing, none: 1 });
  });

  it('whose disk is not connected gets nothing on another disk', async () => {
    const job = await entry('a');
    await test.copies.stop();
    const { output, finished } = job;
    const path = '/media/nobody/card/a.wav';
    library().store.add([
      conversionJob({ id: 'away', state: 'done', finished, output: output && { ...output, path } }),
    ]);
    expect(await restore(['away'])).toEqual({ ...nothing, away: 1 });
  });

  it('that cannot be restored does not keep others from it', async () => {
    const [a, b] = [await entry('a', 'result a', 'locked/a.wav'), await entry('b')];
    await rm(dirname(pathOf(a)), { recursive: true });
    await writeFile(dirname(pathOf(a)), 'a file in place of the folder');
    await rm(pathOf(b));
    expect(await restore(['a', 'b'])).toMatchObject({
      restored: 1,
      failed: 1,
      firstProblem: { code: 'output/not-writable', facts: { folder: dirname(pathOf(a)) } },
    });
  });
});

it('ends between two entries when it is stopped, and keeps what it has restored', async () => {
  const jobs = [await entry('a'), await entry('b')];
  for (const job of jobs) await rm(pathOf(job));
  const stopping = new AbortController();
  const stopAfterFirst = restoreUntil(stopping);
  await expect(stopAfterFirst).rejects.toThrow('stopped');
  expect(await readdir(library().at('out'))).toEqual(['a.wav']);
});

function restoreUntil(stopping: AbortController) {
  const { push } = each;
  each.push = (...results) => {
    stopping.abort(new Error('stopped'));
    return push.apply(each, results);
  };
  return restore(['a', 'b'], stopping.signal);
}

it('a thousand entries of one content are restored from its one copy, and are one look at it', async () => {
  const job = await entry('a', 'same');
  const { output, finished } = job;
  const ids = Array.from({ length: 1000 }, (_, k) => `same-${k}`);
  library().store.add(
    ids.map((id, k) =>
      conversionJob({
        id,
        state: 'done',
        finished,
        output: output && { ...output, path: library().at('out', `same ${k}.wav`) },
      }),
    ),
  );
  expect(await readdir(test.copyStore.folder)).toHaveLength(1);
  expect(await restore(ids)).toEqual({ ...nothing, restored: 1000 });
  expect(await readdir(library().at('out'))).toHaveLength(1001);
  expect(await readFile(library().at('out', 'same 999.wav'), 'utf8')).toBe('same');
  // All of them removed, and then the copy: it stays until the last one.
  const remove = (id: string) =>
    library()
      .database.prepare(
        'INSERT INTO history_removed (job, number, removed_at) SELECT number, number, 1 FROM job WHERE id = ?',
      )
      .run(id);
  ids.forEach(remove);
  await test.copies.removeForgotten(new AbortController().signal);
  expect(await test.copyStore.list()).toHaveLength(1);
  remove('a');
  await test.copies.removeForgotten(new AbortController().signal);
  expect(await test.copyStore.list()).toEqual([]);
});

describe.skipIf(process.getuid?.() !== 0 || platform !== 'linux')(
  'a result whose folder is read-only (needs Linux and root, to mount one)',
  () => {
    const run = promisify(execFile);

    it('stays where it was, says why, and leaves nothing behind', async () => {
      const [a, b] = [await entry('a', 'result a', 'locked/a.wav'), await entry('b')];
      for (const job of [a, b]) await rm(pathOf(job));
      const locked = dirname(pathOf(a));
      // On the same disk: another one would be a disk that is not connected.
      await run('mount', ['--bind', locked, locked]);
      await run('mount', ['-o', 'remount,ro,bind', locked]);
      try {
        expect(await restore(['a', 'b'])).toMatchObject({
          restored: 1,
          failed: 1,
          firstProblem: { code: 'output/not-writable', facts: { folder: locked } },
        });
        expect(await readdir(locked)).toEqual([]);
      } finally {
        await run('umount', [locked]);
      }
      expect(now('a')?.output?.path).toBe(pathOf(a));
      // Only the copies: no record of a file that is to come.
      expect(await readdir(test.copyStore.folder)).toHaveLength(2);
      expect(await restore(['a'])).toEqual({ ...nothing, restored: 1 });
    });
  },
);

it('lets main do other things while it comes to entries without a result', async () => {
  const ids = Array.from({ length: 500 }, (_, k) => `failed ${k}`);
  library().store.add(ids.map((id) => conversionJob({ id, state: 'failed' })));
  const reads = countReads(library().store);
  await restore(ids, undefined, reads.store);
  expect(reads.most()).toBeLessThan(200);
});
