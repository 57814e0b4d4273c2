import { expect, it } from 'vitest';
import type { HistoryWork } from '../../shared/wire/history.ts';
import { createHistoryWorks } from './history-work.ts';

function setUp() {
  const told: (HistoryWork | null)[] = [];
  let now = 0;
  const works = createHistoryWorks({
    clock: { now: () => now },
    signal: new AbortController().signal,
    tell: (work) => told.push(work),
  });
  return { works, told, pass: (ms: number) => (now += ms) };
}

/** Work that goes on until it is stopped. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

it('is told at its beginning, ten times a second at most, and at its end', async () => {
  const { works, told, pass } = setUp();
  const done = await works.run('import', ({ onProgress }) => {
    onProgress({ share: 0.1, count: 1 });
    pass(100);
    onProgress({ share: 0.2, count: 2 });
    onProgress({ share: 0.3, count: 3 });
    return Promise.resolve('done');
  });
  expect(done).toBe('done');
  expect(told).toEqual([{ kind: 'import', share: 0, count: 0 }, { kind: 'import', share: 0.2, count: 2 }, null]);
});

it('answers null where a person stops it, who hears that it was ended', async () => {
  const { works, told } = setUp();
  const answer = works.run('find', ({ signal }) => endless(signal));
  expect(await works.stop()).toBe(true);
  expect(await answer).toBeNull();
  expect(told).toEqual([{ kind: 'find', share: null, count: 0 }, null]);
});

it('was not ended where it came to its end first, or where there was none', async () => {
  const { works } = setUp();
  expect(await works.stop()).toBe(false);
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = works.run('export', () => promise);
  const stopped = works.stop();
  resolve('done');
  expect([await answer, await stopped]).toEqual(['done', false]);
});

it('is refused while there is other work, and begins after it', async () => {
  const { works } = setUp();
  const first = works.run('export', ({ signal }) => endless(signal));
  await expect(works.run('import', () => Promise.resolve(1))).rejects.toMatchObject({ code: 'history/busy' });
  await works.stop();
  await first;
  expect(await works.run('import', () => Promise.resolve(1))).toBe(1);
});

it('throws what it met by itself', async () => {
  const { works, told } = setUp();
  await expect(works.run('import', () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  expect(told.at(-1)).toBeNull();
});
