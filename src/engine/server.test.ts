import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buzz, encoded } from '../sound/sound.fixture.ts';
import { createEngine } from './server.ts';
import { startTestEngine, testToken, type TestEngine } from './engine.fixture.ts';
import { authorization, rawCall, refusal, soundRunsOf } from './calls.fixture.ts';
import { type VoiceChanger } from './voice-changer.ts';

const rate = 22_050;

let engine: TestEngine;
let wav: string;

beforeAll(async () => {
  engine = await startTestEngine();
  wav = join(engine.dataDirectory, 'buzz.wav');
  await writeFile(wav, await encoded('wav', [buzz(150, 1, rate)], rate));
});
afterAll(() => engine.remove());

describe('callers', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer nonsense' }],
    ['another scheme', { authorization: `Basic ${testToken}` }],
    ['a token with more behind it', { authorization: `${authorization} x` }],
  ])('with %s get 401', async (_, headers) => {
    expect(await rawCall(engine, { headers })).toEqual(refusal(401, 'Unauthorized', /token/));
    expect(await rawCall(engine, { headers, path: '/nowhere' })).toEqual(refusal(401, 'Unauthorized', /token/));
    expect(await rawCall(engine, { headers, path: `/results/${randomUUID()}/x.wav` })).toEqual(
      refusal(401, 'Unauthorized', /token/),
    );
  });

  it('from a web page get 403, also with the right token', async () => {
    expect(await rawCall(engine, { headers: { authorization, origin: 'https://example.org' } })).toEqual(
      refusal(403, 'Forbidden', /web/),
    );
    expect(await rawCall(engine, { headers: { authorization, origin: 'null' } })).toEqual(
      refusal(403, 'Forbidden', /web/),
    );
  });

  it.each(['example.org', '127.0.0.1.example.org', 'evil@127.0.0.1', '192.168.0.1:80'])(
    'that name the host %s get 403',
    async (host) => {
      expect(await rawCall(engine, { headers: { authorization, host } })).toEqual(
        refusal(403, 'Forbidden', /loopback/),
      );
    },
  );

  it.each(['localhost:1234', '127.0.0.1', '[::1]:80'])('that name the host %s are served', async (host) => {
    expect((await rawCall(engine, { headers: { authorization, host } })).status).toBe(200);
  });

  it('that request an unknown path get 404 in the same format', async () => {
    for (const path of ['/', '/api', '/api/pagevoices/', '/api/uploadaudiofile/x/y', '//', '/%']) {
      expect(await rawCall(engine, { path })).toEqual(refusal(404, 'Not found.', /operation/));
    }
    expect((await rawCall(engine, { method: 'DELETE' })).status).toBe(404);
  });
});

describe('the life cycle', () => {
  const stopped: VoiceChanger = {
    convert: () => Promise.reject(new Error('not here')),
    speak: () => Promise.reject(new Error('not here')),
    measure: () => Promise.reject(new Error('not here')),
    stop: () => Promise.resolve(),
  };
  const engines: TestEngine[] = [];
  afterEach(() => Promise.all(engines.splice(0).map((one) => one.remove())));

  it('keeps finished tasks over a restart, and replies from them without computing again', async () => {
    const first = await startTestEngine();
    const uuid = await first.prepare('low-bronze', wav);
    const before = (await first.call('POST', '/api/changeaudiofile', { uuid, pitch: 1.3 })).body;
    await first.stop();
    // Audio work is impossible here, so the response must be the stored one.
    const second = await startTestEngine({ dataDirectory: first.dataDirectory, voiceChanger: stopped });
    engines.push(second);
    const after = await second.call('POST', '/api/changeaudiofile', { uuid, pitch: 1.3 });
    expect(after.status).toBe(200);
    expect(JSON.stringify(after.body).replace(second.origin, first.origin)).toBe(JSON.stringify(before));
  });

  it('completes a conversion whose client disconnected, and keeps the result', async () => {
    const long = join(engine.dataDirectory, 'minute.flac');
    await writeFile(long, await encoded('flac', [buzz(150, 60, rate)], rate));
    const uuid = await engine.prepare('low-bronze', long);
    const controller = new AbortController();
    const gone = fetch(`${engine.origin}/api/changeaudiofile`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({ uuid }),
      signal: controller.signal,
    });
    await expect.poll(() => soundRunsOf(engine, uuid)).toBe(1);
    controller.abort();
    await expect(gone).rejects.toThrow();
    expect((await engine.call('POST', '/api/changeaudiofile', { uuid })).status).toBe(200);
    expect(await soundRunsOf(engine, uuid)).toBe(1);
  });

  it('can be stopped at any moment, repeatedly, and never listens afterwards', async () => {
    const { dataDirectory } = engine;
    const idle = createEngine({ dataDirectory, token: 'x', voiceChanger: stopped });
    await idle.stop();
    await expect(idle.start(0)).rejects.toThrow(/stopped/);

    const racing = createEngine({ dataDirectory, token: 'x', voiceChanger: stopped });
    const started = racing.start(0);
    started.catch(() => undefined);
    await Promise.all([racing.stop(), racing.stop()]);
    await expect(started).rejects.toThrow(/stopped/);
  });

  it('leaves no port open if it is stopped during its start', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
    const before = ports();
    for (let turns = 0; turns < 40; turns++) {
      const { dataDirectory } = engine;
      const racing = createEngine({ dataDirectory, token: 'x', voiceChanger: stopped });
      const started = racing.start(0).catch(() => null);
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await racing.stop();
      await started;
      // The handle is released one event-loop turn after its server reports closed.
      await expect.poll(ports, { message: `stopped after ${turns} turns` }).toBe(before);
    }
  });

  it('closes a connection whose request headers never end, and serves others meanwhile', async () => {
    const impatient = await startTestEngine({ headersTimeoutMs: 300 });
    engines.push(impatient);
    const { port } = new URL(impatient.origin);
    const heads = ['', 'GET /api/pagevoices HTTP/1.1\r\n', `POST / HTTP/1.1\r\nauthorization: ${authorization}\r\nx: `];
    const closed = heads.map(async (head) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(head);
      socket.resume();
      await once(socket, 'close');
    });
    expect((await rawCall(impatient, {})).status).toBe(200);
    await Promise.all(closed);
  });

  it('answers 408 to a JSON body that stalls', async () => {
    const impatient = await startTestEngine({ stallMs: 50 });
    engines.push(impatient);
    const { port } = new URL(impatient.origin);
    for (const path of ['/api/createaudiofilechanger', '/api/changeaudiofile', '/api/fsmstexttospeech', '/plants']) {
      const socket = connect(Number(port), '127.0.0.1');
      const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: ${authorization}\r\n`;
      socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString(), path).toMatch(/^HTTP\/1.1 408 /);
      socket.destroy();
    }
  });

  it('reports that its port is in use', async () => {
    const other = createEngine({ dataDirectory: engine.dataDirectory, token: 'x', voiceChanger: stopped });
    await expect(other.start(Number(new URL(engine.origin).port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await other.stop();
  });

  it('cancels a running conversion when it is stopped', async () => {
    const short = await startTestEngine();
    engines.push(short);
    const long = join(short.dataDirectory, 'long.wav');
    await writeFile(long, await encoded('wav', [buzz(150, 60, rate)], rate));
    const uuid = await short.prepare('low-bronze', long);
    const reply = short.call('POST', '/api/changeaudiofile', { uuid });
    reply.catch(() => undefined);
    await expect.poll(() => soundRunsOf(short, uuid)).toBe(1);
    await short.stop();
    await expect(reply).rejects.toThrow();
  });
});
