import { describe, expect, it } from 'vitest';
import { replyJson } from '../../fakes/scripted-service.ts';
import { listVoices } from './list-voices.ts';
import { useServices } from './service.fixture.ts';

const { signal } = new AbortController();
const { http, start } = useServices();

describe('voice list', () => {
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
