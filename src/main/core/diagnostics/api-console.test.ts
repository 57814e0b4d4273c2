import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ApiCall,
  type ApiCallOf,
  type OperationId,
  operationIds,
  operationOf,
  type RequestField,
} from '../../../shared/operations.ts';
import { replyJson, type SeenRequest } from '../voice-service/scripted-service.fixture.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import type { Connection } from '../voice-service/connection.ts';
import { failure, useServices } from '../voice-service/service.fixture.ts';
import { createApiConsole } from './api-console.ts';

const { signal } = new AbortController();
const { http, start, folder } = useServices();
const token = 'CANARY/7f3a+"x"';

const openConsole = (connection: Connection) =>
  createApiConsole({
    connections: createConnectionRegistry(http(), [connection]),
    secrets: { placeOf: () => Promise.resolve('keychain') },
    signal,
  });

/** Values that depend on the field, not only on its kind. */
const special: Readonly<Record<string, unknown>> = { name: 'Fern', 'Changer-Type': 'FVC', tag: '' };

function exampleValue(name: string, field: RequestField): unknown {
  switch (field.kind) {
    case 'voice':
      return 'low-bronze';
    case 'task':
      return 't-1';
    case 'model':
      return 'My voice';
    case 'speech':
      return 'The ferry had left.';
    case 'file':
      return 'x';
    case 'switch':
      return true;
    case 'number':
    case 'integer':
      return Number(field.start);
    case 'choice':
    case 'int64':
      return field.start;
    default:
      return special[name] ?? '';
  }
}

/** A call of each operation. */
const calls = Object.fromEntries(
  operationIds.map((operation) => {
    const fields = Object.entries(operationOf(operation).request).filter(([, { kind }]) => kind !== 'fixed');
    const values = fields.map(([name, field]) => [name, exampleValue(name, field)] as const);
    return [operation, { operation, ...Object.fromEntries(values) }];
  }),
) as unknown as { readonly [O in OperationId]: ApiCallOf<O> };

async function recordingFile(): Promise<string> {
  const path = join(folder(), 'take 7.wav');
  await writeFile(path, Buffer.alloc(300_000, 'RIFF'));
  return path;
}

/** Makes one call to a scripted service. */
async function callOn(script: (request: SeenRequest, response: ServerResponse) => void, call: ApiCall) {
  const service = await start(script);
  const path = call.operation === 'upload' ? await recordingFile() : null;
  const exchange = await openConsole(service.connection({}, token)).call('test', call, path);
  return { service, exchange };
}

/** All encodings of a text that redaction must find. */
const encodings = (text: string) => [
  text,
  encodeURIComponent(text),
  JSON.stringify(text),
  Buffer.from(text).toString('base64'),
  Buffer.from(`Bearer ${text}`).toString('base64'),
  Buffer.from(text).toString('hex'),
];

describe('a recorded call', () => {
  it.each(Object.values(calls))('hides a token that the service echoes anywhere: $operation', async (call) => {
    const { service, exchange } = await callOn(({ headers }, response) => {
      const echo = encodings(token);
      const heads = { location: `https://x.example/${encodeURIComponent(token)}`, 'x-echo': echo[3] ?? '' };
      response.writeHead(401, {
        ...heads,
        'x-authorization': (headers.authorization ?? '').toUpperCase(),
        'set-cookie': [`session=${token}`, 'theme=dark'],
        'content-type': 'application/json',
      });
      const unusual = `"\\u0043${token.slice(1).replaceAll('/', '\\/').replaceAll('"', '\\"')}"`;
      response.end(
        `{"error": ${JSON.stringify(`No ${token}`)}, "taskId": ${unusual}, "echo": ${JSON.stringify(echo)}}`,
      );
    }, call);
    const authorized = service.requests[0]?.headers.authorization === `Bearer ${token}`;
    expect(authorized).toBe(true);
    const crossed = JSON.stringify(exchange);
    for (const form of [...encodings(token), token.toUpperCase()]) expect(crossed).not.toContain(form);
    expect(crossed).not.toMatch(/canary|session=|theme=dark/i);
    expect(exchange.request?.headers).toContainEqual({ name: 'authorization', value: null });
    expect(exchange.reply?.headers.filter(({ name }) => name === 'set-cookie')).toEqual([
      { name: 'set-cookie', value: null },
      { name: 'set-cookie', value: null },
    ]);
    expect(exchange).toMatchObject({ problem: { code: 'auth/refused', words: 'No •••' }, tokenSource: 'keychain' });
  });

  it('shows no task if its name is the token', async () => {
    const { exchange } = await callOn((_, response) => replyJson(response, { taskId: token }), calls['create-task']);
    expect(exchange).toMatchObject({ task: null, problem: null });
    expect(JSON.stringify(exchange)).not.toContain('CANARY');
  });

  it('shows what was sent and received, header by header', async () => {
    const { service, exchange } = await callOn(
      (_, response) => replyJson(response, { message: 'ok', taskId: 't-9', type: 'deep' }),
      calls['create-task'],
    );
    const request = service.requests[0];
    expect(exchange.request).toMatchObject({ method: 'POST', address: `${service.origin}/api/createaudiofilechanger` });
    for (const { name, value } of exchange.request?.headers ?? []) {
      if (value !== null) expect(request?.headers[name]).toBe(value);
    }
    expect(JSON.parse(exchange.request?.body.text ?? '')).toEqual(JSON.parse(request?.body.toString() ?? ''));
    expect(exchange.reply).toMatchObject({ status: 200, isWhole: true, body: { kind: 'json', isCut: false } });
    expect(exchange.reply?.body.text).toBe('{\n  "message": "ok",\n  "taskId": "t-9",\n  "type": "deep"\n}');
    expect(exchange.task).toEqual({ taskId: 't-9', changerType: 'deep' });
  });

  it('shows the part and the size of an upload, and every byte arrives', async () => {
    const { service, exchange } = await callOn((_, response) => replyJson(response, { uuid: 't-1' }), calls.upload);
    expect(exchange.problem).toBeNull();
    expect(exchange.request?.body).toMatchObject({ kind: 'part', sizeBytes: service.requests[0]?.body.length });
    expect(exchange.request?.body.text).toContain('name="audioFile"; filename="take 7.wav"');
    expect(service.requests[0]?.body.includes(Buffer.alloc(300_000, 'RIFF'))).toBe(true);
  });

  const replyTo = async (body: string) => {
    const { service, exchange } = await callOn((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }, calls.plant);
    return { sent: service.requests[0]?.body.toString(), exchange, shown: exchange.reply?.body.text };
  };

  it('keeps every digit of a number', async () => {
    const { sent, exchange, shown } = await replyTo('{"id":9223372036854775807,"speed":1.50,"none":[]}');
    expect(sent).toBe('{"id":9223372036854775807,"name":"Fern"}');
    expect(exchange.request?.body.text).toContain('"id": 9223372036854775807,');
    expect(shown).toBe('{\n  "id": 9223372036854775807,\n  "speed": 1.50,\n  "none": []\n}');
  });

  it.each([
    ['duplicate fields', '{"id": 1, "id":{}}'],
    ['fields in an order that JavaScript changes', '{"name":"Fern", "2":1, "1":2}'],
    ['a field named like the prototype', '{"__proto__":{"a":1},  "b":2, "b":3}'],
  ])('shows JSON with %s as it was sent', async (_, body) => {
    expect((await replyTo(body)).shown).toBe(body);
  });

  it('shows JSON that is nested too deeply to be formatted as it was sent', async () => {
    const body = `${'['.repeat(9000)}${']'.repeat(9000)}`;
    expect((await replyTo(body)).shown).toBe(body);
  });

  it('hides the signature in an address but shows the address', async () => {
    const audioUrl = 'https://cdn.example/r/1.mp3?sig=SECRET&e=1';
    const { exchange } = await callOn(
      (_, response) => replyJson(response, { status: 'success', data: { audioUrl, processingTime: 3 } }),
      calls.convert,
    );
    expect(exchange.problem).toBeNull();
    expect(exchange.reply?.body.text).toContain('"https://cdn.example/r/1.mp3?•••"');
  });
});

describe('the body of a reply', () => {
  const answer = (type: string, body: string | Buffer) => (_: SeenRequest, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': type }).end(body);
  const wav = Buffer.concat([Buffer.from('RIFF\x2c\x23\0\0WAVEfmt ', 'latin1'), Buffer.alloc(9000)]);

  it.each([
    ['a web page', answer('text/html', '<p>Sign in</p>'), 'text', 'service/not-understood'],
    ['cut JSON', answer('application/json', '{"status": "succ'), 'text', 'service/not-understood'],
    ['nothing', answer('application/json', ''), 'empty', 'service/not-understood'],
    ['sound', answer('audio/wav', wav), 'audio', 'service/not-understood'],
    ['bytes', answer('', Buffer.from([0, 255, 254, 0, 1])), 'bytes', 'service/not-understood'],
  ])('is described by its type: %s', async (_, script, kind, code) => {
    const { exchange } = await callOn(script, calls.models);
    expect(exchange).toMatchObject({ reply: { body: { kind } }, problem: { code } });
  });

  it('is audio if it contains speech', async () => {
    const { exchange } = await callOn(answer('audio/wav', wav), calls.speech);
    expect(exchange).toMatchObject({
      problem: null,
      reply: { body: { kind: 'audio', format: 'wav', sizeBytes: wav.length, text: '' } },
    });
  });

  it('is cut at what IPC can carry, states its full size, and is never cut within a secret', async () => {
    const long = `<p>${`${token}\u0001漢`.repeat(60_000)}</p>`;
    const { exchange } = await callOn(answer('text/html', long), calls.models);
    expect(exchange.reply?.body).toMatchObject({ isCut: true, sizeBytes: Buffer.byteLength(long) });
    expect(Buffer.byteLength(JSON.stringify(exchange))).toBeLessThan(200_000);
    expect(JSON.stringify(exchange)).not.toMatch(/canary/i);
  });

  it('is shown as far as it arrived if it breaks off', async () => {
    const { exchange } = await callOn((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' });
      response.write('{"models": [', () => response.destroy());
    }, calls.models);
    expect(exchange).toMatchObject({
      problem: { code: 'network/cut' },
      reply: { status: 200, isWhole: false, body: { text: '{"models": [', sizeBytes: 12 } },
    });
  });
});

describe('a call', () => {
  it('shows the request if it reaches no service', async () => {
    const service = await start(() => undefined);
    const connection = service.connection();
    await service.stop();
    const exchange = await openConsole(connection).call('test', calls.voices, null);
    expect(exchange).toMatchObject({
      reply: null,
      problem: { code: 'network/unreachable' },
      request: { method: 'GET' },
    });
    expect(exchange.request?.address).toContain('/api/pagevoices?version=v2&page=0&limit=20');
  });

  it('reports that it was cancelled, with what arrived until then, and allows the next call', async () => {
    const service = await start(({ method }, response) => {
      if (method === 'POST') opened.calls.stop();
      else replyJson(response, { message: 'gone', modelName: 'My voice' });
    });
    const opened = { calls: openConsole(service.connection()) };
    const exchange = await opened.calls.call('test', calls.convert, null);
    expect(exchange).toMatchObject({ isStopped: true, reply: null, problem: null, request: { method: 'POST' } });
    expect((await opened.calls.call('test', calls['delete-model'], null)).problem).toBeNull();
  });

  it('is never sent if it was cancelled before, however late its token arrives', async () => {
    const service = await start(() => undefined);
    const late = Promise.withResolvers<Awaited<ReturnType<Connection['access']>>>();
    const asked = Promise.withResolvers<undefined>();
    const connection: Connection = {
      ...service.connection(),
      access: () => {
        asked.resolve(undefined);
        return late.promise;
      },
    };
    const console = openConsole(connection);
    const running = console.call('test', calls.convert, null);
    await asked.promise;
    console.stop();
    expect(await running).toMatchObject({ isStopped: true, request: null, reply: null, problem: null });
    late.resolve({ hosts: connection.document.hosts, token });
    await late.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.accepted()).toBe(0);
  });

  it('is rejected while another one runs', async () => {
    const answer = Promise.withResolvers<undefined>();
    const service = await start(async (_, response) => {
      await answer.promise;
      replyJson(response, { name: 'Fern' });
    });
    const console = openConsole(service.connection());
    const first = console.call('test', calls.plant, null);
    expect((await failure(console.call('test', calls.plant, null))).code).toBe('request/invalid');
    answer.resolve(undefined);
    await first;
    expect(service.requests).toHaveLength(1);
  });

  it('is sent once if it is paid, whatever its outcome', async () => {
    const { service, exchange } = await callOn((_, response) => void response.writeHead(503).end(), calls.convert);
    expect(exchange).toMatchObject({ problem: { code: 'service/unavailable' }, reply: { status: 503 } });
    expect(service.requests).toHaveLength(1);
  });

  it.each([null, '/nowhere/take.wav', '/'])('sends no upload of a missing file: %s', async (path) => {
    const service = await start(() => undefined);
    const error = await failure(openConsole(service.connection()).call('test', calls.upload, path));
    expect(error.code).toMatch(/^(request\/invalid|input\/(missing|not-a-file))$/);
    expect(service.requests).toHaveLength(0);
  });
});
