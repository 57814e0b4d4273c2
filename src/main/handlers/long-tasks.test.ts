import { describe, expect, it } from 'vitest';
import type { LongTaskProgress } from '../../shared/schemas/history.ts';
import { createLongTasks } from './long-tasks.ts';

describe('a long task', () => {
  function setUp() {
    const received: (LongTaskProgress | null)[] = [];
    let now = 0;
    const works = createLongTasks({
      clock: { now: () => now },
      signal: new AbortController().signal,
      emitProgress: (work) => received.push(work),
    });
    return { works, received, pass: (ms: number) => (now += ms) };
  }

  /** A task that runs until it is cancelled. */
  const endless = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });

  it('is reported at its start, ten times a second at most, and at its end', async () => {
    const { works, received, pass } = setUp();
    const done = await works.run('import', ({ onProgress }) => {
      onProgress({ share: 0.1, count: 1 });
      pass(100);
      onProgress({ share: 0.2, count: 2 });
      onProgress({ share: 0.3, count: 3 });
      return Promise.resolve('done');
    });
    expect(done).toBe('done');
    expect(received).toEqual([{ kind: 'import', share: 0, count: 0 }, { kind: 'import', share: 0.2, count: 2 }, null]);
  });

  it('answers null if the user cancels it, and reports that it was cancelled', async () => {
    const { works, received } = setUp();
    const answer = works.run('find', ({ signal }) => endless(signal));
    expect(await works.stop()).toBe(true);
    expect(await answer).toBeNull();
    expect(received).toEqual([{ kind: 'find', share: null, count: 0 }, null]);
  });

  it('counts as not cancelled if it finished first, or if there was none', async () => {
    const { works } = setUp();
    expect(await works.stop()).toBe(false);
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = works.run('export', () => promise);
    const stopped = works.stop();
    resolve('done');
    expect([await answer, await stopped]).toEqual(['done', false]);
  });

  it('is rejected while another task runs, and runs after it', async () => {
    const { works } = setUp();
    const first = works.run('export', ({ signal }) => endless(signal));
    await expect(works.run('import', () => Promise.resolve(1))).rejects.toMatchObject({ code: 'history/busy' });
    await works.stop();
    await first;
    expect(await works.run('import', () => Promise.resolve(1))).toBe(1);
  });

  it('throws its own error', async () => {
    const { works, received } = setUp();
    await expect(works.run('import', () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    expect(received.at(-1)).toBeNull();
  });
});
