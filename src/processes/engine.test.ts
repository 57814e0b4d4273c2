import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EngineEvent } from '../engine/engine-messages.ts';
import { operations } from '../shared/operations.ts';

const entry = fileURLToPath(new URL('./engine.ts', import.meta.url));
let dataDirectory: string;
let child: ChildProcess;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'timbre-process-'));
  child = fork(entry, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
});
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(dataDirectory, { recursive: true, force: true });
});

const start = async (port?: number): Promise<EngineEvent> => {
  child.send({ type: 'start', dataDirectory, ...(port !== undefined && { port }) });
  const [event] = (await once(child, 'message')) as [EngineEvent];
  return event;
};

it('answers a start with an address and a token that work', async () => {
  const event = await start();
  if (event.type !== 'listening') throw new Error(JSON.stringify(event));
  expect(event.token.length).toBeGreaterThan(40);
  const voices = (token: string) =>
    fetch(`${event.origin}/api/pagevoices`, { headers: { authorization: `Bearer ${token}` } });
  expect((await voices(event.token)).status).toBe(200);
  expect((await voices('other')).status).toBe(401);
});

it('exits with 0 on a stop request', async () => {
  await start();
  child.send({ type: 'stop' });
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('answers the open call before it exits if it is to drain, and takes no other', async () => {
  const event = await start();
  if (event.type !== 'listening') throw new Error(JSON.stringify(event));
  const call = (path: string, body: string) =>
    fetch(`${event.origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${event.token}`, 'content-type': 'application/json' },
      body,
    });
  const speech = {
    speech: 'The call is still open. '.repeat(20),
    voice: 'low-bronze',
    Parameter: { Speed: '1.0', LanguageCode: 'en-US', Pitch: '1.0' },
    engine: 'v7',
  };
  const spoken = call(operations.speech.path, JSON.stringify(speech));
  await expect.poll(() => readdir(join(dataDirectory, 'engine', 'speech')).catch(() => [])).toHaveLength(1);
  const exited = once(child, 'exit');
  child.send({ type: 'drain' });
  await expect.poll(() => call(operations.speech.path, '{}').catch(() => null)).toBeNull();
  expect((await spoken).status).toBe(200);
  expect(await exited).toEqual([0, null]);
});

it('exits when its parent disconnects', async () => {
  await start();
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('reports why it cannot start, and can be started again', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    expect(await start((other.address() as AddressInfo).port)).toMatchObject({ type: 'failed', code: 'EADDRINUSE' });
    expect(await start()).toMatchObject({ type: 'listening' });
  } finally {
    other.close();
  }
});

it('ignores unknown messages', async () => {
  child.send({ type: 'dance' });
  child.send('start');
  expect(await start()).toMatchObject({ type: 'listening' });
});
