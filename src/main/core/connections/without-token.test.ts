import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { replyJson } from '../../fakes/scripted-service.ts';
import { conversion, failure, useServices } from '../voice-service/service.fixture.ts';
import { createConnectionBook } from './connection-book.ts';

const { signal } = new AbortController();
const { http, start } = useServices();
const wish = { voice: 'v', engine: 'v5' } as const;
/** Of signs that look otherwise in each form, and different in each part, so that a part is found too. */
const tokenOf = (length: number): string =>
  Array.from({ length }, (_, k) => '~/+"&aZ9'.charAt((k * 7 + Math.floor(k / 11)) % 8)).join('');
const holdsPart = (shown: string, token: string): boolean => shown.includes(token.slice(0, 60));

describe('a token that a service says back', () => {
  it.each([1, 300, 900, 999, 1000, 1001, 1100, 2000, 4000, 16_383, 16_384, 65_536])(
    'is struck out of its refusal before that is cut: %i characters',
    async (length) => {
      const token = tokenOf(length);
      const service = await start((_, response) => {
        replyJson(response, { error: `No ${token}.`, details: `Again ${encodeURIComponent(token)}.` }, 400);
      });
      const connection = {
        ...service.connection(),
        access: () => Promise.resolve({ hosts: service.connection().document.hosts, token }),
      };
      // Refused as a reply of its own, not in a header, which holds 16 kB at most.
      const silent = { ...connection, document: { ...connection.document, authorization: '' } };
      const error = await failure(createConnectionBook(http(), [silent]).service(silent.id).createTask(wish, signal));
      expect(error).toMatchObject({ code: 'service/refused' });
      expect(error.problem.words).toContain('•••');
      expect(holdsPart(inspect(error, { depth: 9, maxStringLength: null }), token)).toBe(false);
    },
  );

  it('is cut to a thousand characters only then', async () => {
    const service = await start((_, response) => replyJson(response, { error: '😀'.repeat(3000) }, 400));
    const error = await failure(
      createConnectionBook(http(), [service.connection()]).service('test').createTask(wish, signal),
    );
    expect(Array.from(error.problem.words ?? '')).toHaveLength(1000);
  });

  it('is not left at the end of words that were too long to be held', async () => {
    const token = tokenOf(65_536);
    const service = await start((_, response) => replyJson(response, { error: token.repeat(40) }, 400));
    const { document } = service.connection({ authorization: '' });
    const connection = {
      ...service.connection(),
      document,
      access: () => Promise.resolve({ hosts: document.hosts, token }),
    };
    const error = await failure(createConnectionBook(http(), [connection]).service('test').createTask(wish, signal));
    expect(holdsPart(error.problem.words ?? '', token)).toBe(false);
  });

  it('is struck out of the names, details and identifiers that it answers', async () => {
    const token = 'CANARY/7f+3a"q';
    const service = await start(({ url }, response) => {
      if (url.startsWith('/api/pagevoices')) {
        const voice = { id: `id ${token}`, name: `Voice ${token}`, language: 'en-GB', gender: 'male', category: token };
        return replyJson(response, { page: 0, limit: 100, total: 1, voices: [voice] });
      }
      return replyJson(response, { taskId: `task ${token}`, changerType: token });
    });
    const opened = createConnectionBook(http(), [service.connection({}, token)]).service('test');
    const told = [await opened.listVoices({ page: 0, limit: 100 }, signal), await opened.createTask(wish, signal)];
    expect(JSON.stringify(told)).not.toContain('CANARY');
    expect(told[1]).toEqual({ taskId: 'task •••', changerType: '•••' });
  });

  it('of a few characters stays where an identifier holds it by chance', async () => {
    const service = await start((_, response) => replyJson(response, { taskId: 'a-task' }));
    const task = await createConnectionBook(http(), [service.connection({}, 'a')])
      .service('test')
      .createTask(wish, signal);
    expect(task.taskId).toBe('a-task');
  });

  it('does not stay in the address of a result, which can be fetched all the same', async () => {
    const token = 'CANARY/7f+3a';
    const service = await start(({ url }, response) => {
      if (url.startsWith('/result')) return void response.end('sound');
      const audioUrl = `${service.origin}/result?key=${encodeURIComponent(token)}`;
      return replyJson(response, { status: 'success', data: { audioUrl } });
    });
    const opened = createConnectionBook(http(), [service.connection({}, token)]).service('test');
    const { audioUrl } = await opened.convertAudio(conversion, signal);
    expect(audioUrl).not.toMatch(/CANARY/);
    await opened.downloadResult({ audioUrl, write: () => Promise.resolve(), onProgress: () => undefined }, signal);
    expect(service.requests.at(-1)?.url).toBe(`/result?key=${encodeURIComponent(token)}`);
  });

  it('is not said to another host that an address of a result leads to', async () => {
    const token = 'CANARY/7f+3a';
    const other = await start((_, response) => void response.end('sound'));
    const service = await start((_, response) =>
      replyJson(response, { status: 'success', data: { audioUrl: `${other.origin}/r?key=${token}` } }),
    );
    const opened = createConnectionBook(http(), [service.connection({}, token)]).service('test');
    const { audioUrl } = await opened.convertAudio(conversion, signal);
    await opened.downloadResult({ audioUrl, write: () => Promise.resolve(), onProgress: () => undefined }, signal);
    expect(JSON.stringify(other.requests.map(({ url, headers }) => [url, headers]))).not.toContain('CANARY');
  });

  it('is struck out of a name before that is cut', async () => {
    const token = tokenOf(2000);
    const voice = {
      id: 'a',
      name: `${'n'.repeat(900)}${token}`,
      language: 'l'.repeat(1000),
      gender: token,
      category: '',
    };
    const service = await start((_, response) => replyJson(response, { total: 1, voices: [voice] }));
    const opened = createConnectionBook(http(), [service.connection({}, token)]).service('test');
    const { voices } = await opened.listVoices({ page: 0, limit: 100 }, signal);
    expect(voices).toEqual([
      { id: 'a', name: `${'n'.repeat(900)}•••`, language: 'l'.repeat(256), gender: '•••', category: '' },
    ]);
  });
});
