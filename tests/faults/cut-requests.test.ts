import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Fault } from './fault.ts';
import { startFaultProxy } from './start-fault-proxy.ts';
import { ask, type RequestOptions } from './http-client.ts';

const target = '/api/uploadaudiofile/42';

/** All that a service heard of one upload under this fault, until its connection ended. */
async function heardOf(fault: Fault, options: RequestOptions): Promise<string> {
  let heard = '';
  const over = Promise.withResolvers<undefined>();
  const service = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => over.resolve(undefined));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const proxy = await startFaultProxy({ target: `http://127.0.0.1:${port}` });
  proxy.script([{ fault }]);
  const got = await ask(proxy.origin + target, { method: 'POST', ...options });
  expect([got.status, got.error === null]).toEqual([0, false]);
  await over.promise;
  await proxy.stop();
  service.close();
  return heard;
}

// More than one chunk on any way.
const body = 'x'.repeat(300_000);
const bodyOf = (heard: string): string => heard.slice(heard.indexOf('\r\n\r\n') + 4);

it('receives half of the request line', async () => {
  const heard = await heardOf({ kind: 'cut', in: 'request-line' }, { body });
  const line = `POST ${target} HTTP/1.1\r\n`;
  expect(heard).toBe(line.slice(0, line.length / 2));
});

it('receives the request line and half of the headers', async () => {
  const heard = await heardOf({ kind: 'cut', in: 'request-headers' }, { body, headers: { 'x-name': 'value' } });
  expect(heard.startsWith(`POST ${target} HTTP/1.1\r\n`)).toBe(true);
  expect(heard).not.toContain('\r\n\r\n');
  expect(heard.length).toBeGreaterThan(`POST ${target} HTTP/1.1\r\n`.length);
});

it.each([
  [undefined, 150_000],
  [0, 0],
  [10, 10],
  [100_000, 100_000],
])('receives all headers and this much of the body: %s', async (afterBytes, bytes) => {
  const heard = await heardOf(
    { kind: 'cut', in: 'request-body', ...(afterBytes !== undefined && { afterBytes }) },
    { body },
  );
  expect(heard.slice(0, 200)).toContain('\r\ncontent-length: 300000\r\n');
  expect(bodyOf(heard) === 'x'.repeat(bytes)).toBe(true);
});

it('receives chunks until one that is shorter than announced', async () => {
  const chunked = Readable.from([Buffer.alloc(16, 'x'), Buffer.alloc(16, 'y')]);
  const heard = await heardOf({ kind: 'cut', in: 'request-body', afterBytes: 20 }, { body: chunked });
  // The chunks may have been joined on their way; their sizes are what must not end.
  const sound = bodyOf(heard).replaceAll(/[0-9a-f]+\r\n|\r\n/g, '');
  expect(sound).toBe('x'.repeat(16) + 'y'.repeat(4));
  expect(heard.endsWith('0\r\n\r\n')).toBe(false);
});
