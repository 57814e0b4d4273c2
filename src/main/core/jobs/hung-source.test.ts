import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fastClock } from '../clock.fixture.ts';
import { canHang, type HangingDisk, mountHangingDisk } from '../files/hung-disk.fixture.ts';
import { replyJson } from '../voice-service/scripted-service.fixture.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { sample, silence, useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

// Before the folder of the queue is removed: hooks run in the opposite order.
const queue = useTestQueue(fastClock(20));
const { openService } = usePaidService(queue);
let disk: HangingDisk;
let media: string;

const jobOf = (id: string | undefined) => queue().store.get(id ?? '');
const silent = { problem: { code: 'input/disk-silent' } };

describe.skipIf(!canHang)('a disk of recordings that hangs (skipped without root, FUSE and ntfs-3g)', () => {
  beforeEach(async () => {
    media = join(queue().folder, 'media');
    disk = await mountHangingDisk(join(queue().folder, 'image'), media);
  });
  afterEach(async () => {
    disk.answer();
    await queue().stop();
    await disk.remove();
  });

  /** Adds recordings that are on the disk. */
  async function addOnDisk(count: number): Promise<readonly string[]> {
    const paths = Array.from({ length: count }, (_, k) => join(media, `take ${k}.mp3`));
    await Promise.all(paths.map((path) => copyFile(sample, path)));
    return (await queue().add(paths)).ids;
  }

  const addOther = async () => (await queue().add([await queue().addFile('other.mp3')])).ids;

  it('does not keep recordings of other disks from being converted, and its own follow once it answers', async () => {
    const counts = await openService(() => false);
    const ids = await addOnDisk(6);
    const other = await addOther();
    disk.hang();
    queue().scheduler.start();
    expect(await settled(queue().store, other)).toMatchObject([{ state: 'done' }]);
    await expect.poll(() => ids.map(jobOf)).toMatchObject(ids.map(() => ({ state: 'queued', ...silent })));
    expect(queue().breaker.list()).toEqual([]);
    disk.answer();
    expect((await settled(queue().store, ids)).map(({ state }) => state)).toEqual(ids.map(() => 'done'));
    expect(counts).toMatchObject({ upload: 7, paid: 7 });
  });

  it('is named when a recording is only checked', async () => {
    await openService(() => false);
    const path = join(media, 'take.mp3');
    await copyFile(sample, path);
    disk.hang();
    const { request, checkSource } = queue();
    const source = { path, subfolder: '', snapshot: null };
    const checked = checkSource({ ...request, source }, new AbortController().signal);
    await expect(checked).rejects.toMatchObject({
      code: 'input/disk-silent',
      problem: { facts: { name: 'take.mp3' } },
    });
  });

  it('does not keep the queue from stopping, or a recording from being cancelled', async () => {
    await openService(() => false);
    const ids = await addOnDisk(6);
    disk.hang();
    queue().scheduler.start();
    const [id = ''] = ids;
    queue().scheduler.cancel(id);
    expect(jobOf(id)).toMatchObject({ state: 'cancelled' });
    await queue().stop();
  });

  it.each([
    ['waits', () => undefined],
    ['hangs up', (upload: IncomingMessage) => void upload.destroy()],
  ])('is named while an upload reads from it, whether the service %s, and nothing is paid twice', async (_, onHung) => {
    const counts = { upload: 0, paid: 0 };
    const server = createServer((request, response) => {
      const { url = '', headers } = request;
      if (url.includes('upload')) {
        counts.upload += 1;
        const reply = () => replyJson(response, { uuid: url.split('/').at(-1) });
        if (counts.upload > 1) {
          request.resume().once('end', reply);
          return;
        }
        request.once('data', () => {
          request.pause();
          disk.hang();
          onHung(request);
          if (!request.destroyed) request.resume().once('end', reply);
        });
        return;
      }
      request.resume();
      if (url.includes('create')) replyJson(response, { taskId: `t${counts.upload}` });
      else if (url.includes('/result')) response.end(recording);
      else {
        counts.paid += 1;
        replyJson(response, { status: 'success', data: { audioUrl: `http://${headers.host ?? ''}/result` } });
      }
    });
    const recording = await readFile(sample);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { connection } = queue().request;
    const hosts = { voice: origin, upload: origin, converter: origin, models: origin, sample: origin };
    await queue().open({
      id: connection.id,
      kind: 'remote',
      document: { ...connection.document, hosts, limits: { ...connection.document.limits, maxConcurrent: 1 } },
      access: () => Promise.resolve({ hosts, token: 'secret' }),
    });
    const path = join(media, 'long.wav');
    await writeFile(path, silence(16 * 1024 ** 2));
    const { ids } = await queue().add([path]);
    queue().scheduler.start();
    await expect.poll(() => ids.map(jobOf)).toMatchObject([{ state: 'created', ...silent }]);
    expect(await settled(queue().store, await addOther())).toMatchObject([{ state: 'done' }]);
    disk.answer();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect(counts).toEqual({ upload: 3, paid: 2 });
    server.closeAllConnections();
    server.close();
  });
});
