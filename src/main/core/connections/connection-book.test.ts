import { describe, expect, it } from 'vitest';
import { replyJson } from '../../fakes/scripted-service.ts';
import type { Clock } from '../clock.ts';
import { useServices } from '../voice-service/service.fixture.ts';
import { createConnectionBook } from './connection-book.ts';

const { signal } = new AbortController();
const { http, start } = useServices();
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

  it('knows no connection that is not in it', () => {
    expect(() => createConnectionBook(http(), []).service('x')).toThrow('no connection x');
  });
});
