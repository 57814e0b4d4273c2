import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { sample, useTestQueue } from './queue.fixture.ts';
import { settled } from './queue.ts';

const queue = useTestQueue();

it('has no more jobs in flight than the connection allows', async () => {
  let now = 0;
  let most = 0;
  const held: (() => void)[] = [];
  const busy = await startScriptedService((_, response) => {
    now += 1;
    most = Math.max(most, now);
    response.on('close', () => (now -= 1));
    // The first three wait for each other; if a fourth were let in beside them it would be counted.
    held.push(() => response.writeHead(400).end());
    if (most === 3) for (const release of held.splice(0)) setImmediate(release);
  });
  const connection = busy.connection();
  await queue().open({
    ...connection,
    document: { ...connection.document, limits: { ...connection.document.limits, maxConcurrent: 3 } },
  });
  await queue().run(await Promise.all(Array.from({ length: 12 }, (_, i) => queue().put(`in/${i}.mp3`))));
  expect(most).toBe(3);
  await busy.stop();
});

it('cancels a job in flight: its call ends, nothing of it is left on disk', async () => {
  const silent = await startScriptedService(() => undefined);
  await queue().open(silent.connection());
  const { ids } = await queue().add([await queue().put('a.mp3')]);
  queue().scheduler.start();
  await expect.poll(() => silent.requests.length).toBe(1);
  ids.forEach(queue().scheduler.cancel);
  expect(await settled(queue().store, ids)).toMatchObject([{ state: 'cancelled' }]);
  expect(await queue().outputs()).toEqual([]);
  await silent.stop();
});

it('converts again what was cancelled, from the start', async () => {
  const { ids } = await queue().add([await queue().put('a.mp3')]);
  ids.forEach(queue().scheduler.cancel);
  expect(queue().store.get(ids[0] ?? '')?.state).toBe('cancelled');
  queue().scheduler.start();
  ids.forEach(queue().scheduler.retry);
  expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
});

it('fetches a result that was paid for again, and does not convert again, when only the download failed', async () => {
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
  const { jobs } = await queue().run([await queue().put('a.mp3')]);
  expect(jobs).toMatchObject([{ state: 'failed', problem: { code: 'service/redirected' } }]);
  broken = false;
  const ids = jobs.map(({ id }) => id);
  ids.forEach(queue().scheduler.retry);
  expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
  const calls = (part: string) => paid.requests.filter(({ url }) => url.includes(part)).length;
  expect([calls('create'), calls('upload'), calls('changeaudiofile'), calls('result')]).toEqual([1, 1, 1, 2]);
  await paid.stop();
});

it('takes a lost answer to converting for uncertain, because it may have been paid', async () => {
  const losing = await startScriptedService(({ url }, response) => {
    if (url.includes('create')) response.end(JSON.stringify({ taskId: 't' }));
    else if (url.includes('upload')) response.end(JSON.stringify({ uuid: 't' }));
    else response.destroy();
  });
  await queue().open(losing.connection());
  const { jobs } = await queue().run([await queue().put('a.mp3')]);
  expect(jobs).toMatchObject([{ state: 'uncertain', problem: { code: 'service/uncertain' } }]);
  expect(losing.requests.filter(({ url }) => url.includes('changeaudiofile'))).toHaveLength(1);
  await losing.stop();
});

it('leaves nothing behind when it is stopped in the middle, and takes no further job', async () => {
  const { ids } = await queue().add(await Promise.all(Array.from({ length: 6 }, (_, i) => queue().put(`in/${i}.mp3`))));
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
