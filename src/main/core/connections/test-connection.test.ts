import { describe, expect, it } from 'vitest';
import { startTestEngine, testToken } from '../../../engine/engine.fixture.ts';
import { replyJson } from '../voice-service/scripted-service.fixture.ts';
import { systemClock } from '../clock.ts';
import type { Connection } from '../voice-service/connection.ts';
import { useServices } from '../voice-service/service.fixture.ts';
import { createConnectionRegistry } from './connection-registry.ts';
import { testConnection } from './test-connection.ts';

const { signal } = new AbortController();
const { http, start } = useServices();

const voice = { id: 'a', name: 'N', language: 'en-GB', gender: 'male', category: 'c' };
const detail = { status: 'success', voiceId: 'a', name: 'N', gender: 'male', language: 'en-GB', category: 'c' };
const models = { status: 'success', models: [], pagination: { currentPage: 1, totalPages: 0, totalItems: 0 } };

const run = (connection: Connection) =>
  testConnection(
    {
      service: createConnectionRegistry(http(), [connection]).service(connection.id),
      firstVoicePage: connection.document.firstVoicePage,
      clock: systemClock,
    },
    signal,
  );

/** A service that replies from a table, keyed by the last part of the path. */
const answering = (answers: Readonly<Record<string, unknown>>) =>
  start(({ url }, response) => {
    const name = new URL(url, 'http://x').pathname.split('/').at(-1) ?? '';
    const answer =
      answers[name] ??
      { pagevoices: { page: 0, limit: 1, total: 1, voices: [voice] }, getvoicedetail: detail, list: models }[name];
    if (typeof answer === 'number') response.writeHead(answer).end();
    else replyJson(response, answer);
  });

describe('the test of a connection', () => {
  it('confirms each read-only operation that succeeds', async () => {
    const service = await answering({});
    const checks = await run(service.connection());
    expect(checks.map(({ operation, outcome, suspect }) => [operation, outcome, suspect])).toEqual([
      ['voices', 'understood', null],
      ['voice-detail', 'understood', null],
      ['models', 'understood', null],
    ]);
  });

  it('distinguishes a wrong token from an unreachable service', async () => {
    const service = await answering({ pagevoices: 401 });
    expect((await run(service.connection())).map(({ outcome }) => outcome)).toEqual([
      'unauthorised',
      'not-asked',
      'understood',
    ]);
    const gone = service.connection();
    await service.stop();
    expect((await run(gone)).map(({ outcome }) => outcome)).toEqual(['unreached', 'not-asked', 'unreached']);
  });

  it.each<[string, Readonly<Record<string, unknown>>, number, string]>([
    [
      'a voice has its identifier elsewhere',
      { pagevoices: { page: 0, limit: 1, total: 1, voices: [{ ...voice, id: undefined }] } },
      0,
      'voiceField',
    ],
    ['the voice that comes is another one', { getvoicedetail: { ...detail, voiceId: 'b' } }, 1, 'voiceField'],
    [
      'a voice that is in the list is not known',
      { getvoicedetail: { error: 'Invalid voice identifier.', details: '' } },
      1,
      'voiceDetailQuery',
    ],
    [
      'the first page is refused',
      { pagevoices: { error: 'Invalid parameters.', details: 'page' } },
      0,
      'firstVoicePage',
    ],
    [
      'more models come than were asked for',
      {
        list: {
          ...models,
          models: [1, 2].map((k) => ({
            modelId: String(k),
            name: 'm',
            languageCode: 'en',
            gender: 'male',
            creationDate: '',
          })),
        },
      },
      2,
      'modelPageSizeQuery',
    ],
  ])('names the setting that is probably wrong if %s', async (_name, answers, at, suspect) => {
    const service = await answering(answers);
    expect((await run(service.connection()))[at]).toMatchObject({ suspect });
  });

  it('passes for the local engine, skipping what that does not offer', async () => {
    const engine = await startTestEngine();
    const hosts = { voice: engine.origin, upload: engine.origin, converter: '', models: '', sample: '' };
    const service = await start(() => undefined);
    const [voices, one] = await run(service.connection({ hosts }, testToken));
    expect([voices?.outcome, one?.outcome]).toEqual(['understood', 'understood']);
    await engine.remove();
  });
});
