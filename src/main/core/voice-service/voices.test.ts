import { describe, expect, it } from 'vitest';
import { replyJson } from './scripted-service.fixture.ts';
import { failure, useServices } from './service.fixture.ts';
import { listVoices, voiceDetail } from './voices.ts';

describe('listVoices', () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();

  describe('voice list', () => {
    it.each([
      { page: -1, limit: 10, field: 'page' },
      { page: 0.5, limit: 10, field: 'page' },
      { page: 0, limit: 0, field: 'limit' },
      { page: 0, limit: 101, field: 'limit' },
    ])('sends nothing that the interface forbids: %o', async ({ field, ...query }) => {
      const service = await start(() => undefined);
      const error = await failure(listVoices(http(), service.connection(), query, signal));
      expect(error.problem).toMatchObject({ code: 'request/invalid', facts: { field } });
      expect(service.requests).toHaveLength(0);
    });

    it('uses the connection’s own query names and reads the id from its own field', async () => {
      const service = await start((_, response) =>
        replyJson(response, {
          page: 1,
          limit: 10,
          total: 1,
          voices: [{ key: 7, name: 'N', language: 'en-GB', gender: 'male', category: 'c' }],
        }),
      );
      const { document } = service.connection();
      const connection = service.connection({
        voiceField: 'key',
        firstVoicePage: 1,
        voiceQuery: { ...document.voiceQuery, language: 'lang' },
      });
      const page = await listVoices(http(), connection, { page: 0, limit: 10, language: 'en-GB' }, signal);
      expect(service.requests[0]?.url).toBe('/api/pagevoices?version=v2&lang=en-GB&page=1&limit=10');
      expect(page).toEqual({
        page: 0,
        limit: 10,
        total: 1,
        voices: [{ id: '7', name: 'N', language: 'en-GB', gender: 'male', category: 'c' }],
      });
    });

    it('reads an id that is a number with all its digits', async () => {
      const body = '{"page":0,"limit":10,"total":1,"voices":[{"id":9007199254740993,"name":"N"}]}';
      const service = await start((_, response) => void response.end(body));
      const { voices } = await listVoices(http(), service.connection(), { page: 0, limit: 10 }, signal);
      expect(voices).toMatchObject([{ id: '9007199254740993' }]);
    });

    const good = { id: 'a', name: 'A', language: 'en-GB', gender: 'male', category: 'c' };
    const pageOf = async (voices: unknown, numbers = { page: 0, limit: 10, total: 9 }) => {
      const service = await start((_, response) => replyJson(response, { ...numbers, voices }));
      return listVoices(http(), service.connection(), { page: 0, limit: 10 }, signal);
    };

    it('keeps an unknown gender and category, and accepts missing ones', async () => {
      const { voices } = await pageOf([
        { ...good, gender: 'neutral', category: 'Ω' },
        { id: 'b', name: 'B' },
      ]);
      expect(voices).toEqual([
        { ...good, gender: 'neutral', category: 'Ω' },
        { id: 'b', name: 'B', language: '', gender: '', category: '' },
      ]);
    });

    it.each([
      null,
      5,
      'x',
      [],
      {},
      { id: 'b' },
      { name: 'B' },
      { id: '', name: 'B' },
      { id: 'x'.repeat(1025), name: 'B' },
    ])('lists the valid entries beside %j', async (bad) => {
      expect((await pageOf([bad, good, bad])).voices).toEqual([good]);
    });

    it('fails with the reason if no entry is valid', async () => {
      await expect(pageOf([{ key: 'a', name: 'A' }])).rejects.toMatchObject({
        code: 'service/not-understood',
        problem: { facts: { field: 'voices[].id' } },
      });
    });

    it.each([-1, 'many', null])('lists the entries if the total is %j', async (total) => {
      expect(await pageOf([good], { page: 0, limit: 10, total: total as number })).toMatchObject({
        total: 1,
        voices: [good],
      });
    });
  });
});

describe('voiceDetail', () => {
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
    it('requests exactly that voice with the connection’s own query name, and reads every field', async () => {
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

    it('sends no token if the connection says that none is expected', async () => {
      const service = await start((_, response) => replyJson(response, detail));
      await voiceDetail(http(), service.connection({ voiceDetailAuthorized: false }), 'v', signal);
      expect(service.requests[0]?.headers.authorization).toBeUndefined();
    });

    it('accepts missing fields', async () => {
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

    it('passes on the service’s message for an unknown voice', async () => {
      const body = { error: 'Invalid voice identifier.', details: 'The provided voice ID does not exist.' };
      const service = await start((_, response) => replyJson(response, body, 404));
      const { problem } = await failure(voiceDetail(http(), service.connection(), 'v', signal));
      expect(problem.words).toBe('Invalid voice identifier. The provided voice ID does not exist.');
    });

    it('is not requested without a voice', async () => {
      const service = await start(() => undefined);
      expect((await failure(voiceDetail(http(), service.connection(), '', signal))).code).toBe('voice/missing');
      expect(service.requests).toHaveLength(0);
    });
  });
});
