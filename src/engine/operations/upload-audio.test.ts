import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buzz, encoded } from '../../sound/sound.fixture.ts';
import { startTestEngine, type TestEngine } from '../engine.fixture.ts';
import { authorization, createTaskId, formWith, rawUpload, refusal } from '../calls.fixture.ts';

const rate = 22_050;

let engine: TestEngine;
let wav: string;
let mp3: Uint8Array;

beforeAll(async () => {
  engine = await startTestEngine({ maxUploadBytes: 2_000_000 });
  wav = join(engine.dataDirectory, 'buzz.wav');
  await writeFile(wav, await encoded('wav', [buzz(150, 1, rate)], rate));
  mp3 = await encoded('mp3', [buzz(150, 2, rate)], rate);
});
afterAll(() => engine.remove());

describe('upload', () => {
  it('echoes the task, also if its id is percent-encoded', async () => {
    const id = await createTaskId(engine);
    const escaped = id.replaceAll('-', '%2D');
    expect(await rawUpload(engine, escaped, formWith('audioFile', mp3))).toEqual({
      status: 200,
      body: { message: expect.any(String) as string, uuid: id },
    });
  });

  it('rejects a form without audioFile', async () => {
    const id = await createTaskId(engine);
    const required = refusal(400, 'Invalid input parameters.', /audioFile field is required/);
    expect(await rawUpload(engine, id, formWith('file', mp3))).toEqual(required);
    expect(await rawUpload(engine, id, '--line--\r\n')).toEqual(required);
    expect(await rawUpload(engine, id, '{}', { 'content-type': 'application/json' })).toEqual(required);
  });

  it('rejects a malformed form', async () => {
    const id = await createTaskId(engine);
    expect((await rawUpload(engine, id, formWith('audioFile', mp3).subarray(0, 500))).status).toBe(400);
    expect((await rawUpload(engine, id, 'no form at all')).status).toBe(400);
    expect(
      (await rawUpload(engine, id, formWith('audioFile', mp3), { 'content-type': 'multipart/form-data' })).status,
    ).toBe(400);
  });

  it.each(['', randomUUID(), '..', '%2e%2e%2f', 'x%00y'])('rejects the unknown task %j', async (id) => {
    expect((await rawUpload(engine, id, formWith('audioFile', mp3))).status).toBe(404);
  });

  it('rejects a Changer-Type other than the one of the task', async () => {
    const id = await createTaskId(engine);
    const reply = await rawUpload(engine, id, formWith('audioFile', mp3), { 'changer-type': 'other' });
    expect(reply).toEqual(refusal(400, 'Invalid input parameters.', /Changer-Type/));
  });

  it('rejects what is not audio, is empty, or is cut', async () => {
    const id = await createTaskId(engine);
    const bytes = await readFile(wav);
    const invalid = (details: RegExp) => refusal(400, 'Invalid input parameters.', details);
    expect(await rawUpload(engine, id, formWith('audioFile', Buffer.from('a letter')))).toEqual(invalid(/no audio/));
    expect(await rawUpload(engine, id, formWith('audioFile', Buffer.alloc(0)))).toEqual(invalid(/no sound/));
    expect(await rawUpload(engine, id, formWith('audioFile', bytes.subarray(0, 9000)))).toEqual(invalid(/incomplete/));
  });

  it('rejects more than the limit before it is read, and what exceeds it on the way', async () => {
    const id = await createTaskId(engine);
    const big = formWith('audioFile', randomBytes(3_000_000));
    const refused = refusal(413, 'Payload too large.', /at most 2000000 bytes/);
    expect(await rawUpload(engine, id, big, { 'content-length': String(big.length) })).toEqual(refused);
    expect(await rawUpload(engine, id, big, { 'transfer-encoding': 'chunked' })).toEqual(refused);
  });

  it('answers a client that sends Expect before any byte is sent', async () => {
    const id = await createTaskId(engine);
    const { port } = new URL(engine.origin);
    const headers = {
      authorization,
      'changer-type': 'FVC',
      'content-type': 'multipart/form-data; boundary=line',
      'content-length': '3000000',
      expect: '100-continue',
    };
    const status = await new Promise((resolve, reject) => {
      const path = `/api/uploadaudiofile/${id}`;
      const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', path, headers, agent: false });
      request.on('continue', () => reject(new Error('it was asked to continue')));
      request.on('response', (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
      request.flushHeaders();
    });
    expect(status).toBe(413);
  });

  it('leaves no file behind for what it rejected', async () => {
    const id = await createTaskId(engine);
    await rawUpload(engine, id, formWith('audioFile', Buffer.from('a letter')));
    await rawUpload(engine, id, formWith('audioFile', randomBytes(3_000_000)), { 'transfer-encoding': 'chunked' });
    await rawUpload(engine, id, formWith('audioFile', mp3).subarray(0, 500));
    expect(await readdir(join(engine.dataDirectory, 'engine', 'tasks', id))).toEqual(['task.json']);
  });

  it('keeps running if a client disconnects halfway', async () => {
    const id = await createTaskId(engine);
    const socket = connect(Number(new URL(engine.origin).port), '127.0.0.1');
    const head = [
      `POST /api/uploadaudiofile/${id} HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${authorization}`,
      'Changer-Type: FVC',
      'Content-Type: multipart/form-data; boundary=line',
      'Content-Length: 100000',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await new Promise<void>((resolve) => {
      socket.write(formWith('audioFile', mp3).subarray(0, 2000), () => resolve());
    });
    socket.destroy();
    expect((await rawUpload(engine, id, formWith('audioFile', mp3))).status).toBe(200);
  });
});

/** A form with one file part of an unexpected name, which is cut off in the middle. */
const brokenOther = (content: Uint8Array) => formWith('cover', content).subarray(0, 400);

describe('a form that breaks off in a file part of another name', () => {
  it('is answered with 400, alone and after the recording, and the engine keeps running', async () => {
    const id = await createTaskId(engine);
    const broken = refusal(400, 'Invalid input parameters.', /form is broken/);
    expect(await rawUpload(engine, id, brokenOther(mp3))).toEqual(broken);
    const whole = formWith('audioFile', mp3).subarray(0, -'--line--\r\n'.length);
    expect(await rawUpload(engine, id, Buffer.concat([whole, brokenOther(mp3)]))).toEqual(broken);
    expect((await rawUpload(engine, id, formWith('audioFile', mp3))).status).toBe(200);
  });
});

describe('a stalled upload', () => {
  it('is answered with 408', async () => {
    const impatient = await startTestEngine({ stallMs: 50 });
    try {
      const { body } = await impatient.call('POST', '/api/createaudiofilechanger', { voice: 'low-bronze' });
      const { port } = new URL(impatient.origin);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = httpRequest(
          {
            host: '127.0.0.1',
            port,
            method: 'POST',
            path: `/api/uploadaudiofile/${(body as { readonly taskId: string }).taskId}`,
            headers: {
              authorization,
              'changer-type': 'FVC',
              'content-type': 'multipart/form-data; boundary=line',
              'content-length': '100000',
            },
            agent: false,
          },
          (found) => {
            resolve(found);
            request.destroy();
          },
        );
        request.on('error', reject);
        request.write(formWith('audioFile', mp3).subarray(0, 1000));
      });
      expect(response.statusCode).toBe(408);
    } finally {
      await impatient.remove();
    }
  });
});
