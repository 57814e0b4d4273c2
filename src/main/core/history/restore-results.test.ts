import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createWriteGate } from '../database/write-gate.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { Job } from '../jobs/job.ts';
import { createOwnResults } from '../jobs/own-results.ts';
import { createTestCopies, type TestCopies } from './copies.fixture.ts';
import { quickStatus, resultOf } from './file-status.ts';
import { useLibrary } from './history-entries.fixture.ts';
import { restoreResults, type RestoredResult } from './restore-results.ts';

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

function restore(ids: readonly string[], signal = new AbortController().signal) {
  const { database, store } = library();
  const writes = createWriteGate({ database, clock: systemClock, onDefect: () => undefined });
  return restoreResults(
    {
      database,
      store,
      writes,
      ...test,
      clock: systemClock,
      platform,
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
    expect(file && (await quickStatus(file, test.diskQueries, platform))).toBe('there');
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
