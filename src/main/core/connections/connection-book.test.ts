import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/app-error.ts';
import { replyJson } from '../../fakes/scripted-service.ts';
import type { Clock } from '../clock.ts';
import { useServices } from '../voice-service/service.fixture.ts';
import { createConnectionBook } from './connection-book.ts';

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
const wish = { voice: 'v', engine: 'v5' } as const;

/** Notes how long it was asked to sleep, and wakes at once. */
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

describe('the connection book', () => {
  it('counts the requests of a connection in one place, whoever asked for its service', async () => {
    const service = await start((_, response) => replyJson(response, { taskId: 't' }));
    const usual = service.connection();
    const paced = service.connection({ limits: { ...usual.document.limits, requestsPerMinute: 2 } });
    const { clock, slept } = createNotingClock();
    const book = createConnectionBook(
      http(),
      [
        { ...paced, id: 'paced' },
        { ...usual, id: 'usual' },
      ],
      clock,
    );
    for (let turn = 0; turn < 3; turn += 1) await book.service('paced').createTask(wish, signal);
    for (let turn = 0; turn < 3; turn += 1) await book.service('usual').createTask(wish, signal);
    expect(slept).toEqual([60_000]);
    expect(service.requests).toHaveLength(6);
  });

  it('counts a paid call when its turn is asked for, and lets it go without another wait', async () => {
    const service = await start((_, response) => replyJson(response, { data: { audioUrl: 'https://a.test/r' } }));
    const usual = service.connection();
    const paced = service.connection({ limits: { ...usual.document.limits, requestsPerMinute: 1 } });
    const { clock, slept } = createNotingClock();
    const paid = createConnectionBook(http(), [paced], clock).service(paced.id);
    for (let turn = 0; turn < 2; turn += 1) {
      await paid.turn(signal);
      await paid.convertAudio(conversion, signal);
    }
    expect(slept).toEqual([60_000]);
    expect(service.requests).toHaveLength(2);
  });

  it('does not quote a token that a service says back, in words, facts or the log', async () => {
    const service = await start((request, response) => {
      replyJson(response, { error: `No ${request.headers.authorization ?? ''}.`, details: 'Ask again.' }, 401);
    });
    const connection = service.connection();
    const { token } = await connection.access(signal);
    expect(token).toMatch(/.{4}/);
    const failure: unknown = await createConnectionBook(http(), [connection])
      .service(connection.id)
      .createTask(wish, signal)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'auth/refused',
      problem: { words: expect.stringContaining('•••') as string },
    });
    expect(JSON.stringify([failure, String(failure)])).not.toContain(token);
  });

  it('lets whoever gives up go at once, also while a keychain does not answer', async () => {
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
    const call = createConnectionBook(http(), [stuck]).service(stuck.id).createTask(wish, leaving.signal);
    await expect(call).rejects.toMatchObject({ code: 'job/cancelled' });
  });

  it('sends a token to the origins that it was entered for, and asks before another one', async () => {
    const [right, wrong] = [
      await start((_, response) => replyJson(response, { taskId: 't' })),
      await start(() => undefined),
    ];
    const connection = {
      ...right.connection(),
      access: () =>
        Promise.resolve({ hosts: right.connection().document.hosts, token: 'entered', tokenOrigins: [right.origin] }),
    };
    const book = createConnectionBook(http(), [connection]);
    await book.service('test').createTask(wish, signal);
    expect(right.requests[0]?.headers.authorization).toBe('Bearer entered');
    // A job that was made when the address was another one.
    const old = book.serviceAsOf('test', wrong.connection().document);
    await expect(old.createTask(wish, signal)).rejects.toMatchObject({
      code: 'auth/missing',
      problem: { facts: { origin: wrong.origin } },
    });
    expect(wrong.requests).toEqual([]);
  });

  it('takes the origins of a token that comes with its hosts from these, not from a job', async () => {
    const [right, wrong] = [await start(() => undefined), await start(() => undefined)];
    const book = createConnectionBook(http(), [right.connection()]);
    const old = book.serviceAsOf('test', wrong.connection().document);
    for (const call of [
      () => old.createTask(wish, signal),
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

  it('knows no connection that is not in it', () => {
    expect(() => createConnectionBook(http(), []).service('x')).toThrow('no connection x');
  });
});
