import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, unlessAborted } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { acquireProcessLock } from './process-lock.ts';
import { createJobStore } from './job-store.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

/** While nobody sees the process, its idle polls never come. */
let isUnseen = false;
let idleSleeps = 0;
const queue = useTestQueue({
  ...systemClock,
  isUnseen: () => isUnseen,
  sleep(ms, signal) {
    if (!isUnseen || ms <= 1000) return systemClock.sleep(ms, signal);
    idleSleeps += 1;
    return unlessAborted(new Promise(() => undefined), signal ?? AbortSignal.timeout(1));
  },
});
const { openService } = usePaidService(queue);
afterEach(() => void (isUnseen = false));

/** Opens the same data as another process. */
async function openOtherProcess() {
  const dataFolder = join(queue().folder, 'data');
  const database = await openDatabase(dataFolder);
  const processLock = acquireProcessLock(dataFolder);
  const store = createJobStore({
    database,
    clock: systemClock,
    processLock,
    isCommand: true,
    onDefect: expect.unreachable,
  });
  const close = () => {
    processLock.release();
    database.close();
  };
  return { store, database, close };
}

describe('withdrawing', () => {
  const withdrawn = (ids: readonly string[]) =>
    ids.map((id) => queue().store.get(id)).map((job) => [job?.state, job?.isListed]);

  it('cancels jobs that nobody charges for yet and takes them from the list, with those that cannot be converted', async () => {
    await writeFile(join(queue().folder, 'empty.wav'), '');
    const { createdIds } = await queue().add([
      await queue().addFile('a.mp3'),
      await queue().addFile('b.mp3'),
      join(queue().folder, 'missing.wav'),
    ]);
    expect(await queue().scheduler.withdrawAll(createdIds)).toEqual(createdIds);
    expect(withdrawn(createdIds)).toEqual([
      ['cancelled', false],
      ['cancelled', false],
      ['failed', false],
    ]);
  });

  it('leaves a job alone from the moment its paid call is committed', async () => {
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    const taken: Promise<readonly string[]>[] = [];
    const unsubscribe = queue().store.onEvent((event) => {
      if (event.kind !== 'upserted' || event.jobs[0]?.state !== 'converting') return;
      unsubscribe();
      taken.push(queue().scheduler.withdrawAll(ids));
    });
    queue().scheduler.start();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done', isListed: true }]);
    expect(await Promise.all(taken)).toEqual([[]]);
    expect(await queue().scheduler.withdrawAll(ids)).toEqual([]);
  });

  it('leaves a job alone that waits to repeat its paid call', async () => {
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    const [id = ''] = ids;
    for (const state of ['creating', 'created', 'uploading', 'uploaded', 'converting', 'uploaded'] as const)
      queue().store.change(id, { state });
    expect(await queue().scheduler.withdrawAll(ids)).toEqual([]);
    expect(withdrawn(ids)).toEqual([['uploaded', true]]);
    queue().scheduler.cancel(id);
  });

  it('says that the database is not writable, withdraws nothing, and can be repeated', async () => {
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    const other = await openOtherProcess();
    other.database.exec('BEGIN IMMEDIATE');
    try {
      await expect(queue().scheduler.withdrawAll(ids)).rejects.toMatchObject({ code: 'data/not-writable' });
      expect(withdrawn(ids)).toEqual([['queued', true]]);
    } finally {
      other.database.exec('ROLLBACK');
      other.close();
    }
    expect(await queue().scheduler.withdrawAll(ids)).toEqual(ids);
    expect(withdrawn(ids)).toEqual([['cancelled', false]]);
  });

  it('includes what was cancelled or withdrawn before', async () => {
    const { ids } = await queue().add([await queue().addFile('a.mp3'), await queue().addFile('b.mp3')]);
    const [first = ''] = ids;
    queue().scheduler.cancel(first);
    expect(await queue().scheduler.withdrawAll(ids)).toEqual(ids);
    expect(await queue().scheduler.withdrawAll(ids)).toEqual(ids);
    expect(withdrawn(ids)).toEqual([
      ['cancelled', false],
      ['cancelled', false],
    ]);
  });

  it('leaves a job alone that was there before and is only continued', async () => {
    const path = await queue().addFile('a.mp3');
    const [id = ''] = (await queue().add([path])).ids;
    queue().store.change(id, { state: 'converted', audioUrl: '/result' });
    queue().scheduler.cancel(id);
    const { ids, createdIds } = await queue().add([path]);
    expect([ids, createdIds]).toEqual([[id], []]);
    expect(await queue().scheduler.withdrawAll(createdIds)).toEqual([]);
    expect(withdrawn(ids)).toEqual([['converted', true]]);
  });
});

it('a result that cannot be saved is saved in another folder, and the job there from then on', async () => {
  const blocked = join(queue().folder, 'blocked');
  await writeFile(blocked, 'no folder');
  queue().request = { ...queue().request, outputFolder: blocked };
  const { jobs, added } = await queue().run([await queue().addFile('a.mp3')]);
  expect(jobs).toMatchObject([{ state: 'failed', problem: { code: 'output/not-writable' } }]);
  await queue().scheduler.retryAllIn(added.ids, join(queue().folder, 'out'));
  expect(await settled(queue().store, added.ids)).toMatchObject([{ state: 'done' }]);
  expect(await queue().outputs()).toEqual(['a, Low bronze.mp3']);
  await queue().reopen();
  expect(queue().store.get(added.ids[0] ?? '')?.target.folder).toBe(join(queue().folder, 'out'));
});

describe('cancelling', () => {
  it('many jobs cancels all of them and yields to the event loop in between', async () => {
    const path = join(queue().folder, 'a.mp3');
    await writeFile(path, '');
    const { request } = queue();
    const jobs = Array.from({ length: 300 }, () =>
      queue().submitJobs.addRecording({ path, subfolder: '', snapshot: null }, request),
    );
    const ids = jobs.map(({ id }) => id);
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    await queue().scheduler.cancelAll(ids);
    clearInterval(counting);
    expect(ids.every((id) => queue().store.get(id)?.state === 'cancelled')).toBe(true);
    expect(turns).toBeGreaterThan(1);
    await queue().scheduler.retryAll(ids);
    expect(ids.every((id) => queue().store.get(id)?.state === 'queued')).toBe(true);
    await queue().scheduler.cancelAll(ids);
  });

  it('reports that a paid call may be charged if it was already sent', async () => {
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    const [id = ''] = ids;
    const unsubscribe = queue().store.onEvent((event) => {
      if (event.kind !== 'upserted' || event.jobs[0]?.state !== 'converting') return;
      unsubscribe();
      queue().scheduler.cancel(id);
    });
    queue().scheduler.start();
    expect(await settled(queue().store, ids)).toMatchObject([
      { state: 'cancelled', problem: { code: 'service/may-charge' } },
    ]);
  });

  it('by another process ignores a job whose result is being published', async () => {
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    const [id = ''] = ids;
    const other = await openOtherProcess();
    const states: (string | undefined)[] = [];
    const unsubscribe = queue().store.onEvent((event) => {
      if (event.kind !== 'upserted' || event.jobs[0]?.state !== 'publishing') return;
      unsubscribe();
      other.store.cancel(id);
      states.push(other.store.get(id)?.state);
    });
    queue().scheduler.start();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done', audioUrl: null }]);
    other.close();
    expect(states).toEqual(['publishing']);
    expect(await queue().outputs()).toEqual(['a, Low bronze.mp3']);
  });

  it('by another process ends a job soon after it began, also if nobody sees this one', async () => {
    const asked = Promise.withResolvers<void>();
    await openService((step) => {
      if (step === 'paid') asked.resolve();
      return step === 'paid';
    });
    isUnseen = true;
    queue().scheduler.start();
    await expect.poll(() => idleSleeps).toBeGreaterThan(0);
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    await asked.promise;
    const other = await openOtherProcess();
    other.store.cancel(ids[0] ?? '');
    await expect.poll(() => queue().scheduler.unansweredPaidCalls()).toBe(0);
    await queue().scheduler.drain();
    other.close();
  });

  it('by another process before publishing leaves no file', async () => {
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    const [id = ''] = ids;
    const other = await openOtherProcess();
    const unsubscribe = queue().store.onEvent((event) => {
      if (event.kind !== 'upserted' || event.jobs[0]?.state !== 'converted') return;
      unsubscribe();
      other.store.cancel(id);
    });
    queue().scheduler.start();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'cancelled' }]);
    await queue().scheduler.drain();
    other.close();
    expect(await queue().outputs()).toEqual([]);
  });
});

it('a new token ends all pauses except one that needs the user’s decision', () => {
  const { breaker, scheduler } = queue();
  for (const reason of ['token', 'quota', 'offline', 'uncertain'] as const) {
    breaker.pause({ connectionId: 'studio', reason, resumesAt: null, problem: null });
  }
  scheduler.resumeWithToken('studio');
  expect(breaker.list().map(({ reason }) => reason)).toEqual(['uncertain']);
  scheduler.resume('studio');
  expect(breaker.list()).toEqual([]);
});
