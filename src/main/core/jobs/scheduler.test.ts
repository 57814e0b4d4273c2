import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { sample, useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

const queue = useTestQueue();

it('has no more jobs in flight than the connection allows', async () => {
  let now = 0;
  let max = 0;
  const held: (() => void)[] = [];
  const busy = await startScriptedService((_, response) => {
    now += 1;
    max = Math.max(max, now);
    response.on('close', () => (now -= 1));
    // The first three are held until all have arrived, so that a fourth concurrent call would be counted.
    held.push(() => response.writeHead(400).end());
    if (max === 3) for (const release of held.splice(0)) setImmediate(release);
  });
  const connection = busy.connection();
  await queue().open({
    ...connection,
    document: { ...connection.document, limits: { ...connection.document.limits, maxConcurrent: 3 } },
  });
  await queue().run(await Promise.all(Array.from({ length: 12 }, (_, i) => queue().addFile(`in/${i}.mp3`))));
  expect(max).toBe(3);
  await busy.stop();
});

it('cancels a job in flight: aborts its call and leaves no file', async () => {
  const silent = await startScriptedService(() => undefined);
  await queue().open(silent.connection());
  const { ids } = await queue().add([await queue().addFile('a.mp3')]);
  queue().scheduler.start();
  await expect.poll(() => silent.requests.length).toBe(1);
  ids.forEach(queue().scheduler.cancel);
  expect(await settled(queue().store, ids)).toMatchObject([{ state: 'cancelled' }]);
  expect(await queue().outputs()).toEqual([]);
  await silent.stop();
});

it('retries a cancelled job from the start', async () => {
  const { ids } = await queue().add([await queue().addFile('a.mp3')]);
  ids.forEach(queue().scheduler.cancel);
  expect(queue().store.get(ids[0] ?? '')?.state).toBe('cancelled');
  queue().scheduler.start();
  ids.forEach(queue().scheduler.retry);
  expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
});

it('downloads a result again without converting again if only the download failed', async () => {
  const recording = await readFile(sample);
  let broken = true;
  const paid = await startScriptedService(({ url, headers }, response) => {
    if (url.includes('create')) response.end(JSON.stringify({ taskId: 't' }));
    else if (url.includes('upload')) response.end(JSON.stringify({ uuid: 't' }));
    else if (url.includes('changeaudiofile')) {
      response.end(JSON.stringify({ status: 'success', data: { audioUrl: `http://${headers.host ?? ''}/result` } }));
    } else if (broken) response.writeHead(302, { location: 'https://elsewhere.test' }).end();
    else response.end(recording);
  });
  await queue().open(paid.connection());
  const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
  expect(jobs).toMatchObject([{ state: 'failed', problem: { code: 'service/redirected' } }]);
  broken = false;
  const ids = jobs.map(({ id }) => id);
  ids.forEach(queue().scheduler.retry);
  expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
  const calls = (part: string) => paid.requests.filter(({ url }) => url.includes(part)).length;
  expect([calls('create'), calls('upload'), calls('changeaudiofile'), calls('result')]).toEqual([1, 1, 1, 2]);
  await paid.stop();
});

it('marks a job uncertain if the answer to its conversion is lost, because it may be charged', async () => {
  const losing = await startScriptedService(({ url }, response) => {
    if (url.includes('create')) response.end(JSON.stringify({ taskId: 't' }));
    else if (url.includes('upload')) response.end(JSON.stringify({ uuid: 't' }));
    else response.destroy();
  });
  await queue().open(losing.connection());
  const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
  expect(jobs).toMatchObject([{ state: 'uncertain', problem: { code: 'service/uncertain' } }]);
  expect(losing.requests.filter(({ url }) => url.includes('changeaudiofile'))).toHaveLength(1);
  await losing.stop();
});

it('leaves no temporary file when it is stopped, and starts no further job', async () => {
  const { ids } = await queue().add(
    await Promise.all(Array.from({ length: 6 }, (_, i) => queue().addFile(`in/${i}.mp3`))),
  );
  const converting = new Promise<void>((resolve) => {
    queue().store.onEvent((event) => {
      if (event.kind === 'upserted' && event.jobs.some(({ state }) => state === 'converting')) resolve();
    });
  });
  queue().scheduler.start();
  await converting;
  await queue().scheduler.stop();
  const states = ids.map((id) => queue().store.get(id)?.state);
  const before = await queue().outputs();
  expect(before.filter((name) => name.startsWith('.'))).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ids.map((id) => queue().store.get(id)?.state)).toEqual(states);
});

it('sends no free call that was being prepared when a pause began, and sends it after the pause', async () => {
  const refusing = await startScriptedService((_, response) => void response.writeHead(400).end());
  const connection = refusing.connection();
  const asked = Promise.withResolvers<void>();
  const unlocked = Promise.withResolvers<void>();
  await queue().open({
    ...connection,
    async access(signal) {
      asked.resolve();
      await unlocked.promise;
      return connection.access(signal);
    },
  });
  const { ids } = await queue().add([await queue().addFile('a.mp3')]);
  queue().scheduler.start();
  await asked.promise;
  queue().scheduler.pause();
  unlocked.resolve();
  await queue().scheduler.drain();
  expect(queue().store.get(ids[0] ?? '')).toMatchObject({ state: 'queued', attempts: 0 });
  expect(refusing.requests).toEqual([]);
  queue().scheduler.cancelDrain();
  queue().scheduler.resume(null);
  expect(await settled(queue().store, ids)).toMatchObject([{ state: 'failed' }]);
  expect(refusing.requests).toHaveLength(1);
  await refusing.stop();
});
