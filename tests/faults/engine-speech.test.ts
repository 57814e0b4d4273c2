import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SpeechDelivery } from './speech-delivery.ts';
import { textAt } from './identify-call.ts';
import { countEngineWork } from './engine-work.ts';
import { authorization, startProxiedEngine, type ProxiedEngine } from './proxied-engine.ts';
import { startFaultProxy, type FaultProxy } from './start-fault-proxy.ts';
import { ask, jsonOf } from './http-client.ts';

let fixture: ProxiedEngine;

beforeAll(async () => {
  fixture = await startProxiedEngine();
});
afterAll(() => fixture.stop());

const headers = { authorization };

const speak = ({ origin }: FaultProxy, speech: string) =>
  ask(`${origin}/api/fsmstexttospeech`, {
    method: 'POST',
    headers,
    json: {
      AppId: '107',
      FeatureId: '22',
      speech,
      voice: 'low-bronze',
      Parameter: { Speed: '1.0', LanguageCode: 'en-US', Pitch: '1.0' },
      engine: 'v5',
      platform: 'web',
    },
  });

async function withDelivery<T>(delivery: SpeechDelivery, use: (proxy: FaultProxy) => Promise<T>): Promise<T> {
  const proxy = await startFaultProxy({ target: fixture.engine.origin, delivery });
  try {
    return await use(proxy);
  } finally {
    await proxy.stop();
  }
}

it('reaches the client as the same audio in each way, and is spoken once', async () => {
  const text = 'One sound, five ways.';
  const download = async (address: string | null) => (await ask(address ?? '', { headers })).bytes;
  const sounds = [
    await withDelivery('address', async (proxy) => download(textAt(jsonOf(await speak(proxy, text)), 'data.audioUrl'))),
    await withDelivery('message', async (proxy) => download(textAt(jsonOf(await speak(proxy, text)), 'message'))),
    await withDelivery({ path: 'x.href' }, async (proxy) =>
      download(textAt(jsonOf(await speak(proxy, text)), 'x.href')),
    ),
    await withDelivery('body', async (proxy) => (await speak(proxy, text)).bytes),
    await withDelivery('base64', async (proxy) =>
      Buffer.from(textAt(jsonOf(await speak(proxy, text)), 'data.audio') ?? '', 'base64'),
    ),
  ];
  expect(sounds[0]?.toString('latin1', 0, 4)).toBe('RIFF');
  expect(sounds.map((sound) => sound.equals(sounds[0] ?? Buffer.alloc(0)))).toEqual(sounds.map(() => true));
  expect([...(await countEngineWork(fixture.engine.dataDirectory)).values()]).toEqual([1]);
});

it('is identified by its text, and after the reply by its task, as is its download', () =>
  withDelivery('address', async (proxy) => {
    const text = 'Two calls of one task.';
    const address = textAt(jsonOf(await speak(proxy, text)), 'data.audioUrl') ?? '';
    await ask(address, { headers });
    await proxy.idle();
    const [spoken, fetched] = proxy.calls;
    expect([spoken?.operation, spoken?.text, fetched?.operation]).toEqual(['speech', text, 'download']);
    expect(spoken?.task).toMatch(/^[0-9a-f-]{36}$/);
    expect(fetched?.task).toBe(spoken?.task);
    expect((await countEngineWork(fixture.engine.dataDirectory)).get(spoken?.task ?? '')).toBe(1);
  }));

it('counts as spoken if the reply is lost, and not if the request is', () =>
  withDelivery('body', async (proxy) => {
    const before = (await countEngineWork(fixture.engine.dataDirectory)).size;
    proxy.script([{ times: 1, fault: { kind: 'drop-before', at: 'body' } }, { fault: { kind: 'drop-after' } }]);
    await speak(proxy, 'A lost request.');
    expect((await countEngineWork(fixture.engine.dataDirectory)).size).toBe(before);
    await speak(proxy, 'A lost reply.');
    expect((await countEngineWork(fixture.engine.dataDirectory)).size).toBe(before + 1);
  }));
