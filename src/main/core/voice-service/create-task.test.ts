import { describe, expect, it } from 'vitest';
import { replyJson } from '../../fakes/scripted-service.ts';
import { createTask } from './create-task.ts';
import { useServices } from './service.fixture.ts';

const { signal } = new AbortController();
const { http, start } = useServices();
const wish = { voice: 'v', engine: 'v5' } as const;

describe('create task', () => {
  it('sends exactly the fields of the interface and reads the changer type from the first named field', async () => {
    const service = await start((_, response) =>
      replyJson(response, { message: 'ok', taskId: 't', changer_type: 'X' }),
    );
    const task = await createTask(http(), service.connection(), wish, signal);
    expect(task).toEqual({ taskId: 't', changerType: 'X' });
    const [request] = service.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/api/createaudiofilechanger' });
    expect(request?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
    expect(JSON.parse(String(request?.body))).toEqual({
      voice: 'v',
      from: 'fv-file-changer',
      operation: 'FVC',
      engine: 'v5',
    });
  });

  it('falls back to the connection’s changer type where the reply names none', async () => {
    const service = await start((_, response) => replyJson(response, { taskId: 't' }));
    expect((await createTask(http(), service.connection(), wish, signal)).changerType).toBe('FVC');
  });

  it('sends no Authorization where there is no token', async () => {
    const service = await start((_, response) => replyJson(response, { taskId: 't' }));
    await createTask(http(), service.connection({}, null), wish, signal);
    expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each(['a\r\nb', 'a\0b', '😀'])(
    'does not take %j for a changer type, which no header can hold',
    async (changerType) => {
      const service = await start((_, response) => replyJson(response, { taskId: 't', changerType }));
      await expect(createTask(http(), service.connection(), wish, signal)).rejects.toMatchObject({
        code: 'service/not-understood',
        problem: { facts: { field: 'changerType' } },
      });
    },
  );

  it.each(['a\nb', 'a\0b', 'ä😀'])('asks for another token than %j, which an older Timbre took', async (token) => {
    const service = await start((_, response) => replyJson(response, { taskId: 't' }));
    await expect(createTask(http(), service.connection({}, token), wish, signal)).rejects.toMatchObject({
      code: 'auth/missing',
    });
    expect(service.requests).toEqual([]);
  });
});
