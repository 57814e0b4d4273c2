import { afterEach, expect, it, vi } from 'vitest';
import { AppError } from '../shared/errors.ts';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

/** A worker that follows commands: echo, die, throw a problem, print, or wait for an abort. */
const source = `
  import { parentPort, threadId } from 'node:worker_threads';
  const waiting = new Set();
  const reply = (message) => parentPort.postMessage(message);
  parentPort.on('message', ({ kind, id, request }) => {
    if (kind === 'abort') { if (waiting.delete(id)) reply({ id, ok: false, problem: { code: 'internal' }, message: 'aborted' }); return; }
    if (request === 'die') process.exit(3);
    if (request === 'throw') throw new Error('unforeseen');
    if (request === 'cut') return reply({ id, ok: false, problem: { code: 'input/cut', facts: { actualSeconds: 2 } }, message: 'short' });
    if (request === 'shortage') throw new Error('Cannot read package config /package.json: too many open files.');
    if (request === 'no handle') throw new Error('Worker initialization failure: EMFILE');
    if (request === 'noise') for (let at = 0; at < 1000; at++) { console.error('mpg123', at); console.log(at); }
    if (request === 'spin') for (;;);
    if (request === 'wait') { waiting.add(id); return; }
    reply({ id, ok: true, value: request === 'thread' ? threadId : request });
  });
`;
const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(source)}`);

const pools: WorkerPool<string, unknown>[] = [];
const createPool = (size = 1, options: Partial<WorkerPoolOptions> = {}) => {
  const pool = createWorkerPool<string, unknown>({ workerUrl, size, ...options });
  pools.push(pool);
  return pool;
};
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));

it('answers in the order of the calls', async () => {
  const pool = createPool();
  const order: unknown[] = [];
  await Promise.all(['a', 'b', 'c'].map(async (request) => order.push(await pool.run(request))));
  expect(order).toEqual(['a', 'b', 'c']);
});

it('uses one thread if one is allowed, and two if two are', async () => {
  const one = createPool(1);
  expect(await one.run('thread')).toBe(await one.run('thread'));
  const two = createPool(2);
  const held = new AbortController();
  const waiting = two.run('wait', { signal: held.signal });
  const other = await two.run('thread');
  expect(other).toBeTypeOf('number');
  held.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

it('passes on the problem of a worker with its facts', async () => {
  await expect(createPool().run('cut')).rejects.toMatchObject({
    problem: { code: 'input/cut', facts: { actualSeconds: 2 } },
    message: 'short',
  });
});

it.each(['die', 'throw'])(
  'fails only the job on which a worker does "%s", and continues with the next one',
  async (request) => {
    const pool = createPool();
    const [bad, good] = await Promise.allSettled([pool.run(request), pool.run('after')]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'internal' } });
    expect(good).toEqual({ status: 'fulfilled', value: 'after' });
  },
);

it('tells a shortage of file handles, which is temporary, from a defect', async () => {
  const pool = createPool();
  await expect(pool.run('throw')).rejects.toMatchObject({ code: 'internal' });
  await expect(pool.run('shortage')).rejects.toMatchObject({ code: 'system/too-many-files' });
  await expect(pool.run('no handle')).rejects.toMatchObject({ code: 'system/too-many-files' });
});

it('never runs a queued request that was aborted', async () => {
  const pool = createPool();
  const first = new AbortController();
  const second = new AbortController();
  const running = pool.run('wait', { signal: first.signal });
  const queued = pool.run('die', { signal: second.signal });
  const last = pool.run('last');
  second.abort(new Error('not any more'));
  await expect(queued).rejects.toThrow('not any more');
  first.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await expect(last).resolves.toBe('last');
});

it('rejects a request whose signal is already aborted', async () => {
  await expect(createPool().run('a', { signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow('late');
});

it('discards what workers print', async () => {
  const written: unknown[] = [];
  const { write } = process.stderr;
  process.stderr.write = (text: unknown) => written.push(text) > 0;
  try {
    await createPool().run('noise');
  } finally {
    process.stderr.write = write;
  }
  expect(written).toEqual([]);
});

it('fails running, waiting and later requests with job/cancelled once it is stopped, also repeatedly', async () => {
  const pool = createPool();
  const jobs = [pool.run('wait'), pool.run('queued')];
  const settled = Promise.allSettled(jobs);
  await Promise.all([pool.stop(), pool.stop()]);
  for (const job of await settled) expect(job).toMatchObject({ status: 'rejected', reason: { code: 'job/cancelled' } });
  await expect(pool.run('a')).rejects.toMatchObject({ code: 'job/cancelled' });
  await pool.stop();
});

it('kills a thread whose request exceeds the deadline, and continues with the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pool = createPool(1, { deadline: { ms: 500, error: () => new AppError('input/unreadable', 'too late') } });
  const settled = Promise.allSettled([pool.run('spin'), pool.run('next')]);
  vi.advanceTimersByTime(500);
  vi.useRealTimers();
  const [late, next] = await settled;
  expect(late).toMatchObject({ status: 'rejected', reason: { code: 'input/unreadable' } });
  expect(next).toEqual({ status: 'fulfilled', value: 'next' });
});

it('terminates a worker that does not end an aborted request, and answers the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pool = createPool();
  const aborting = new AbortController();
  const aborted = pool.run('spin', { signal: aborting.signal });
  const next = pool.run('next');
  aborting.abort(new Error('enough'));
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await expect(aborted).rejects.toThrow('enough');
  expect(await next).toBe('next');
});

it('can be stopped before it ever ran', async () => {
  await expect(createPool().stop()).resolves.toBeUndefined();
});
