import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createTaskStore } from '../task-store.ts';
import { sendResult } from './send-result.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-send-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function openFiles(): Promise<readonly string[]> {
  const numbers = await readdir('/proc/self/fd');
  const paths = await Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}

it.skipIf(process.platform !== 'linux')(
  'closes the file of a result whose client disconnects before it starts (open files are counted on Linux only)',
  async () => {
    const tasks = createTaskStore(folder, systemClock);
    const { id } = await tasks.create({ voice: 'v', engine: 'v5' });
    const result = {
      file: 'r.wav',
      name: 'r.wav',
      format: 'wav',
      bytes: 4,
      processingTimeMs: 1,
      deliveredAt: null,
    } as const;
    await tasks.update(id, (task) => ({ ...task, results: { r: result } }));
    await writeFile(tasks.pathOf(id, 'r.wav'), 'RIFF');
    const send = sendResult(tasks, systemClock);
    const left = Promise.withResolvers<unknown>();
    const server = createServer((request, response) => {
      void (async () => {
        await once(response, 'close');
        const call = {
          request,
          response,
          params: [id, 'r.wav'],
          query: new URLSearchParams(),
          origin: '',
          stallMs: 1000,
        };
        left.resolve(await Promise.resolve(send(call)).catch((error: unknown) => error));
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    client.on('error', () => undefined);
    await once(server, 'request');
    client.destroy();
    expect(await left.promise).toBeInstanceOf(Error);
    expect(await openFiles()).toEqual([]);
    server.close();
    expect((await tasks.read(id))?.results['r']?.deliveredAt).toBeNull();
  },
);
