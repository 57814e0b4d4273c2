import { describe, expect, it } from 'vitest';
import { replyJson } from './scripted-service.fixture.ts';
import { createPlant } from './sample-plant.ts';
import { failure, useServices } from './service.fixture.ts';

const { signal } = new AbortController();
const { http, start } = useServices();

describe('createPlant', () => {
  it.each(['9223372036854775807', '-9223372036854775808', '0', '9007199254740993'])(
    'sends the id %s as a number with all its digits',
    async (id) => {
      const service = await start((_, response) => replyJson(response, { name: 'Fern', tag: 'green' }));
      const plant = { id, name: 'Fern', tag: 'green' };
      expect(await createPlant(http(), service.connection(), plant, signal)).toEqual({ name: 'Fern', tag: 'green' });
      expect(service.requests[0]?.body.toString()).toBe(`{"id":${id},"name":"Fern","tag":"green"}`);
      expect(service.requests[0]).toMatchObject({ method: 'POST', url: '/plants' });
    },
  );

  it('sends no tag if none is given, and accepts a reply without one', async () => {
    const service = await start((_, response) => replyJson(response, { name: 'Fern' }));
    const answer = await createPlant(http(), service.connection(), { id: '1', name: 'Fern', tag: null }, signal);
    expect(answer).toEqual({ name: 'Fern', tag: null });
    expect(service.requests[0]?.body.toString()).toBe('{"id":1,"name":"Fern"}');
  });

  it('sends the token only if the connection allows it', async () => {
    const service = await start((_, response) => replyJson(response, { name: 'Fern' }));
    const plant = { id: '1', name: 'Fern', tag: null };
    await createPlant(http(), service.connection(), plant, signal);
    await createPlant(http(), service.connection({ sampleAuthorized: false }), plant, signal);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', undefined]);
  });

  it('passes on the service’s own kind of error: a number and a message', async () => {
    const service = await start((_, response) => replyJson(response, { error: 7, message: 'No such pot.' }, 400));
    const { problem } = await failure(
      createPlant(http(), service.connection(), { id: '1', name: 'Fern', tag: null }, signal),
    );
    expect(problem).toMatchObject({ code: 'service/refused', words: 'No such pot. (7)' });
  });

  it.each(['', '1.5', '1e3', 'x', '9223372036854775808', '-9223372036854775809', '0x10', ' 1'])(
    'rejects the id %j before the call',
    async (id) => {
      const service = await start(() => undefined);
      const error = await failure(createPlant(http(), service.connection(), { id, name: 'Fern', tag: null }, signal));
      expect(error.problem).toMatchObject({ code: 'request/invalid', facts: { field: 'id' } });
      expect(service.requests).toHaveLength(0);
    },
  );
});
