import { describe, expect, it } from 'vitest';
import { createTask } from './conversion.ts';
import { retryAfterSeconds } from './reply.ts';
import { failure, useServices } from './service.fixture.ts';

describe('replyError', () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();

  async function answering(status: number, body: string, headers = {}) {
    const service = await start((_, response) => void response.writeHead(status, headers).end(body));
    return failure(createTask(http(), service.connection(), { voice: 'v', engine: 'v5' }, signal));
  }

  describe('a reply', () => {
    it.each([
      [200, { error: 'Invalid input parameters.', details: 'voice is required' }, 'service/refused'],
      [200, { status: 'failed', message: 'Out of luck' }, 'service/not-understood'],
      [400, { status: 'failed', message: 'Out of luck' }, 'service/refused'],
      [400, { error: 'Invalid input parameters.' }, 'service/refused'],
      [401, { error: 'x' }, 'auth/refused'],
      [402, { error: 'x' }, 'quota/used-up'],
      [403, { error: 'x' }, 'auth/forbidden'],
      [429, { error: 'x' }, 'rate/limited'],
      [500, { error: 'x' }, 'service/unavailable'],
      [503, { error: 'x' }, 'service/unavailable'],
      [200, { taskId: 5.5 }, 'service/not-understood'],
      [200, { taskId: '' }, 'service/not-understood'],
    ])('with status %i and %j is an error', async (status, body, code) => {
      expect((await answering(status, JSON.stringify(body))).code).toBe(code);
    });

    it.each([
      [200, '<html>', 'service/not-understood'],
      [200, '', 'service/not-understood'],
      [502, '<html>', 'service/unavailable'],
      [307, '', 'service/redirected'],
      [431, '', 'auth/refused'],
    ])('with status %i and the body %j is an error', async (status, body, code) => {
      expect((await answering(status, body)).code).toBe(code);
    });

    it('is not read beyond 4 MB', async () => {
      let written = 0;
      const service = await start((_, response) => {
        const chunk = Buffer.alloc(1_000_000, ' ');
        const fill = () => {
          while (!response.destroyed && response.write(chunk)) written += chunk.length;
        };
        response.on('drain', fill);
        fill();
      });
      const error = await failure(createTask(http(), service.connection(), { voice: 'v', engine: 'v5' }, signal));
      expect(error.code).toBe('service/not-understood');
      await service.deserted();
      expect(written).toBeLessThan(64_000_000);
    });

    it('passes on the service’s own message', async () => {
      const body = JSON.stringify({ error: 'Slow down.', details: 'Ten a minute.' });
      const { problem } = await answering(429, body);
      expect(problem).toEqual({ code: 'rate/limited', words: 'Slow down. Ten a minute.', facts: { status: 429 } });
    });

    it.each([401, 402, 429, 500, 502, 503, 504])(
      'with status %i states the reason and how long to pause',
      async (status) => {
        const inSeconds = await answering(status, '', { 'retry-after': '12' });
        expect(inSeconds.problem.facts).toEqual({ status, retryAfterSeconds: 12 });
        const asDate = await answering(status, '', {
          date: 'Fri, 20 Nov 2026 10:00:00 GMT',
          'retry-after': 'Fri, 20 Nov 2026 10:00:07 GMT',
        });
        expect(asDate.problem.facts).toEqual({ status, retryAfterSeconds: 7 });
      },
    );

    it.each([
      [301, (path: string) => `https://voices.test${path}`],
      [302, (path: string) => `https://www.voices.test/v2${path}/`],
      [307, () => 'https://voices.test/elsewhere'],
      [308, () => '/'],
    ])('of status %i that sends the request elsewhere says so', async (status, place) => {
      const service = await start(
        ({ url }, response) => void response.writeHead(status, { location: place(url) }).end(),
      );
      const error = await failure(createTask(http(), service.connection(), { voice: 'v', engine: 'v5' }, signal));
      expect(error.problem.facts).toEqual({ status, moved: 'request' });
    });

    it.each([
      [301, { location: '/results/7' }],
      [302, { location: 'https://voices.test/results/7.wav' }],
      [302, { location: 'http://[' }],
      [302, {}],
      [303, { location: '/results/7' }],
      [304, {}],
    ])('of status %i to another address (%j) may be about what the request has made', async (status, headers) => {
      expect((await answering(status, '', headers)).problem.facts).toEqual({ status });
    });
  });
});

describe('retryAfterSeconds', () => {
  const at = 'Fri, 20 Nov 2026 10:00:00 GMT';
  const now = Date.parse(at);

  describe('Retry-After', () => {
    it.each([
      ['12', 12],
      [' 12 ', 12],
      ['0', 0],
      ['1.5', 2],
      ['0.25', 1],
      ['3601', 3600],
      ['99999999999999999999', 3600],
      ['Fri, 20 Nov 2026 10:00:30 GMT', 30],
      ['Friday, 20-Nov-26 10:00:30 GMT', 30],
      ['Fri Nov 20 10:00:30 2026', 30],
      ['Fri, 20 Nov 2026 23:00:00 GMT', 3600],
      ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ])('%j pauses for %i seconds', (header, seconds) => {
      expect(retryAfterSeconds(header, at, 0)).toBe(seconds);
      expect(retryAfterSeconds(header, '', now)).toBe(seconds);
    });

    it.each([
      '',
      'soon',
      '-5',
      '1.5.1',
      '.5',
      '1e3',
      '12 s',
      'Fri, 99 Nov 2026 10:00:00 GMT',
      '2026-11-20T10:00:30Z',
      'Friday',
    ])('%j does not pause', (header) => {
      expect(retryAfterSeconds(header, at, now)).toBeUndefined();
    });

    it('is counted from the reply’s own Date, so that a wrong clock has no effect', () => {
      const anHourAhead = now + 3_600_000;
      expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', at, anHourAhead)).toBe(30);
      expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', 'no date', now)).toBe(30);
    });

    it('is rounded up, because a retry that is too early is refused again', () => {
      expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', '', now + 1)).toBe(30);
      expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', '', now + 999)).toBe(30);
      expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', '', now + 1000)).toBe(29);
    });
  });
});
