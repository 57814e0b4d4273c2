import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SpeechDelivery } from './speech-delivery.ts';
import { textAt } from './identify-call.ts';
import { startFaultProxy, type FaultProxy } from './start-fault-proxy.ts';
import { ask, jsonOf } from './http-client.ts';
import { startTestService, type TestService } from './test-service.ts';

const sound = Buffer.from('RIFF, and four hundred bytes of sound'.repeat(11));
const headers = { authorization: 'Bearer t' };
let service: TestService;
let spoken = 0;

/** Speaks as the engine does: `{message, data: {audioUrl}}`, and the result at its own address, for its token only. */
beforeAll(async () => {
  service = await startTestService((request, response, origin) => {
    request.resume();
    if (request.headers.authorization !== 'Bearer t') return void response.writeHead(401).end('{}');
    if (request.method === 'GET') {
      return void response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': sound.length }).end(sound);
    }
    spoken += 1;
    response.setHeader('content-type', 'application/json');
    if (request.headers['x-refuse']) return void response.writeHead(400).end('{"error": "Bad Request"}');
    const data = { audioUrl: `${origin}/results/${spoken}/speech.wav` };
    response.end(JSON.stringify({ message: 'spoken', data }));
  });
});
afterAll(() => service.stop());
beforeEach(() => {
  spoken = 0;
});

async function withDelivery<T>(delivery: SpeechDelivery, use: (proxy: FaultProxy) => Promise<T>): Promise<T> {
  const proxy = await startFaultProxy({ target: service.origin, delivery });
  try {
    return await use(proxy);
  } finally {
    await proxy.stop();
  }
}

const speak = (proxy: FaultProxy, more: Readonly<Record<string, string>> = {}) =>
  ask(`${proxy.origin}/api/fsmstexttospeech`, {
    method: 'POST',
    json: { speech: 'Good morning' },
    headers: { ...headers, ...more },
  });

describe('speech is delivered', () => {
  it.each([
    ['address', 'data.audioUrl'],
    ['message', 'message'],
    [{ path: 'payload.file.href' }, 'payload.file.href'],
  ] as const)('as an address at the proxy: %j', (delivery, path) =>
    withDelivery(delivery, async (proxy) => {
      const address = textAt(jsonOf(await speak(proxy)), path) ?? '';
      expect(address).toBe(`${proxy.origin}/results/1/speech.wav`);
      expect((await ask(address, { headers })).bytes.equals(sound)).toBe(true);
      await proxy.idle();
      expect(proxy.calls.map(({ operation, task, text }) => [operation, task, text])).toEqual([
        ['speech', '1', 'Good morning'],
        ['download', '1', null],
      ]);
    }),
  );

  it('as the body itself', () =>
    withDelivery('body', async (proxy) => {
      const got = await speak(proxy);
      expect([got.headers['content-type'], got.headers['content-length']]).toEqual(['audio/wav', String(sound.length)]);
      expect(got.bytes.equals(sound)).toBe(true);
      await proxy.idle();
      expect(proxy.calls).toMatchObject([{ operation: 'speech', task: '1', outcome: 'answered' }]);
    }));

  it('as base64 and without any address', () =>
    withDelivery('base64', async (proxy) => {
      const reply = jsonOf(await speak(proxy));
      expect(Buffer.from(textAt(reply, 'data.audio') ?? '', 'base64').equals(sound)).toBe(true);
      expect(JSON.stringify(reply)).not.toContain('http');
    }));
});

it.each(['address', 'body', 'message', 'base64', { path: 'a.b' }] as const)(
  'a refusal keeps the service’s wording: %j',
  (delivery) =>
    withDelivery(delivery, async (proxy) => {
      const got = await speak(proxy, { 'x-refuse': '1' });
      expect([got.status, jsonOf(got)]).toEqual([400, { error: 'Bad Request' }]);
    }),
);

describe('faults apply to what is delivered', () => {
  it('a truncated audio body', () =>
    withDelivery('body', async (proxy) => {
      proxy.script([{ operation: 'speech', fault: { kind: 'truncate', afterBytes: 100, framing: 'length' } }]);
      const got = await speak(proxy);
      expect([got.bytes.length, got.error]).toEqual([100, 'UND_ERR_SOCKET']);
    }));

  it('a page that claims to be audio', () =>
    withDelivery('body', async (proxy) => {
      proxy.script([{ operation: 'speech', fault: { kind: 'html', contentType: 'audio/wav' } }]);
      const got = await speak(proxy);
      expect([got.headers['content-type'], got.bytes.toString('latin1', 0, 9)]).toEqual(['audio/wav', '<!doctype']);
    }));

  it('a connection dropped before, and after: only then the service spoke', () =>
    withDelivery('body', async (proxy) => {
      proxy.script([
        { when: ({ text }) => text === 'Good morning', times: 1, fault: { kind: 'drop-before', at: 'body' } },
        { fault: { kind: 'drop-after' } },
      ]);
      expect([(await speak(proxy)).status, spoken]).toEqual([0, 0]);
      expect([(await speak(proxy)).status, spoken]).toEqual([0, 1]);
    }));
});
