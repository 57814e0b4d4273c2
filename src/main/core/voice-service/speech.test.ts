import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startTestEngine, testToken } from '../../../engine/engine.fixture.ts';
import { detectFormat } from '../../../sound/detect-format.ts';
import { buzz, encoded } from '../../../sound/sound.fixture.ts';
import { createHttp } from './http.ts';
import { replyJson } from './scripted-service.fixture.ts';
import { failure, neverArrived, useServices } from './service.fixture.ts';
import { findSound, isSoundItself, speakText, type Speech } from './speech.ts';
import { createServiceClient } from './service-client.ts';

describe('speakText', async () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();
  const wav = Buffer.from(await encoded('wav', [buzz(150, 2, 22_050)], 22_050));
  const address = 'https://a.example/x.mp3';

  /** A speech that keeps what it is given. */
  function listening(change: Partial<Speech> = {}) {
    const chunks: Buffer[] = [];
    const progress: (readonly [number, number | null])[] = [];
    const speech: Speech = {
      text: 'Guten Tag',
      voice: 'v 1',
      language: 'de-DE',
      speed: 1,
      pitch: 0.85,
      engine: 'v5',
      platform: 'mac',
      write: (chunk) => {
        chunks.push(chunk);
        return Promise.resolve();
      },
      onProgress: (received, total) => progress.push([received, total]),
      ...change,
    };
    return { speech, received: () => Buffer.concat(chunks), progress };
  }
  const sendSound = (response: ServerResponse, headers: Readonly<Record<string, string | number>>, body = wav) =>
    void response.writeHead(200, headers).end(body);

  describe('speech', () => {
    it('sends exactly the fields of the interface, numbers as decimals with a point, and receives the address', async () => {
      const service = await start((_, response) =>
        replyJson(response, { message: 'Done.', data: { audioUrl: address } }),
      );
      const { speech, received } = listening();
      const spoken = await createServiceClient(http(), service.connection()).speakText(speech, signal);
      expect(spoken).toEqual({ kind: 'address', audioUrl: address, message: 'Done.' });
      expect(received()).toHaveLength(0);
      const [request] = service.requests;
      expect(request).toMatchObject({ method: 'POST', url: '/api/fsmstexttospeech' });
      expect(request?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
      expect(JSON.parse(String(request?.body))).toEqual({
        AppId: '107',
        FeatureId: '22',
        speech: 'Guten Tag',
        voice: 'v 1',
        Parameter: { Speed: '1.0', LanguageCode: 'de-DE', Pitch: '0.85' },
        engine: 'v5',
        platform: 'mac',
      });
    });

    it('puts engine and platform into Parameter if the connection says so', async () => {
      const service = await start((_, response) => replyJson(response, { url: address }));
      await speakText(http(), service.connection({ speechPlacement: 'Parameter' }), listening().speech, signal);
      const body = JSON.parse(String(service.requests[0]?.body)) as object;
      expect(body).toMatchObject({ Parameter: { engine: 'v5', platform: 'mac' } });
      expect(body).not.toHaveProperty('engine');
    });

    it.each([
      [1, '1.0'],
      [10, '10.0'],
      [0.5, '0.5'],
      [1.25, '1.25'],
      [1 / 3, '0.333333'],
      [0.1 + 0.2, '0.3'],
      [1e-7, '0.0'],
      [1e6, '1000000.0'],
    ])('formats %d as %s', async (speed, text) => {
      const service = await start((_, response) => replyJson(response, { url: address }));
      await speakText(http(), service.connection(), listening({ speed }).speech, signal);
      expect(JSON.parse(String(service.requests[0]?.body))).toMatchObject({ Parameter: { Speed: text } });
    });

    it('is found in a reply with a byte order mark, which some servers put in front', async () => {
      const service = await start((_, response) => {
        const body = `\ufeff${JSON.stringify({ message: 'Done.', data: { audioUrl: address } })}`;
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      const spoken = await speakText(http(), service.connection(), listening().speech, signal);
      expect(spoken).toEqual({ kind: 'address', audioUrl: address, message: 'Done.' });
    });

    it('is kept although the reply has a warning', async () => {
      const reply = { error: 'Clipped', details: 'Twice.', data: { audioUrl: address } };
      const service = await start((_, response) => replyJson(response, reply));
      const spoken = await speakText(http(), service.connection(), listening().speech, signal);
      expect(spoken).toEqual({ kind: 'address', audioUrl: address, message: null });
    });

    it('may have an address that is relative to the host that was called', async () => {
      const service = await start((_, response) => replyJson(response, { data: { audioUrl: '/results/1.wav' } }));
      const hosts = { ...service.connection().document.hosts, voice: 'https://voice.test', converter: service.origin };
      const spoken = await speakText(http(), service.connection({ hosts }), listening().speech, signal);
      expect(spoken).toMatchObject({ kind: 'address', audioUrl: `${service.origin}/results/1.wav` });
    });

    it('uses a connection of its own that is closed afterwards', async () => {
      const service = await start((_, response) => sendSound(response, { 'content-type': 'audio/wav' }));
      await speakText(http(), service.connection(), listening().speech, signal);
      await speakText(http(), service.connection(), listening().speech, signal);
      expect(service.accepted()).toBe(2);
      await service.deserted();
    });

    it('waits for its reply longer than the stall timeout, but no longer than the conversion timeout', async () => {
      const service = await start((_, response) => {
        setTimeout(() => replyJson(response, { url: address }), 200);
      });
      const timeouts = { connectMs: 10_000, stallMs: 20, convertMs: 60_000 };
      expect(await speakText(http(), service.connection({ timeouts }), listening().speech, signal)).toMatchObject({
        kind: 'address',
      });
      const silent = await start(() => undefined);
      const hasty = silent.connection({ timeouts: { ...timeouts, convertMs: 50 } });
      const error = await failure(speakText(http(), hasty, listening().speech, signal));
      expect([error.code, neverArrived(error)]).toEqual(['network/timeout', false]);
    });
  });

  describe('audio in the reply', () => {
    it.each([
      ['auto', 'audio/wav'],
      ['auto', 'application/octet-stream'],
      ['body', 'application/octet-stream'],
      ['body', 'audio/mpeg'],
      ['data.audioUrl', 'audio/wav'],
    ])('is written while it arrives (delivery %s, %s)', async (speechDelivery, type) => {
      const service = await start((_, response) =>
        sendSound(response, { 'content-type': type, 'content-length': wav.length }),
      );
      const { speech, received, progress } = listening();
      const spoken = await speakText(http(), service.connection({ speechDelivery }), speech, signal);
      expect(spoken).toEqual({ kind: 'audio', message: null });
      expect(received().equals(wav)).toBe(true);
      expect(progress[0]).toEqual([0, wav.length]);
      expect(progress.at(-1)).toEqual([wav.length, wav.length]);
    });

    it('may have no announced length', async () => {
      const service = await start((_, response) => sendSound(response, { 'content-type': 'audio/wav' }));
      const { speech, received, progress } = listening();
      await speakText(http(), service.connection(), speech, signal);
      expect(received().equals(wav)).toBe(true);
      expect(progress.at(-1)).toEqual([wav.length, null]);
    });

    it.each([
      ['auto', { audio: wav.toString('base64'), message: 'Here.' }],
      ['auto', { data: { audio: `data:audio/wav;base64,${wav.toString('base64')}` }, message: 'Here.' }],
      ['result.sound', { result: { sound: wav.toString('base64') }, message: 'Here.' }],
    ])('is decoded from base64 (delivery %s)', async (speechDelivery, body) => {
      const service = await start((_, response) => replyJson(response, body));
      const { speech, received, progress } = listening();
      const spoken = await speakText(http(), service.connection({ speechDelivery }), speech, signal);
      expect(spoken).toEqual({ kind: 'audio', message: 'Here.' });
      expect(received().equals(wav)).toBe(true);
      expect(progress).toEqual([[wav.length, wav.length]]);
    });

    it.each([
      ['shorter than its length', { 'content-length': wav.length + 1 }],
      ['without the end of its chunks', {}],
    ])('that is incomplete (%s) is reported as cut, after a call that may have been charged', async (_, headers) => {
      for (const type of ['audio/wav', 'application/json']) {
        const service = await start((_request, response) => {
          response.writeHead(200, { 'content-type': type, ...headers });
          response.write(type === 'audio/wav' ? wav : '{"message":"Do', () => response.destroy());
        });
        const error = await failure(speakText(http(), service.connection(), listening().speech, signal));
        expect([error.code, neverArrived(error)]).toEqual(['network/cut', false]);
      }
    });

    it('that stalls is a timeout', async () => {
      const service = await start((_, response) => {
        response.writeHead(200, { 'content-type': 'audio/wav' }).write(wav);
      });
      const connection = service.connection({ timeouts: { connectMs: 10_000, stallMs: 50, convertMs: 10_000 } });
      expect((await failure(speakText(http(), connection, listening().speech, signal))).code).toBe('network/timeout');
      await service.deserted();
    });

    it('that cannot be written ends the call with that error', async () => {
      const service = await start((_, response) => sendSound(response, { 'content-type': 'audio/wav' }));
      const full = new Error('the disk is full');
      const { speech } = listening({ write: () => Promise.reject(full) });
      expect(await failure(speakText(http(), service.connection(), speech, signal))).toBe(full);
      await service.deserted();
    });

    it('ends with the reason of its signal', async () => {
      const service = await start((_, response) => {
        response.writeHead(200, { 'content-type': 'audio/wav' }).write(wav);
      });
      const controller = new AbortController();
      const { speech } = listening({
        write: () => {
          controller.abort(new Error('enough'));
          return Promise.resolve();
        },
      });
      expect(String(await failure(speakText(http(), service.connection(), speech, controller.signal)))).toContain(
        'enough',
      );
      await service.deserted();
    });
  });

  describe('a reply without audio', () => {
    it.each([
      ['an error whatever its status', 200, { error: 'Bad Request' }, 'service/refused', 'Bad Request'],
      ['an error with details', 400, { error: 'Bad Request', details: 'No.' }, 'service/refused', 'Bad Request No.'],
      ['a missing payment', 402, {}, 'quota/used-up', undefined],
      ['a refused token', 401, { error: 'No.' }, 'auth/refused', 'No.'],
      ['an error even where there is an address', 500, { url: address }, 'service/unavailable', undefined],
    ])('is %s', async (_, status, body, code, words) => {
      const service = await start((_request, response) => replyJson(response, body, status));
      const error = await failure(speakText(http(), service.connection(), listening().speech, signal));
      expect([error.code, error.problem.words]).toEqual([code, words]);
    });

    it.each(['auto', 'body', 'message', 'data.audioUrl'])('is quoted (delivery %s)', async (speechDelivery) => {
      const service = await start((_, response) => replyJson(response, { message: 'Your speech is on its way.' }));
      const { problem } = await failure(
        speakText(http(), service.connection({ speechDelivery }), listening().speech, signal),
      );
      expect(problem).toMatchObject({ code: 'service/no-audio', facts: { status: 200 } });
      expect(problem.words).toBe('{"message":"Your speech is on its way."}');
    });

    it('is quoted without control characters', async () => {
      const service = await start((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>\n\t\u0000${'😀'.repeat(5000)}`);
      });
      const { problem } = await failure(speakText(http(), service.connection(), listening().speech, signal));
      expect(problem.code).toBe('service/no-audio');
      expect(problem.words).toMatch(/^<p> 😀/u);
    });

    it('may be empty, or use an unknown compression', async () => {
      const empty = await start((_, response) => sendSound(response, { 'content-type': 'audio/wav' }, Buffer.alloc(0)));
      expect((await failure(speakText(http(), empty.connection(), listening().speech, signal))).code).toBe(
        'service/no-audio',
      );
      const packed = await start((_, response) =>
        sendSound(response, { 'content-type': 'audio/wav', 'content-encoding': 'compress' }),
      );
      expect((await failure(speakText(http(), packed.connection(), listening().speech, signal))).problem).toMatchObject(
        {
          code: 'service/no-audio',
          words: 'content-encoding: compress',
        },
      );
    });
  });

  describe('blanks, with which a service keeps the connection from being taken for idle', () => {
    const blanks = (response: ServerResponse, end: () => void, count: number) => {
      let left = count;
      const more = setInterval(() => {
        left -= 1;
        if (left > 0) return void response.write(' ');
        clearInterval(more);
        end();
      }, 100);
      response.once('close', () => clearInterval(more));
    };

    it('are waited through', async () => {
      const service = await start((_, response) =>
        blanks(response, () => response.end(JSON.stringify({ url: address })), 15),
      );
      const timeouts = { connectMs: 10_000, stallMs: 1000, convertMs: 60_000 };
      const spoken = await speakText(http(), service.connection({ timeouts }), listening().speech, signal);
      expect(spoken).toMatchObject({ audioUrl: address });
    });

    it('are not waited for longer than the conversion timeout', async () => {
      const service = await start((_, response) => blanks(response, () => undefined, Infinity));
      const timeouts = { connectMs: 10_000, stallMs: 1000, convertMs: 300 };
      const call = speakText(http(), service.connection({ timeouts }), listening().speech, signal);
      expect((await failure(call)).code).toBe('network/timeout');
    });
  });

  describe('a text', () => {
    it('that is empty or too long is not sent', async () => {
      const service = await start((_, response) => replyJson(response, { url: address }));
      const limits = {
        maxUploadBytes: null,
        maxTextLength: 5,
        maxSeconds: null,
        maxConcurrent: 4,
        requestsPerMinute: null,
      };
      const connection = service.connection({ limits });
      const say = (text: string) => speakText(http(), connection, listening({ text }).speech, signal);
      expect((await failure(say(' \n'))).code).toBe('input/text-empty');
      expect((await failure(say('123456'))).problem).toMatchObject({
        code: 'input/text-too-long',
        facts: { limitCharacters: 5, actualCharacters: 6 },
      });
      expect(service.requests).toHaveLength(0);
      await say('😀😀😀😀😀');
      expect(service.requests).toHaveLength(1);
    });
  });

  describe('speech by the local engine', () => {
    it('is synthesized, downloaded as audio, and rejected as the interface specifies', async () => {
      const engine = await startTestEngine();
      const client = createHttp();
      try {
        const hosts = {
          voice: engine.origin,
          upload: engine.origin,
          converter: engine.origin,
          models: engine.origin,
          sample: engine.origin,
        };
        const service = createServiceClient(client, (await start(() => undefined)).connection({ hosts }, testToken));
        const { speech, received } = listening({ voice: 'low-bronze', language: 'en-US' });
        const spoken = await service.speakText(speech, signal);
        if (spoken.kind !== 'address') expect.unreachable('the engine answers with an address');
        else
          await service.downloadResult(
            { audioUrl: spoken.audioUrl, write: speech.write, onProgress: () => undefined },
            signal,
          );
        expect(detectFormat(received())).toBe('wav');
        const refused = await failure(service.speakText({ ...speech, voice: 'nobody' }, signal));
        expect(refused.problem).toMatchObject({ code: 'service/refused', words: 'Bad Request' });
      } finally {
        await client.close();
        await engine.remove();
      }
    });
  });
});

describe('findSound', async () => {
  const wav = Buffer.from(await encoded('wav', [buzz(150, 0.1, 22_050)], 22_050));
  const mp3 = Buffer.from(await encoded('mp3', [buzz(150, 0.5, 22_050)], 22_050));
  const address = 'https://a.example/x.mp3?sig=1';
  const at = (audioUrl: string, message: string | null = null) => ({ kind: 'address', audioUrl, message });
  const bytes = (sound: Buffer, message: string | null = null) => ({ kind: 'bytes', bytes: sound, message });

  describe('automatic delivery', () => {
    it.each<readonly [unknown, unknown]>([
      [{ message: 'Done.', data: { audioUrl: address } }, at(address, 'Done.')],
      [{ audioUrl: address }, at(address)],
      [{ data: { url: address } }, at(address)],
      [{ url: ` ${address}\n` }, at(address)],
      [{ message: address }, at(address)],
      [{ audioUrl: 'https://a.example/Good evening.mp3' }, at('https://a.example/Good evening.mp3')],
      [{ data: { audioUrl: '//a.example:8443/x.mp3' } }, at('//a.example:8443/x.mp3')],
      [{ message: address, data: { audioUrl: 'http://b.example/' } }, at('http://b.example/', address)],
      [{ audio: wav.toString('base64'), message: 'Here.' }, bytes(wav, 'Here.')],
      [{ data: { audio: mp3.toString('base64') } }, bytes(mp3)],
      [{ audio: `data:audio/wav;base64,${wav.toString('base64')}` }, bytes(wav)],
      [{ audio: wav.toString('base64url') }, bytes(wav)],
      [{ audio: wav.toString('base64').replace(/.{76}/g, '$&\r\n') }, bytes(wav)],
      [{ audio: wav.toString('base64'), data: { audioUrl: address } }, at(address)],
    ])('finds the audio in reply %#', (body, found) => {
      expect(findSound(body, 'auto')).toEqual(found);
    });

    it.each<readonly [unknown]>([
      [undefined],
      [null],
      ['text'],
      [[]],
      [{}],
      [{ message: 'Done.' }],
      [{ message: `Listen at ${address}` }],
      [{ message: 'https://' }],
      [{ data: { audioUrl: 'relative.wav' } }],
      [{ message: `${address} is ready.` }],
      [{ data: { audioUrl: '//a.example' } }],
      [{ data: { audioUrl: '//uQxAAAAAANIAAAAAExBTUUzLjEwMFVV' } }],
      [{ data: { audioUrl: 'ftp://a.example/x' } }],
      [{ data: { audioUrl: 5 } }],
      [{ audio: 'yes' }],
      [{ audio: Buffer.from('not sound at all').toString('base64') }],
      [{ audio: '' }],
    ])('finds no audio in %j', (body) => {
      expect(findSound(body, 'auto')).toBeUndefined();
    });
  });

  describe('delivery from a named field', () => {
    it('reads that field only', () => {
      const body = {
        message: 'Done.',
        result: { file: address, sound: wav.toString('base64') },
        url: 'https://wrong.example',
      };
      expect(findSound(body, 'result.file')).toEqual(at(address, 'Done.'));
      expect(findSound(body, 'result.sound')).toEqual(bytes(wav, 'Done.'));
      expect(findSound(body, 'result.none')).toBeUndefined();
      expect(findSound(body, 'message')).toBeUndefined();
      expect(findSound({ message: address }, 'message')).toEqual(at(address));
      expect(findSound(body, 'constructor.name')).toBeUndefined();
      expect(findSound({ list: [{ href: address }] }, 'list.0.href')).toEqual(at(address));
    });
  });

  describe('a reply that is audio itself', () => {
    it.each<readonly [string, Buffer, string, string, boolean]>([
      ['sound as such', wav, 'audio/wav', 'auto', true],
      ['sound under a wrong type', mp3, 'text/plain', 'auto', true],
      ['sound where an address was expected', wav, 'application/octet-stream', 'data.audioUrl', true],
      ['an unknown format of an audio type', Buffer.from([1, 2, 3]), 'audio/x-new', 'auto', true],
      [
        'unknown bytes where the body was said to be it',
        Buffer.from([1, 2, 3]),
        'application/octet-stream',
        'body',
        true,
      ],
      ['unknown bytes', Buffer.from([1, 2, 3]), 'application/octet-stream', 'auto', false],
      ['an error under an audio type', Buffer.from('{"error":"no"}'), 'audio/mpeg', 'body', false],
      ['a page', Buffer.from('\n<!doctype html>'), 'audio/mpeg', 'body', false],
      ['a text', Buffer.from('no'), 'text/plain', 'body', false],
      ['nothing', Buffer.alloc(0), 'audio/wav', 'body', false],
    ])('%s', (_, head, contentType, delivery, isSound) => {
      expect(isSoundItself(head, contentType, delivery)).toBe(isSound);
    });
  });
});
