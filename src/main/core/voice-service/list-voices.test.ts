import { describe, expect, it } from 'vitest';
import { replyJson } from '../../fakes/scripted-service.ts';
import { listVoices } from './list-voices.ts';
import { failure, useServices } from './service.fixture.ts';

const { signal } = new AbortController();
const { http, start } = useServices();

describe('voice list', () => {
  it.each([
    { page: -1, limit: 10, field: 'page' },
    { page: 0.5, limit: 10, field: 'page' },
    { page: 0, limit: 0, field: 'limit' },
    { page: 0, limit: 101, field: 'limit' },
  ])('asks for nothing that the interface forbids: %o', async ({ field, ...query }) => {
    const service = await start(() => undefined);
    const error = await failure(listVoices(http(), service.connection(), query, signal));
    expect(error.problem).toMatchObject({ code: 'request/invalid', facts: { field } });
    expect(service.requests).toHaveLength(0);
  });

  it('asks with the connection’s own query names and reads the identifier from its own field', async () => {
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
});
