import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { newDocument } from '../../../shared/schemas/connection.ts';
import type { Clock } from '../clock.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import { replyJson, type ScriptedService, startScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { conversion, failure, useServices } from '../voice-service/service.fixture.ts';
import { createConnectionRegistry, enterToken, tokenIn, withSpokenListener } from './connection-registry.ts';

describe('connection registry', () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();
  const conversion = {
    taskId: 't',
    voice: 'v',
    pitch: 1,
    speed: 1,
    outputFormat: '.wav',
    audioName: 'a',
    platform: '',
    pitchControl: '',
    engine: 'v5',
    autoF0: true,
  } as const;
  const taskRequest = { voice: 'v', engine: 'v5' } as const;

  /** Records the requested sleep times and wakes at once. */
  function createNotingClock() {
    const slept: number[] = [];
    let time = 0;
    const clock: Clock = {
      now: () => time,
      sleep(ms) {
        slept.push(ms);
        time += ms;
        return Promise.resolve();
      },
    };
    return { clock, slept };
  }

  describe('the connection registry', () => {
    it('counts all requests of a connection in one rate limit', async () => {
      const service = await start((_, response) => replyJson(response, { taskId: 't' }));
      const usual = service.connection();
      const paced = service.connection({ limits: { ...usual.document.limits, requestsPerMinute: 2 } });
      const { clock, slept } = createNotingClock();
      const registry = createConnectionRegistry(
        http(),
        [
          { ...paced, id: 'paced' },
          { ...usual, id: 'usual' },
        ],
        clock,
      );
      for (let turn = 0; turn < 3; turn += 1) await registry.service('paced').createTask(taskRequest, signal);
      for (let turn = 0; turn < 3; turn += 1) await registry.service('usual').createTask(taskRequest, signal);
      expect(slept).toEqual([60_000]);
      expect(service.requests).toHaveLength(6);
    });

    it('counts a paid call while it waits for the rate limit, and then sends it without another wait', async () => {
      const service = await start((_, response) => replyJson(response, { data: { audioUrl: 'https://a.test/r' } }));
      const usual = service.connection();
      const paced = service.connection({ limits: { ...usual.document.limits, requestsPerMinute: 1 } });
      const { clock, slept } = createNotingClock();
      const paid = createConnectionRegistry(http(), [paced], clock).service(paced.id);
      for (let turn = 0; turn < 2; turn += 1) {
        await paid.waitForRateLimit(signal);
        await paid.convertAudio(conversion, signal);
      }
      expect(slept).toEqual([60_000]);
      expect(service.requests).toHaveLength(2);
    });

    it('redacts a token that a service echoes, in messages, facts and the log', async () => {
      const service = await start((request, response) => {
        replyJson(response, { error: `No ${request.headers.authorization ?? ''}.`, details: 'Ask again.' }, 401);
      });
      const connection = service.connection();
      const { token } = await connection.access(signal);
      expect(token).toMatch(/.{4}/);
      const failure: unknown = await createConnectionRegistry(http(), [connection])
        .service(connection.id)
        .createTask(taskRequest, signal)
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'auth/refused',
        problem: { words: expect.stringContaining('•••') as string },
      });
      expect(JSON.stringify([failure, String(failure)])).not.toContain(token);
    });

    it('cancels a call at once, even if the keychain does not respond', async () => {
      const service = await start((_, response) => replyJson(response, {}));
      const leaving = new AbortController();
      const left = new AppError('job/cancelled', 'a person cancelled');
      const stuck = {
        ...service.connection(),
        access: (caller: AbortSignal) =>
          new Promise<never>((_, reject) => {
            caller.addEventListener('abort', () => reject(left));
            leaving.abort(left);
          }),
      };
      const call = createConnectionRegistry(http(), [stuck]).service(stuck.id).createTask(taskRequest, leaving.signal);
      await expect(call).rejects.toMatchObject({ code: 'job/cancelled' });
    });

    it('sends a token only to the origins it was entered for, and asks before any other', async () => {
      const [right, wrong] = [
        await start((_, response) => replyJson(response, { taskId: 't' })),
        await start(() => undefined),
      ];
      const connection = {
        ...right.connection(),
        access: () =>
          Promise.resolve({ hosts: right.connection().document.hosts, token: 'entered', tokenOrigins: [right.origin] }),
      };
      const registry = createConnectionRegistry(http(), [connection]);
      await registry.service('test').createTask(taskRequest, signal);
      expect(right.requests[0]?.headers.authorization).toBe('Bearer entered');
      // A job created when the connection had another host.
      const old = registry.serviceWithDocument('test', wrong.connection().document);
      await expect(old.createTask(taskRequest, signal)).rejects.toMatchObject({
        code: 'auth/missing',
        problem: { facts: { origin: wrong.origin } },
      });
      expect(wrong.requests).toEqual([]);
    });

    it('sends a token only to the hosts of its saved connection, not to those in a job', async () => {
      const [right, wrong] = [await start(() => undefined), await start(() => undefined)];
      const registry = createConnectionRegistry(http(), [right.connection()]);
      const old = registry.serviceWithDocument('test', wrong.connection().document);
      for (const call of [
        () => old.createTask(taskRequest, signal),
        () => old.convertAudio(conversion, signal),
        () => old.listVoices({ page: 0, limit: 1 }, signal),
        () => old.voiceDetail('v', signal),
        () => old.listModels({ page: 1, limit: 1 }, signal),
        () => old.deleteModel('m', signal),
        () => old.createPlant({ id: '1', name: 'p', tag: '' }, signal),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'auth/missing' });
      }
      expect(wrong.requests).toEqual([]);
    });

    it('rejects an unknown connection', () => {
      expect(() => createConnectionRegistry(http(), []).service('x')).toThrow('no connection x');
    });
  });
});

describe('withoutToken', () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();
  const taskRequest = { voice: 'v', engine: 'v5' } as const;
  /** Its characters differ in each encoding and in each part, so that partial leaks are found too. */
  const tokenOf = (length: number): string =>
    Array.from({ length }, (_, k) => '~/+"&aZ9'.charAt((k * 7 + Math.floor(k / 11)) % 8)).join('');
  const holdsPart = (shown: string, token: string): boolean => shown.includes(token.slice(0, 60));

  describe('a token that a service echoes', () => {
    it.each([1, 300, 900, 999, 1000, 1001, 1100, 2000, 4000, 16_383, 16_384, 65_536])(
      'is redacted in an error before the text is cut: %i characters',
      async (length) => {
        const token = tokenOf(length);
        const service = await start((_, response) => {
          replyJson(response, { error: `No ${token}.`, details: `Again ${encodeURIComponent(token)}.` }, 400);
        });
        const connection = {
          ...service.connection(),
          access: () => Promise.resolve({ hosts: service.connection().document.hosts, token }),
        };
        // In a body, because a header holds at most 16 kB.
        const silent = { ...connection, document: { ...connection.document, authorization: '' } };
        const error = await failure(
          createConnectionRegistry(http(), [silent]).service(silent.id).createTask(taskRequest, signal),
        );
        expect(error).toMatchObject({ code: 'service/refused' });
        expect(error.problem.words).toContain('•••');
        expect(holdsPart(inspect(error, { depth: 9, maxStringLength: null }), token)).toBe(false);
      },
    );

    it('is redacted before the text is cut to a thousand characters', async () => {
      const service = await start((_, response) => replyJson(response, { error: '😀'.repeat(3000) }, 400));
      const error = await failure(
        createConnectionRegistry(http(), [service.connection()]).service('test').createTask(taskRequest, signal),
      );
      expect(Array.from(error.problem.words ?? '')).toHaveLength(1000);
    });

    it('is redacted in text that is too long to be kept whole', async () => {
      const token = tokenOf(65_536);
      const service = await start((_, response) => replyJson(response, { error: token.repeat(40) }, 400));
      const { document } = service.connection({ authorization: '' });
      const connection = {
        ...service.connection(),
        document,
        access: () => Promise.resolve({ hosts: document.hosts, token }),
      };
      const error = await failure(
        createConnectionRegistry(http(), [connection]).service('test').createTask(taskRequest, signal),
      );
      expect(holdsPart(error.problem.words ?? '', token)).toBe(false);
    });

    it('is redacted in names, details and identifiers', async () => {
      const token = 'CANARY/7f+3a"q';
      const service = await start(({ url }, response) => {
        if (url.startsWith('/api/pagevoices')) {
          const voice = {
            id: `id ${token}`,
            name: `Voice ${token}`,
            language: 'en-GB',
            gender: 'male',
            category: token,
          };
          return replyJson(response, { page: 0, limit: 100, total: 1, voices: [voice] });
        }
        return replyJson(response, { taskId: `task ${token}`, changerType: token });
      });
      const opened = createConnectionRegistry(http(), [service.connection({}, token)]).service('test');
      const replies = [
        await opened.listVoices({ page: 0, limit: 100 }, signal),
        await opened.createTask(taskRequest, signal),
      ];
      expect(JSON.stringify(replies)).not.toContain('CANARY');
      expect(replies[1]).toEqual({ taskId: 'task •••', changerType: '•••' });
    });

    it('of a few characters is kept where an identifier contains it by chance', async () => {
      const service = await start((_, response) => replyJson(response, { taskId: 'a-task' }));
      const task = await createConnectionRegistry(http(), [service.connection({}, 'a')])
        .service('test')
        .createTask(taskRequest, signal);
      expect(task.taskId).toBe('a-task');
    });

    it.each(['absolute', 'relative'])(
      'is redacted in the %s address of a result, which can still be downloaded',
      async (kind) => {
        const token = 'CANARY/7f+3a';
        const service = await start(({ url }, response) => {
          if (url.startsWith('/result')) return void response.end('sound');
          const path = `/result?key=${encodeURIComponent(token)}`;
          const audioUrl = kind === 'relative' ? path : service.origin + path;
          return replyJson(response, { status: 'success', data: { audioUrl } });
        });
        const opened = createConnectionRegistry(http(), [service.connection({}, token)]).service('test');
        const { audioUrl } = await opened.convertAudio(conversion, signal);
        expect(audioUrl).not.toMatch(/CANARY/);
        await opened.downloadResult({ audioUrl, write: () => Promise.resolve(), onProgress: () => undefined }, signal);
        expect(service.requests.at(-1)?.url).toBe(`/result?key=${encodeURIComponent(token)}`);
      },
    );

    it('is not sent to another host named by a result URL', async () => {
      const token = 'CANARY/7f+3a';
      const other = await start((_, response) => void response.end('sound'));
      const service = await start((_, response) =>
        replyJson(response, { status: 'success', data: { audioUrl: `${other.origin}/r?key=${token}` } }),
      );
      const opened = createConnectionRegistry(http(), [service.connection({}, token)]).service('test');
      const { audioUrl } = await opened.convertAudio(conversion, signal);
      await opened.downloadResult({ audioUrl, write: () => Promise.resolve(), onProgress: () => undefined }, signal);
      expect(JSON.stringify(other.requests.map(({ url, headers }) => [url, headers]))).not.toContain('CANARY');
    });

    it('is redacted in a name before the name is cut', async () => {
      const token = tokenOf(2000);
      const voice = {
        id: 'a',
        name: `${'n'.repeat(900)}${token}`,
        language: 'l'.repeat(1000),
        gender: token,
        category: '',
      };
      const service = await start((_, response) => replyJson(response, { total: 1, voices: [voice] }));
      const opened = createConnectionRegistry(http(), [service.connection({}, token)]).service('test');
      const { voices } = await opened.listVoices({ page: 0, limit: 100 }, signal);
      expect(voices).toEqual([
        { id: 'a', name: `${'n'.repeat(900)}•••`, language: 'l'.repeat(256), gender: '•••', category: '' },
      ]);
    });
  });
});

it.each([
  ['Bearer abc', 'Bearer {token}', 'abc'],
  ['bearer  abc', 'Bearer {token}', 'abc'],
  ['Authorization: Bearer abc', 'Bearer {token}', 'abc'],
  ['authorization:abc', '{token}', 'abc'],
  ['Token token="abc"', 'Token token="{token}"', 'abc'],
  ['abc', 'Token token="{token}"', 'abc'],
  ['Basic abc', 'Bearer {token}', 'Basic abc'],
  ['bearerabc', 'Bearer {token}', 'bearerabc'],
  ['Bearer', 'Bearer {token}', 'Bearer'],
  ['Bearer abc', '{token}', 'Bearer abc'],
  ['abc', '', 'abc'],
])('of “%s”, where the header is “%s”, the token is “%s”', (text, authorization, token) => {
  expect(tokenIn(text, { authorization })).toBe(token);
});

it('a token is stored without what was copied with it', async () => {
  const stored: unknown[] = [];
  const secrets = {
    get: () => Promise.resolve(null),
    set: (_account: string, secret: unknown) => Promise.resolve(void stored.push(secret)),
  };
  await enterToken(secrets as never, { id: 'studio', document: newDocument() }, 'Bearer abc');
  expect(stored).toMatchObject([{ token: 'abc' }]);
});

describe('withSpokenListener', () => {
  let http: Http;
  let service: ScriptedService;
  beforeEach(async () => {
    http = createHttp();
    service = await startScriptedService((_request, response) => {
      replyJson(response, { message: 'Spoken.', data: { audioUrl: 'https://results.test/1' } });
    });
  });
  afterEach(async () => {
    await http.close();
    await service.stop();
  });

  it('emits what a service says in addition to the audio', async () => {
    const connection = service.connection();
    const messages: (string | null)[] = [];
    const registry = withSpokenListener(createConnectionRegistry(http, [connection]), (message) =>
      messages.push(message),
    );
    const spoken = await registry.serviceWithDocument(connection.id, connection.document).speakText(
      {
        text: 'Good evening.',
        voice: 'low-bronze',
        language: 'en-US',
        speed: 1,
        pitch: 1,
        engine: 'v7',
        platform: 'web',
        write: () => Promise.resolve(),
        onProgress: () => undefined,
      },
      new AbortController().signal,
    );
    expect(spoken).toMatchObject({ kind: 'address', audioUrl: 'https://results.test/1' });
    expect(messages).toEqual(['Spoken.']);
  });
});
