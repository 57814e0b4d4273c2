import { describe, expect, it } from 'vitest';
import type { Job } from './job.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

const queue = useTestQueue();
const { openService, speak } = usePaidService(queue);
const none = { create: 0, upload: 0, paid: 0, result: 0 };
const answersNothing = () => false;

/** Resolves once the job is in the state and no step of it runs. */
const rests = (id: string, state: Job['state']) =>
  expect
    .poll(() => [
      queue().store.get(id)?.state,
      queue()
        .breaker.list()
        .map(({ reason }) => reason),
    ])
    .toEqual([state, ['offline-mode']]);

describe('in the offline mode (a service)', () => {
  it('is not called, and its jobs wait without failing until the mode is off', async () => {
    const counts = await openService(answersNothing);
    const { store, scheduler, addFile, add } = queue();
    queue().network.isOffline = true;
    const { ids } = await add([await addFile('one.mp3')]);
    scheduler.start();
    await expect.poll(() => store.get(ids[0] ?? '')?.outputFormat).toBe('.mp3');
    await rests(ids[0] ?? '', 'queued');
    expect(counts).toEqual(none);
    queue().network.isOffline = false;
    const [job] = await settled(store, ids);
    expect([job?.state, job?.attempts, counts]).toEqual(['done', 0, { create: 1, upload: 1, paid: 1, result: 1 }]);
    expect(queue().breaker.list()).toEqual([]);
  });

  it('gets no further call of a job that already began, which continues where it stopped', async () => {
    const counts = await openService((step) => {
      if (step === 'create') queue().network.isOffline = true;
      return false;
    });
    const { store, scheduler, addFile, add } = queue();
    const { ids } = await add([await addFile('one.mp3')]);
    scheduler.start();
    await rests(ids[0] ?? '', 'created');
    expect(counts).toEqual({ ...none, create: 1 });
    queue().network.isOffline = false;
    const [job] = await settled(store, ids);
    expect([job?.state, job?.attempts, counts]).toEqual(['done', 0, { create: 1, upload: 1, paid: 1, result: 1 }]);
  });

  it('gets no call that may be charged although the mode began just before it was sent', async () => {
    const counts = await openService(answersNothing);
    const { store, scheduler, addFile, add } = queue();
    const { ids } = await add([await addFile('one.mp3')]);
    // Its flag is on disk, and all checks of the queue are behind it.
    queue().network.beforeCall = () => {
      if (store.get(ids[0] ?? '')?.state === 'converting') queue().network.isOffline = true;
    };
    scheduler.start();
    await rests(ids[0] ?? '', 'uploaded');
    expect(counts).toEqual({ ...none, create: 1, upload: 1 });
    Object.assign(queue().network, { isOffline: false, beforeCall: () => undefined });
    const [job] = await settled(store, ids);
    expect([job?.state, job?.attempts, counts.paid]).toEqual(['done', 0, 1]);
  });

  it('delivers the answer to a call that was sent before, and its result later', async () => {
    const counts = await openService((step) => {
      if (step === 'paid') queue().network.isOffline = true;
      return false;
    });
    const { id } = speak();
    queue().scheduler.start();
    await rests(id, 'converted');
    expect(counts.result).toBe(0);
    queue().network.isOffline = false;
    const [job] = await settled(queue().store, [id]);
    expect([job?.state, counts.paid, counts.result]).toEqual(['done', 1, 1]);
  });
});
