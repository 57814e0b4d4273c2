import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answers } from './answers.ts';
import type { Fault } from './fault.ts';
import { countEngineWork } from './engine-work.ts';
import { startProxiedEngine, type ProxiedEngine } from './proxied-engine.ts';
import { openSocket, jsonOf, type RequestOptions, type HttpReply } from './http-client.ts';

let fixture: ProxiedEngine;
let address: string;
let whole: Buffer;

beforeAll(async () => {
  fixture = await startProxiedEngine();
  address = await fixture.result();
  whole = (await fixture.get(address)).bytes;
});
beforeEach(() => {
  fixture.proxy.script([]);
  fixture.proxy.disconnect();
});
afterAll(() => fixture.stop());

async function lastCall() {
  await fixture.proxy.idle();
  const call = fixture.proxy.calls.at(-1);
  if (!call) throw new Error('nobody called');
  return call;
}

function downloadWith(fault: Fault, options: RequestOptions = {}): Promise<HttpReply> {
  fixture.proxy.script([{ operation: 'download', fault }]);
  return fixture.get(address, options);
}

const length = ({ headers }: HttpReply) =>
  headers['content-length'] === undefined ? null : Number(headers['content-length']);

describe('dropped after the service', () => {
  it('has finished: the conversion counts, and the client receives nothing', async () => {
    const task = await fixture.newTask();
    await fixture.upload(task);
    fixture.proxy.script([{ operation: 'convert', task, fault: { kind: 'drop-after' }, times: 1 }]);
    const got = await fixture.convert(task);
    expect([got.status, got.error]).toEqual([0, 'UND_ERR_SOCKET']);
    expect(await lastCall()).toMatchObject({
      serviceStatus: 200,
      status: null,
      outcome: 'broken',
      fault: 'drop-after',
    });
    expect((await countEngineWork(fixture.engine.dataDirectory)).get(task)).toBe(1);
    expect((await fixture.convert(task)).status).toBe(200);
    expect((await countEngineWork(fixture.engine.dataDirectory)).get(task)).toBe(1);
  });

  it('has created a task or accepted an upload', async () => {
    const before = (await countEngineWork(fixture.engine.dataDirectory)).size;
    fixture.proxy.script([{ operation: ['create-task', 'upload'], fault: { kind: 'drop-after', reset: true } }]);
    expect((await fixture.create()).error).toBe('ECONNRESET');
    expect((await countEngineWork(fixture.engine.dataDirectory)).size).toBe(before + 1);
    const { task } = await lastCall();
    expect((await fixture.upload(task ?? '')).error).toBe('ECONNRESET');
    fixture.proxy.script([]);
    expect((await fixture.convert(task ?? '')).status).toBe(200);
  });

  it('answers something other than the service, which did its work', async () => {
    const task = await fixture.newTask();
    await fixture.upload(task);
    fixture.proxy.script([{ operation: 'convert', fault: { ...answers.serverError, reachService: true } }]);
    expect((await fixture.convert(task)).status).toBe(500);
    expect(await lastCall()).toMatchObject({ serviceStatus: 200, status: 500 });
    expect((await countEngineWork(fixture.engine.dataDirectory)).get(task)).toBe(1);
  });
});

describe('a cut reply', () => {
  it('in its headers: no status reaches the client', async () => {
    fixture.proxy.script([{ fault: { kind: 'cut', in: 'reply-headers' } }]);
    const { all } = await openSocket(fixture.proxy.origin, 'GET /api/pagevoices HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const text = await all();
    expect(text).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(text).not.toContain('\r\n\r\n');
    const got = await downloadWith({ kind: 'cut', in: 'reply-headers' });
    expect([got.status, got.error]).toEqual([0, 'UND_ERR_SOCKET']);
    expect(await lastCall()).toMatchObject({ serviceStatus: 200, status: null, outcome: 'broken' });
  });

  it('in its body: half of the announced length, or as much as the rule says', async () => {
    const half = await downloadWith({ kind: 'cut', in: 'reply-body' });
    expect([half.status, half.error, length(half)]).toEqual([200, 'UND_ERR_SOCKET', whole.length]);
    expect(half.bytes.length).toBe(Math.floor(whole.length / 2));
    expect((await downloadWith({ kind: 'cut', in: 'reply-body', afterBytes: 10 })).bytes.length).toBe(10);
    const reset = await downloadWith({ kind: 'cut', in: 'reply-body', reset: true });
    expect([reset.status, reset.error]).toEqual([200, 'ECONNRESET']);
  });

  it('truncated with its full length announced', async () => {
    const got = await downloadWith({ kind: 'truncate', afterBytes: 1000, framing: 'length' });
    expect([got.status, length(got), got.bytes.length, got.error]).toEqual([200, whole.length, 1000, 'UND_ERR_SOCKET']);
    expect(got.bytes.equals(whole.subarray(0, 1000))).toBe(true);
    expect(await lastCall()).toMatchObject({ sentBytes: 1000, outcome: 'broken' });
  });

  it('truncated in chunks: short but apparently complete', async () => {
    const got = await downloadWith({ kind: 'truncate', afterBytes: 1000, framing: 'chunked' });
    expect([got.status, length(got), got.bytes.length, got.error]).toEqual([200, null, 1000, null]);
    expect(got.headers['transfer-encoding']).toBe('chunked');
    expect(await lastCall()).toMatchObject({ outcome: 'answered' });
  });

  it('with a length that is too large, and one that is too small', async () => {
    const large = await downloadWith({ kind: 'wrong-length', by: 10 });
    expect([length(large), large.bytes.length]).toEqual([whole.length + 10, whole.length]);
    expect(large.error).toBe('UND_ERR_SOCKET');
    const small = await downloadWith({ kind: 'wrong-length', by: -10 });
    expect([length(small), small.bytes.length, small.error]).toEqual([whole.length - 10, whole.length - 10, null]);
  });

  it('replaced by a page, declared as a page or as audio', async () => {
    const page = await downloadWith({ kind: 'html' });
    const disguised = await downloadWith({ kind: 'html', contentType: 'audio/wav' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html']);
    expect([disguised.status, disguised.headers['content-type']]).toEqual([200, 'audio/wav']);
    for (const got of [page, disguised]) {
      expect(got.bytes.toString()).toMatch(/^<!doctype html>/);
      expect(got.error).toBe(null);
    }
  });

  it('replaced by nothing', async () => {
    const got = await downloadWith({ kind: 'empty' });
    expect([got.status, length(got), got.bytes.length, got.error]).toEqual([200, 0, 0, null]);
    expect(got.headers['content-type']).toBe('audio/wav');
  });
});

describe('slow and silent replies', () => {
  it('a body arrives no faster than the rule says, and complete', async () => {
    const got = await downloadWith({ kind: 'slow', bytesPerSecond: whole.length * 5 });
    expect(got.bytes.equals(whole)).toBe(true);
    const { startedMs, endedMs } = await lastCall();
    expect((endedMs ?? 0) - startedMs).toBeGreaterThan(195);
  });

  it('silence before the headers, although the service has answered', async () => {
    const got = await downloadWith({ kind: 'stall', at: 'headers' }, { headersTimeout: 100 });
    expect([got.status, got.error]).toEqual([0, 'UND_ERR_HEADERS_TIMEOUT']);
    expect(await lastCall()).toMatchObject({ serviceStatus: 200, status: null, outcome: 'left' });
  });

  it('silence after so many bytes of the body', async () => {
    const got = await downloadWith({ kind: 'stall', at: 'body', afterBytes: 500 }, { bodyTimeout: 100 });
    expect([got.status, got.bytes.length, got.error]).toEqual([200, 500, 'UND_ERR_BODY_TIMEOUT']);
    expect(await lastCall()).toMatchObject({ status: 200, sentBytes: 500, outcome: 'left' });
    await fixture.proxy.socketsDownTo(0);
  });

  it('rules that wait do not decide: a later rule still does', async () => {
    const gate = Promise.withResolvers<undefined>();
    fixture.proxy.script([
      { fault: { kind: 'hold', at: 'reply', until: gate.promise } },
      { fault: { kind: 'latency', at: 'reply', ms: 80 } },
      { operation: 'download', fault: { kind: 'empty' } },
    ]);
    const asking = fixture.get(address);
    const call = await fixture.proxy.waitFor(
      ({ operation, outcome, serviceStatus }) =>
        operation === 'download' && outcome === 'open' && serviceStatus === 200,
    );
    expect(call.status).toBe(null);
    gate.resolve(undefined);
    expect((await asking).bytes.length).toBe(0);
    const { startedMs, endedMs } = await lastCall();
    expect((endedMs ?? 0) - startedMs).toBeGreaterThanOrEqual(79);
  });
});

describe('result addresses', () => {
  it.each([403, 404, 410] as const)('gone with %i, without a request to the engine', async (status) => {
    const got = await downloadWith({ kind: 'gone', status });
    expect(got.status).toBe(status);
    expect(jsonOf(got)).toMatchObject({ error: 'Not found.' });
    expect((await lastCall()).reachedService).toBe(false);
  });

  it('expire separately after the given number of answers', async () => {
    const other = await fixture.result();
    fixture.proxy.script([{ operation: 'download', fault: { kind: 'expire', after: 2 } }]);
    const statuses = async (of: string) => {
      const seen: number[] = [];
      for (let time = 0; time < 3; time += 1) seen.push((await fixture.get(of)).status);
      return seen;
    };
    expect(await statuses(address)).toEqual([200, 200, 410]);
    expect(await statuses(other)).toEqual([200, 200, 410]);
  });
});
