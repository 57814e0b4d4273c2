import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeSound } from '../../sound/decode-sound.ts';
import { medianF0 } from '../../sound/median-f0.ts';
import { joinBlocks } from '../../sound/pcm-block.ts';
import { findVoice } from '../catalogue.ts';
import { startTestEngine, type TestEngine } from '../engine.fixture.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.remove());

const text = 'Leave the lantern in the window. Whoever is late tonight will be glad of it.';
const body = {
  AppId: '107',
  FeatureId: '22',
  speech: text,
  voice: 'low-bronze',
  Parameter: { Speed: '1.0', LanguageCode: 'en-US', Pitch: '1.0' },
  engine: 'v5',
  platform: 'web',
};
type Body = Readonly<Record<string, unknown>>;
const speak = (change: Body = {}) => engine.call('POST', '/api/fsmstexttospeech', { ...body, ...change });
const withParameter = (change: Body) => ({ Parameter: { ...body.Parameter, ...change } });
const urlOf = ({ body: reply }: { readonly body: unknown }) =>
  (reply as { readonly data: { readonly audioUrl: string } }).data.audioUrl;

async function soundOf(reply: { readonly body: unknown }) {
  const response = await engine.download(urlOf(reply));
  expect(response.headers.get('content-type')).toBe('audio/wav');
  // A file of its own: tests read two sounds at once.
  const path = join(engine.dataDirectory, `${randomUUID()}.wav`);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  const blocks = [];
  let sampleRate = 0;
  for await (const block of decodeSound(path)) {
    blocks.push(block.channels);
    sampleRate = block.sampleRate;
  }
  const [sound = new Float32Array(0)] = joinBlocks(blocks);
  return { seconds: sound.length / sampleRate, f0Hz: medianF0(sound, sampleRate) ?? 0 };
}
const spoken = async (change: Body = {}) => {
  const reply = await speak(change);
  expect(reply.status).toBe(200);
  return soundOf(reply);
};

const soundRunsOf = async (audioUrl: string): Promise<unknown> => {
  const [, , id = ''] = new URL(audioUrl).pathname.split('/');
  const record = await readFile(join(engine.dataDirectory, 'engine', 'speech', id, 'task.json'), 'utf8');
  return (JSON.parse(record) as { readonly soundRuns: unknown }).soundRuns;
};

describe('speech', () => {
  it('replies with a message and the address of audio in the requested voice', async () => {
    const reply = await speak();
    expect(reply).toEqual({
      status: 200,
      body: {
        message: expect.any(String) as string,
        data: { audioUrl: expect.stringMatching(`^${engine.origin}/speech/.*\\.wav$`) as string },
      },
    });
    for (const voice of ['low-bronze', 'bright-reed']) {
      const { seconds, f0Hz } = await spoken({ voice });
      expect(seconds).toBeGreaterThan(3);
      expect(seconds).toBeLessThan(7);
      expect(f0Hz / (findVoice(voice)?.targetF0Hz ?? 0)).toBeCloseTo(1, 0);
      expect(Math.abs(12 * Math.log2(f0Hz / (findVoice(voice)?.targetF0Hz ?? 0)))).toBeLessThan(2);
    }
  });

  it('follows Speed and Pitch', async () => {
    const plain = await spoken();
    const fast = await spoken(withParameter({ Speed: '2' }));
    const slow = await spoken(withParameter({ Speed: '0.4' }));
    const high = await spoken(withParameter({ Pitch: '1.5' }));
    expect(plain.seconds / fast.seconds).toBeGreaterThan(1.6);
    expect(plain.seconds / fast.seconds).toBeLessThan(2.5);
    expect(slow.seconds / plain.seconds).toBeGreaterThan(2);
    expect(slow.seconds / plain.seconds).toBeLessThan(3.2);
    expect(high.f0Hz / plain.f0Hz).toBeGreaterThan(1.35);
    expect(high.f0Hz / plain.f0Hz).toBeLessThan(1.65);
  });

  it('uses the language of the voice, or the requested one', async () => {
    const own = await spoken({ speech: '77', ...withParameter({ LanguageCode: undefined }) });
    const english = await spoken({ speech: '77', ...withParameter({ LanguageCode: 'en-US' }) });
    const german = await spoken({ speech: '77', ...withParameter({ LanguageCode: 'de' }) });
    expect(own.seconds).toBe(english.seconds);
    expect(german.seconds).not.toBe(english.seconds);
  });

  it.each([
    ['another script', 'Привет, мир. Добрый вечер.'],
    ['a picture in it', 'Good evening 😀 to all of you.'],
  ])('speaks a text with %s in the same voice', async (_, speech) => {
    const { seconds, f0Hz } = await spoken({ speech, voice: 'bright-reed' });
    expect(seconds).toBeGreaterThan(1);
    expect(Math.abs(12 * Math.log2(f0Hz / (findVoice('bright-reed')?.targetF0Hz ?? 0)))).toBeLessThan(2);
  });

  it.each(['v1', 'v5', 'v7'])('accepts engine %s, in the body or in Parameter', async (name) => {
    const given = { engine: undefined, platform: undefined, speech: name };
    const inBody = await speak({ ...given, engine: name, platform: 'phone' });
    const inParameter = await speak({ ...given, ...withParameter({ engine: name, platform: 'mac' }) });
    expect([inBody.status, inParameter.status]).toEqual([200, 200]);
    expect(urlOf(inParameter)).toBe(urlOf(inBody));
  });

  it('treats any text as plain text', async () => {
    const tags = await spoken({ speech: 'one <break time="30s"/> two' });
    expect(tags.seconds).toBeLessThan(10);
    const [left, right] = await Promise.all([
      spoken({ speech: 'a [[h@l@U]] b & c < d' }),
      spoken({ speech: 'a \u0001 b \u0000 c \ud800' }),
    ]);
    expect(left.seconds).toBeGreaterThan(1);
    expect(right.seconds).toBeGreaterThan(0.5);
  });

  it.each<readonly [string, Body]>([
    ['no text', { speech: undefined }],
    ['empty text', { speech: '' }],
    ['blank text', { speech: ' \n\t ' }],
    ['text that is none', { speech: 5 }],
    ['no voice', { voice: undefined }],
    ['an unknown voice', { voice: 'nobody' }],
    ['a number for Speed', withParameter({ Speed: 1 })],
    ['a comma in Speed', withParameter({ Speed: '1,5' })],
    ['an exponent in Pitch', withParameter({ Pitch: '1e0' })],
    ['Speed 0', withParameter({ Speed: '0' })],
    ['a Pitch that is too high', withParameter({ Pitch: '11' })],
    ['an empty Pitch', withParameter({ Pitch: '' })],
    ['a language that nobody speaks', withParameter({ LanguageCode: 'xx-XX' })],
    ['an unknown engine', { engine: 'v6' }],
    ['an unknown platform', { platform: 'amiga' }],
    ['another app', { AppId: '108' }],
    ['another feature', { FeatureId: 22 }],
    ['a Parameter that is none', { Parameter: 'fast' }],
  ])('rejects %s with Bad Request only', async (_, change) => {
    expect(await speak(change)).toEqual({ status: 400, body: { error: 'Bad Request' } });
  });

  it('computes equal requests once, in sequence and concurrently', async () => {
    const asked = { speech: 'Once is enough.' };
    const replies = await Promise.all([speak(asked), speak(asked), speak(asked)]);
    const urls = new Set([...replies, await speak({ ...asked, platform: 'win' })].map(urlOf));
    expect(urls.size).toBe(1);
    expect(await soundRunsOf([...urls][0] ?? '')).toBe(1);
    expect(urlOf(await speak({ ...asked, ...withParameter({ Speed: '1.1' }) }))).not.toBe([...urls][0]);
  });

  it('replies with the stored result after a restart', async () => {
    const before = urlOf(await speak());
    await engine.stop();
    engine = await startTestEngine({ dataDirectory: engine.dataDirectory });
    const after = urlOf(await speak());
    expect(new URL(after).pathname).toBe(new URL(before).pathname);
    expect(await soundRunsOf(after)).toBe(1);
  });

  it('handles other requests while it speaks 20,000 characters', async () => {
    const long = 'The harbour wakes before the town does. '.repeat(500);
    expect(long.length).toBe(20_000);
    const speech = spoken({ speech: long, ...withParameter({ Speed: '10' }) });
    const first = await Promise.race([
      speech.then(() => 'speech'),
      engine.call('GET', '/api/pagevoices').then(() => 'voices'),
    ]);
    expect(first).toBe('voices');
    expect((await speech).seconds).toBeGreaterThan(60);
  });
});
