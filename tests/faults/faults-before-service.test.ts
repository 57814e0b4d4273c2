import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uploadHeaders } from '../../src/engine/calls.fixture.ts';
import { answers, tooManyRequests, unavailable } from './answers.ts';
import type { Fault } from './fault.ts';
import { startProxiedEngine, type ProxiedEngine } from './proxied-engine.ts';
import { ask, openSocket, jsonOf, type HttpReply } from './http-client.ts';

let fixture: ProxiedEngine;
let task: string;

beforeAll(async () => {
  fixture = await startProxiedEngine();
});
beforeEach(async () => {
  fixture.proxy.script([]);
  fixture.proxy.disconnect();
  task = await fixture.newTask();
  await fixture.proxy.idle();
});
afterAll(() => fixture.stop());

/** The last call, once it is over. */
async function lastCall() {
  await fixture.proxy.idle();
  const call = fixture.proxy.calls.at(-1);
  if (!call) throw new Error('nobody called');
  return call;
}

/** One upload under this fault. */
const uploadWith = (fault: Fault): Promise<HttpReply> => {
  fixture.proxy.script([{ operation: 'upload', fault }]);
  return fixture.upload(task);
};

const isUploaded = async (): Promise<boolean> => {
  fixture.proxy.script([]);
  return (await fixture.convert(task)).status !== 409;
};

describe('dropped before the service', () => {
  it('at accept: no byte is read and no call is known', async () => {
    const { proxy } = fixture;
    proxy.script([{ fault: { kind: 'drop-before', at: 'accept' }, times: 1 }]);
    const { all } = await openSocket(proxy.origin, 'GET / HTTP/1.1\r\n\r\n');
    expect(await all()).toMatch(/^(<ECONNRESET>|<EPIPE>)?$/);
    expect(await lastCall()).toMatchObject({ operation: 'other', method: '', fault: 'drop-before', outcome: 'broken' });
    expect((await fixture.create()).status).toBe(200);
  });

  it('at accept: a rule that selects a call is rejected, because there is no call yet', () => {
    const fault = { kind: 'drop-before', at: 'accept' } as const;
    expect(() => fixture.proxy.script([{ operation: 'upload', fault }])).toThrow('belongs to no call yet');
  });

  it.each([true, false])('at the headers, with the body unread (reset: %s)', async (reset) => {
    const got = await uploadWith({ kind: 'drop-before', at: 'headers', reset });
    expect(got.status).toBe(0);
    expect(got.error).toMatch(/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/);
    expect(await lastCall()).toMatchObject({ task, reachedService: false, receivedBytes: 0, outcome: 'broken' });
    expect(await isUploaded()).toBe(false);
  });

  it('after the whole body was read', async () => {
    const got = await uploadWith({ kind: 'drop-before', at: 'body' });
    expect([got.status, got.error]).toEqual([0, 'UND_ERR_SOCKET']);
    const call = await lastCall();
    expect(call).toMatchObject({ reachedService: false, status: null, serviceStatus: null });
    expect(call.receivedBytes).toBeGreaterThan(fixture.sound.length);
    expect(await isUploaded()).toBe(false);
  });

  it('with a reset if the rule says so', async () => {
    fixture.proxy.script([{ fault: { kind: 'drop-before', at: 'headers', reset: true } }]);
    const { all } = await openSocket(fixture.proxy.origin, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await all()).toBe('<ECONNRESET>');
  });
});

describe('cut on the way to the service', () => {
  it.each(['request-line', 'request-headers', 'request-body'] as const)(
    'in the %s: it does not count',
    async (part) => {
      const got = await uploadWith({ kind: 'cut', in: part });
      expect(got.status).toBe(0);
      expect(await lastCall()).toMatchObject({ reachedService: true, serviceStatus: null, outcome: 'broken' });
      expect(await isUploaded()).toBe(false);
    },
  );
});

describe('answered without the service', () => {
  it.each([
    ['unauthorized', answers.unauthorized, 401],
    ['paymentRequired', answers.paymentRequired, 402],
    ['forbidden', answers.forbidden, 403],
    ['serverError', answers.serverError, 500],
    ['unavailable', unavailable(3), 503],
    ['hiddenError', answers.hiddenError, 200],
  ])('%s', async (_, fault, status) => {
    fixture.proxy.script([{ operation: 'convert', fault }]);
    const got = await fixture.convert(task);
    expect([got.status, got.headers['content-type']]).toEqual([status, 'application/json']);
    expect(jsonOf(got)).toMatchObject({ error: expect.any(String) as string, details: expect.any(String) as string });
    expect(await lastCall()).toMatchObject({ reachedService: false, status, serviceStatus: null, fault: 'answer' });
  });

  it('a page, half of a JSON text, an empty body', async () => {
    const texts: string[] = [];
    for (const fault of [answers.page, answers.notJson, answers.nothing]) {
      fixture.proxy.script([{ operation: 'create-task', fault }]);
      const got = await fixture.create();
      expect(got.status).toBe(200);
      texts.push(got.bytes.toString());
    }
    expect(texts[0]).toMatch(/^<!doctype html>/);
    expect(texts.slice(1)).toEqual(['{"status": "succ', '']);
  });

  it('429 with Retry-After in seconds, as a date, and without', async () => {
    const date = new Date('2031-02-03T04:05:06Z');
    const seen: unknown[] = [];
    for (const retryAfter of [7, date, undefined]) {
      fixture.proxy.script([{ fault: tooManyRequests(retryAfter) }]);
      const got = await fixture.create();
      seen.push([got.status, got.headers['retry-after']]);
    }
    expect(seen).toEqual([
      [429, '7'],
      [429, 'Mon, 03 Feb 2031 04:05:06 GMT'],
      [429, undefined],
    ]);
  });

  it('after the whole upload was read, or before', async () => {
    expect((await uploadWith(answers.unauthorized)).status).toBe(401);
    expect((await lastCall()).receivedBytes).toBeGreaterThan(fixture.sound.length);

    fixture.proxy.script([{ fault: { ...answers.unauthorized, early: true } }]);
    const line = `POST /api/uploadaudiofile/${task} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n`;
    const { socket, all } = await openSocket(fixture.proxy.origin, line);
    await fixture.proxy.waitFor((call) => call.status === 401 && call.receivedBytes === 0);
    socket.end(Buffer.alloc(1000));
    expect(await all()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n[^]*connection: close/);
  });

  it.each([301, 302, 303, 307, 308] as const)('redirect %i, with and without a location', async (status) => {
    fixture.proxy.script([
      { fault: { kind: 'redirect', status, location: 'http://127.0.0.1:1/evil' }, times: 1 },
      { fault: { kind: 'redirect', status } },
    ]);
    const [first, second] = [await fixture.convert(task), await fixture.convert(task)];
    expect([first.status, first.headers['location']]).toEqual([status, 'http://127.0.0.1:1/evil']);
    expect([second.status, second.headers['location']]).toEqual([status, undefined]);
    expect((await lastCall()).reachedService).toBe(false);
  });
});

describe('slow and silent requests', () => {
  it('latency: the request reaches the service no sooner', async () => {
    fixture.proxy.script([{ operation: 'create-task', fault: { kind: 'latency', ms: 80 } }]);
    expect((await fixture.create()).status).toBe(200);
    const { startedMs, endedMs, fault } = await lastCall();
    expect((endedMs ?? 0) - startedMs).toBeGreaterThanOrEqual(79);
    expect(fault).toBe(null);
  });

  it('hold: the request reaches the service only once the test releases it', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { proxy } = fixture;
    proxy.script([{ operation: 'create-task', fault: { kind: 'hold', until: gate.promise } }]);
    const asking = fixture.create();
    const call = await proxy.waitFor(({ operation, outcome }) => operation === 'create-task' && outcome === 'open');
    expect(call.reachedService).toBe(false);
    gate.resolve(undefined);
    expect((await asking).status).toBe(200);
    expect(call.reachedService).toBe(true);
  });

  it('an upload is read at the rate of the rule', async () => {
    const bytesPerSecond = fixture.sound.length * 5;
    expect((await uploadWith({ kind: 'slow', bytesPerSecond, at: 'request' })).status).toBe(200);
    const { startedMs, endedMs } = await lastCall();
    expect((endedMs ?? 0) - startedMs).toBeGreaterThan(195);
  });

  it('a stalled upload: the given bytes are read, the service waits for the rest, and no reply is sent', async () => {
    fixture.proxy.script([{ operation: 'upload', fault: { kind: 'stall', at: 'request', afterBytes: 5000 } }]);
    const leaving = new AbortController();
    const asking = fixture.upload(task, { signal: leaving.signal, headers: uploadHeaders });
    const call = await fixture.proxy.waitFor(({ operation, reachedService, outcome }) => {
      return operation === 'upload' && reachedService && outcome === 'open';
    });
    leaving.abort();
    expect((await asking).status).toBe(0);
    await fixture.proxy.idle();
    expect(call).toMatchObject({ serviceStatus: null, status: null, outcome: 'left' });
    expect(await isUploaded()).toBe(false);
  });
});

it('a rule for one task does not affect other tasks', async () => {
  const other = await fixture.newTask();
  fixture.proxy.script([{ operation: ['upload', 'convert'], task, fault: answers.serverError }]);
  expect((await fixture.upload(task)).status).toBe(500);
  expect((await fixture.upload(other)).status).toBe(200);
  expect((await ask(`${fixture.proxy.origin}/api/pagevoices`)).status).toBe(401);
});
