import { describe, expect, it } from 'vitest';
import { replyJson } from '../../fakes/scripted-service.ts';
import { convertAudio } from './convert-audio.ts';
import { conversion, failure, useServices, neverArrived } from './service.fixture.ts';

const { signal } = new AbortController();
const { http, start } = useServices();

describe('convert', () => {
  it('sends exactly the fields of the interface', async () => {
    const service = await start((_, response) =>
      replyJson(response, { status: 'success', message: 'ok', data: { audioUrl: '/x', processingTime: 12 } }),
    );
    const connection = service.connection();
    const converted = await convertAudio(http(), connection, conversion, signal);
    expect(converted).toEqual({ audioUrl: '/x', processingTime: 12 });
    expect(JSON.parse(String(service.requests[0]?.body))).toEqual({
      uuid: 't 1',
      voice: 'v',
      pitch: 1.5,
      speed: 0.8,
      from: 'fv-file-changer',
      outputFormat: '.mp3',
      audioName: 'n',
      platform: '',
      pitch_control: '',
      operation: 'FVC',
      engine: 'v7',
      auto_f0_adjust: true,
    });
  });

  it('has a connection of its own, which ends with it', async () => {
    const service = await start((_, response) => {
      // A client that kept the connection would keep it for ten minutes.
      response.setHeader('keep-alive', 'timeout=600');
      replyJson(response, { data: { audioUrl: '/x' } });
    });
    for (let turn = 0; turn < 6; turn += 1) await convertAudio(http(), service.connection(), conversion, signal);
    expect(service.accepted()).toBe(6);
    await service.deserted();
  });

  it('waits for its reply longer than any stall', async () => {
    const service = await start((_, response) => {
      // undici looks at its clock once a second.
      setTimeout(() => replyJson(response, { data: { audioUrl: '/x' } }), 2500);
    });
    const connection = service.connection({ timeouts: { connectMs: 10_000, stallMs: 20, convertMs: 60_000 } });
    expect((await convertAudio(http(), connection, conversion, signal)).audioUrl).toBe('/x');
  });

  it('waits for its reply no longer than converting may take', async () => {
    const service = await start(() => undefined);
    const connection = service.connection({ timeouts: { connectMs: 10_000, stallMs: 10_000, convertMs: 50 } });
    const error = await failure(convertAudio(http(), connection, conversion, signal));
    expect([error.code, neverArrived(error)]).toEqual(['network/timeout', false]);
    await service.deserted();
  });

  it('ends after the time for converting even where its reply has begun', async () => {
    const service = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '.repeat(2000)), 10);
      response.once('close', () => clearInterval(drip));
    });
    const connection = service.connection({ timeouts: { connectMs: 10_000, stallMs: 10_000, convertMs: 300 } });
    expect((await failure(convertAudio(http(), connection, conversion, signal))).code).toBe('network/timeout');
    await service.deserted();
  });
});
