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

  const good = { id: 'a', name: 'A', language: 'en-GB', gender: 'male', category: 'c' };
  const pageOf = async (voices: unknown, numbers = { page: 0, limit: 10, total: 9 }) => {
    const service = await start((_, response) => replyJson(response, { ...numbers, voices }));
    return listVoices(http(), service.connection(), { page: 0, limit: 10 }, signal);
  };

  it('keeps a gender and a category that it does not know, and does without those that are not there', async () => {
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
  ])('shows the good entries beside %j', async (bad) => {
    expect((await pageOf([bad, good, bad])).voices).toEqual([good]);
  });

  it('says why where no entry makes sense', async () => {
    await expect(pageOf([{ key: 'a', name: 'A' }])).rejects.toMatchObject({
      code: 'service/not-understood',
      problem: { facts: { field: 'voices[].id' } },
    });
  });

  it.each([-1, 'many', null])('shows the entries where the total is %j', async (total) => {
    expect(await pageOf([good], { page: 0, limit: 10, total: total as number })).toMatchObject({
      total: 1,
      voices: [good],
    });
  });
});
