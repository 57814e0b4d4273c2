import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { canHang, type HangingDisk, mountHangingDisk } from '../files/hung-disk.fixture.ts';
import { conversionJob } from './job.fixture.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { sample, silence, useTestQueue } from './queue.fixture.ts';
import { createSpaceReservations } from './space-reservations.ts';
import { settled } from './wait-for-jobs.ts';

let waits = 0;
/** A disk counts as hung ten times as soon. Counts what was waited for it. */
const sleep: typeof systemClock.sleep = async (ms, signal) => {
  const isForDisk = ms >= 10_000;
  await systemClock.sleep(isForDisk ? ms / 10 : ms, signal);
  if (isForDisk) waits += 1;
};

// Before the folder of the queue is removed: hooks run in the opposite order.
const queue = useTestQueue({ ...systemClock, sleep });
const { openService, speak } = usePaidService(queue);
let disk: HangingDisk;
let media: string;

const pauses = () => queue().breaker.list();
const isTold = () =>
  expect
    .poll(pauses)
    .toMatchObject([
      { connectionId: null, reason: 'disk', problem: { facts: { folder: media, reason: 'ETIMEDOUT' } } },
    ]);

const stateOf = (id: string | undefined) => queue().store.get(id ?? '')?.state;

describe.skipIf(!canHang)('a disk that hangs (skipped without root, FUSE and ntfs-3g)', () => {
  beforeEach(async () => {
    media = join(queue().folder, 'media');
    disk = await mountHangingDisk(join(queue().folder, 'image'), media);
  });
  afterEach(async () => {
    disk.answer();
    await queue().stop();
    await disk.remove();
  });

  /** Sends half of a sound, and the rest once the disk hangs. */
  async function sendWhileHanging(response: ServerResponse, head: Readonly<Record<string, string>>): Promise<void> {
    const sound = await readFile(sample);
    const half = Math.floor(sound.length / 2);
    response.writeHead(200, { 'content-length': sound.length, ...head });
    response.write(sound.subarray(0, half));
    await expect.poll(() => readdir(media)).toContainEqual(expect.stringMatching(/\.part$/));
    disk.hang();
    response.end(sound.subarray(half));
  }

  /** Opens a service whose first answer to this step comes while the disk hangs. */
  function openHanging(hangs: 'result' | 'paid', head: Readonly<Record<string, string>> = {}) {
    let isFirst = true;
    return openService(async (step, response) => {
      if (step !== hangs || !isFirst) return false;
      isFirst = false;
      await sendWhileHanging(response, head);
      return true;
    });
  }

  async function startConversion(): Promise<readonly string[]> {
    queue().request = { ...queue().request, outputFolder: media };
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    queue().scheduler.start();
    return ids;
  }

  function startSpeech(): readonly string[] {
    queue().request = { ...queue().request, outputFolder: media };
    const { id } = speak();
    queue().scheduler.start();
    return [id];
  }

  it('while a result is written pauses the queue, and the result is there once when it answers', async () => {
    const counts = await openHanging('result');
    const ids = await startConversion();
    await isTold();
    disk.answer();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    await expect.poll(pauses).toEqual([]);
    expect(await readdir(media)).toEqual(['a, Low bronze.mp3']);
    expect(counts).toMatchObject({ paid: 1, result: 1 });
  });

  it('while the reply to a paid call is written pauses the queue, and nothing is paid again', async () => {
    const counts = await openHanging('paid', { 'content-type': 'audio/mpeg' });
    const ids = startSpeech();
    await isTold();
    expect(ids.map(stateOf)).toEqual(['converting']);
    disk.answer();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect(await readdir(media)).toHaveLength(1);
    expect(counts.paid).toBe(1);
  });

  it('is not told while something is written, however slowly it answers', async () => {
    let [sleeps, told] = [0, 0];
    let onTransferred = () => undefined as void;
    const isTold = Promise.withResolvers<void>();
    const slow: typeof systemClock.sleep = async () => {
      await systemClock.sleep(1);
      sleeps += 1;
      if (sleeps < 20) onTransferred();
    };
    const space = createSpaceReservations(queue().folder, { sleep: slow });
    disk.hang();
    const stopping = new AbortController();
    const work = space.attend(
      conversionJob({ target: { folder: media, nameTemplate: '{name}' } }),
      stopping.signal,
      (attended) => {
        ({ onTransferred } = attended);
        return new Promise(() => undefined);
      },
      () => {
        told = sleeps;
        isTold.resolve();
      },
    );
    await isTold.promise;
    expect(told).toBeGreaterThanOrEqual(20);
    stopping.abort();
    await expect(work).rejects.toBe(stopping.signal.reason);
  });

  it('is told of no more by work that nobody waits for', async () => {
    const space = createSpaceReservations(queue().folder, { sleep: (_, signal) => systemClock.sleep(1, signal) });
    disk.hang();
    const told = { given: 0, awaited: 0 };
    const attend = (id: keyof typeof told, { signal }: AbortController) =>
      space.attend(
        conversionJob({ id, target: { folder: media, nameTemplate: '{name}' } }),
        signal,
        () => new Promise(() => undefined),
        () => void (told[id] += 1),
      );
    const [given, awaited] = [new AbortController(), new AbortController()];
    const works = [attend('given', given), attend('awaited', awaited)];
    await expect.poll(() => told.given).toBeGreaterThan(0);
    given.abort();
    await expect(works[0]).rejects.toBe(given.signal.reason);
    const { given: toldOnce, awaited: before } = told;
    await expect.poll(() => told.awaited).toBeGreaterThan(before + 2);
    expect(told.given).toBe(toldOnce);
    awaited.abort();
    await expect(works[1]).rejects.toBe(awaited.signal.reason);
  });

  it('does not keep a service waiting that was paid for what it sends', async () => {
    const sound = silence(16 * 1024 ** 2);
    const isSent = Promise.withResolvers<void>();
    const counts = await openService((step, response) => {
      if (step !== 'paid') return false;
      disk.hang();
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound, isSent.resolve);
      return true;
    });
    const ids = startSpeech();
    await isSent.promise;
    await isTold();
    disk.answer();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    const [name = ''] = await readdir(media);
    expect((await readFile(join(media, name))).equals(sound)).toBe(true);
    expect(counts.paid).toBe(1);
  });

  it('does not keep the queue from stopping, and the next start fetches the paid result', async () => {
    const counts = await openHanging('result');
    const ids = await startConversion();
    await isTold();
    await queue().stop();
    disk.answer();
    await queue().reopen();
    queue().scheduler.start();
    await expect.poll(() => ids.map(stateOf)).toEqual(['done']);
    expect(await readdir(media)).toEqual(['a, Low bronze.mp3']);
    expect(counts).toMatchObject({ paid: 1, result: 2 });
  });

  it('does not keep a paid result from being saved in another folder', async () => {
    const counts = await openHanging('result');
    const ids = await startConversion();
    await isTold();
    const other = join(queue().folder, 'other');
    await queue().scheduler.moveResults(other);
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect([await readdir(other), pauses()]).toEqual([['a, Low bronze.mp3'], []]);
    disk.answer();
    await expect.poll(() => readdir(media)).toEqual([]);
    expect(counts).toMatchObject({ paid: 1, result: 2 });
  });

  it('does not pause the queue again for a paid reply that waits for it, once the user has given it up', async () => {
    const counts = await openHanging('paid', { 'content-type': 'audio/mpeg' });
    const ids = startSpeech();
    await isTold();
    const other = join(queue().folder, 'other');
    await queue().scheduler.moveResults(other);
    const seen: unknown[] = [];
    queue().breaker.onChanged((all) => seen.push(...all));
    queue().request = { ...queue().request, outputFolder: other };
    const before = waits;
    await expect.poll(() => waits).toBeGreaterThan(before + 6);
    await settled(queue().store, [speak().id]);
    expect([seen, ids.map(stateOf)]).toEqual([[], ['converting']]);
    disk.answer();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect([(await readdir(media)).length, (await readdir(other)).length, counts.paid]).toEqual([1, 1, 2]);
  });

  it('does not keep a job from being cancelled and tried again, and keeps nothing of it', async () => {
    const counts = await openHanging('result');
    const ids = await startConversion();
    await isTold();
    ids.forEach(queue().scheduler.cancel);
    expect(ids.map(stateOf)).toEqual(['cancelled']);
    ids.forEach(queue().scheduler.retry);
    disk.answer();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    await expect.poll(() => readdir(media)).toEqual(['a, Low bronze.mp3']);
    expect(counts).toMatchObject({ paid: 1, result: 2 });
  });
});
