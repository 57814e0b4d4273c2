import { describe, expect, it } from 'vitest';
import { replyJson } from '../../fakes/scripted-service.ts';
import { failure, useServices } from './service.fixture.ts';
import { voiceDetail } from './voice-detail.ts';

const { signal } = new AbortController();
const { http, start } = useServices();

const detail = {
  status: 'success',
  voiceId: 'a/b ü?#%',
  name: 'N',
  gender: 'female',
  language: 'de-DE',
  category: 'natural',
  description: 'Warm.',
  additionalDetails: { pitch: '0.5-2', speed: '1', supportedFormats: ['wav', 'mp3'] },
};

describe('voice detail', () => {
  it('asks for exactly that voice, with the connection’s own query name, and reads every field', async () => {
    const service = await start((_, response) => replyJson(response, detail));
    const connection = service.connection({ voiceDetailQuery: 'voice' });
    expect(await voiceDetail(http(), connection, 'a/b ü?#%', signal)).toEqual({
      voiceId: 'a/b ü?#%',
      name: 'N',
      gender: 'female',
      language: 'de-DE',
      category: 'natural',
      description: 'Warm.',
      pitch: '0.5-2',
      speed: '1',
      supportedFormats: ['wav', 'mp3'],
    });
    const [request] = service.requests;
    expect(new URL(request?.url ?? '', service.origin).searchParams.get('voice')).toBe('a/b ü?#%');
    expect(request?.headers.authorization).toBe('Bearer secret');
  });

  it('sends no token where the connection says that none belongs there', async () => {
    const service = await start((_, response) => replyJson(response, detail));
    await voiceDetail(http(), service.connection({ voiceDetailAuthorized: false }), 'v', signal);
    expect(service.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('does without what a service leaves out', async () => {
    const { description, additionalDetails, status, ...bare } = detail;
    expect([description, additionalDetails, status]).not.toContain(undefined);
    const service = await start((_, response) => replyJson(response, bare));
    expect(await voiceDetail(http(), service.connection(), 'v', signal)).toMatchObject({
      description: '',
      pitch: null,
      speed: null,
      supportedFormats: [],
    });
  });

  it('hands on what the service says of a voice that it does not have', async () => {
    const body = { error: 'Invalid voice identifier.', details: 'The provided voice ID does not exist.' };
    const service = await start((_, response) => replyJson(response, body, 404));
    const { problem } = await failure(voiceDetail(http(), service.connection(), 'v', signal));
    expect(problem.words).toBe('Invalid voice identifier. The provided voice ID does not exist.');
  });

  it('is not asked for without a voice', async () => {
    const service = await start(() => undefined);
    expect((await failure(voiceDetail(http(), service.connection(), '', signal))).code).toBe('voice/missing');
    expect(service.requests).toHaveLength(0);
  });
});
