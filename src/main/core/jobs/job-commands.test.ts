import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { acquireProcessLock } from './process-lock.ts';
import { createJobStore } from './job-store.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled } from './queue.ts';

const queue = useTestQueue();

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
