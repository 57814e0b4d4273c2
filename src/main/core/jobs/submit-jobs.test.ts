import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestQueue } from './queue.fixture.ts';
import { createSubmitJobs } from './submit-jobs.ts';

const queue = useTestQueue();

/** Of a data folder without results. */
const noResults: Parameters<typeof createSubmitJobs>[0]['ownResults'] = {
  hasContent: () => false,
  hasSize: () => false,
  isAt: () => Promise.resolve(false),
  isResultOf: () => Promise.resolve(false),
  originalsOf: () => [],
  originalsOfContent: () => [],
};

describe('a preview', () => {
  const preview = (paths: readonly string[], maxSeconds: number | null = null) =>
    queue().submitJobs.preview(paths, { maxSeconds, timeLimitMs: 60_000 }, new AbortController().signal);

  it('counts and measures what can be converted, in folders too, and sends and stores nothing', async () => {
    await queue().addFile('in/a.mp3');
    await queue().addFile('in/deep/b.mp3');
    await writeFile(join(queue().folder, 'in/broken.wav'), 'not audio');
    const found = await preview([join(queue().folder, 'in'), join(queue().folder, 'missing.wav')]);
    expect(found).toMatchObject({ found: 3, recordings: 2, unmeasured: 0, tooLong: 0 });
    const { jobs } = await queue().run([await queue().addFile('c.mp3')]);
    expect(found.seconds).toBeCloseTo(2 * (jobs[0]?.durationSeconds ?? 0), 5);
    expect(found.longestSeconds).toBe(found.seconds);
    expect(queue().store.page(null, 10)).toHaveLength(1);
  });

  it('limits what is added: nothing is if the folder has got more', async () => {
    await queue().addFile('in/a.mp3');
    const folder = join(queue().folder, 'in');
    const { found } = await preview([folder]);
    await queue().addFile('in/b.mp3');
    const { submitJobs, request, store } = queue();
    const add = (atMost: number) => submitJobs.add([folder], request, new AbortController().signal, atMost);
    await expect(add(found)).rejects.toMatchObject({ code: 'input/more-found' });
    expect(store.page(null, 10)).toEqual([]);
    expect(await add(found + 1)).toMatchObject({ added: 2 });
  });

  it('ends although a file cannot be read for a long time, and counts it without a length', async () => {
    const path = await queue().addFile('a.mp3');
    const submitJobs = createSubmitJobs({
      ...queue(),
      ownResults: noResults,
      inspectSound: (_path, { signal } = {}) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
      clock: { sleep: () => Promise.resolve(), now: Date.now },
      isCommand: false,
      randomId: () => expect.unreachable('nothing is added'),
      nextBatch: () => Promise.resolve(),
      askedAt: Infinity,
      adoptOrphans: () => [],
    });
    const found = await submitJobs.preview(
      [path],
      { maxSeconds: null, timeLimitMs: 60_000 },
      new AbortController().signal,
    );
    const { size } = await stat(path);
    expect(found).toEqual({
      found: 1,
      recordings: 1,
      seconds: 0,
      unmeasured: 1,
      longestSeconds: size / 750,
      tooLong: 0,
    });
  });

  it('counts recordings that are too long for the connection apart', async () => {
    const path = await queue().addFile('a.mp3');
    expect(await preview([path], 0.1)).toMatchObject({ recordings: 0, seconds: 0, unmeasured: 0, tooLong: 1 });
  });
});

it('waits after each batch, so that recordings are not added faster than the log of the database is copied', async () => {
  const counts: number[] = [];
  const { store, request } = queue();
  let id = 0;
  const submitJobs = createSubmitJobs({
    ...queue(),
    ownResults: noResults,
    inspectSound: () => expect.unreachable('inspected'),
    clock: { sleep: () => Promise.resolve(), now: Date.now },
    isCommand: false,
    randomId: () => `job-${++id}`,
    nextBatch() {
      counts.push(store.page(null, 1000).length);
      return Promise.resolve();
    },
    askedAt: Infinity,
    adoptOrphans: () => [],
  });
  const findings = Array.from({ length: 250 }, (_, k) => ({
    source: { path: `/takes/${k}.wav`, subfolder: '', snapshot: null },
    problem: null,
  }));
  await submitJobs.addFound(findings, request, new AbortController().signal);
  expect(counts).toEqual([100, 200, 250]);
});

describe('once the damaged database is closed', () => {
  const { signal } = new AbortController();
  /** Of a database that is closed, and of the repaired one. */
  async function repair() {
    const { submitJobs: closed } = queue();
    await queue().reopen();
    const { submitJobs: repaired, store } = queue();
    return { closed, repaired, store };
  }

  it('recordings that were being looked for are found and added in the repaired one, and results are not', async () => {
    const request = { ...queue().request, outputFolder: null };
    queue().request = request;
    await queue().addFile('in/a.mp3');
    await queue().addFile('in/deep/b.mp3');
    const folder = join(queue().folder, 'in');
    await queue().run([folder]);
    const { closed, repaired, store } = await repair();
    await expect(closed.add([folder], request, signal)).rejects.toThrow('finalized');
    closed.continueIn(Promise.resolve(repaired));
    const limits = { maxSeconds: null, timeLimitMs: 60_000 };
    expect(await closed.preview([folder], limits, signal)).toMatchObject({ found: 2 });
    const counts: number[] = [];
    store.onEvent(() => counts.push(repaired.countAdding()));
    const { ids, ignored } = await closed.add([folder], request, signal);
    // Quitting asks the repaired one.
    expect([counts, repaired.countAdding()]).toEqual([[2], 0]);
    const sources = ids.map((id) => store.get(id)).map((job) => job?.kind === 'conversion' && job.source.subfolder);
    expect([sources, ignored]).toEqual([['', 'deep'], 2]);
  });

  it('nothing is added if no database could be opened', async () => {
    const path = await queue().addFile('a.mp3');
    const { closed } = await repair();
    closed.continueIn(Promise.reject(new Error('it cannot be opened')));
    await expect(closed.add([path], queue().request, signal)).rejects.toThrow('finalized');
  });
});
