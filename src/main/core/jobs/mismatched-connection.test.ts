import { expect, it } from 'vitest';
import type { Problem } from '../../../shared/errors.ts';
import { fastClock } from '../clock.fixture.ts';
import { conversionJob } from './job.fixture.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';
import { decideOutcome, isMismatch } from './retry-policy.ts';
import { settled } from './wait-for-jobs.ts';

const clock = fastClock(100);
const queue = useTestQueue(clock);
const { openService } = usePaidService(queue);

it('a service that answers free calls with a page fails three jobs; the others wait, and try again by themselves', async () => {
  let pages = 0;
  const counts = await openService(
    (step, response) => {
      if (step !== 'create' || pages === 4) return false;
      pages += 1;
      response.setHeader('content-type', 'text/html').end('<h1>Back soon</h1>');
      return true;
    },
    { limits: { ...queue().request.connection.document.limits, maxConcurrent: 1 } },
  );
  /** How long each pause lasts, in milliseconds, by the number of tries before. */
  const pauses: number[] = [];
  queue().breaker.onChanged(([pause]) => {
    if (!pause?.resumesAt) return;
    expect(pause).toMatchObject({ reason: 'uncertain', problem: { code: 'service/not-understood' } });
    pauses[pause.tries] ??= pause.resumesAt - clock.now();
  });
  const { ids } = await queue().add(await Promise.all([1, 2, 3, 4, 5, 6].map((k) => queue().addFile(`${k}.mp3`))));
  queue().scheduler.start();
  const jobs = await settled(queue().store, ids);

  // Each further page costs one job, and the next try is later.
  expect(jobs.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed', 'done', 'done']);
  expect(pauses).toHaveLength(2);
  expect(pauses[0]).toBeLessThanOrEqual(60_000);
  expect(pauses[1]).toBeGreaterThan(60_000);
  expect(counts).toMatchObject({ create: 6, paid: 2 });
  await expect.poll(() => queue().breaker.list()).toEqual([]);
});

it.each<[string, Problem, boolean]>([
  ['a certificate that keeps the call away', { code: 'network/insecure', facts: { host: 'a.test' } }, false],
  ['an insecure address of the result', { code: 'network/insecure' }, true],
  ['a redirect of the call', { code: 'service/redirected', facts: { status: 307, moved: 'request' } }, true],
  ['a redirect to what may be its result', { code: 'service/redirected', facts: { status: 302 } }, true],
  ['a reply without an address', { code: 'service/not-understood' }, true],
])('at a paid call, %s is told apart from a service that is away', (_, problem, expected) => {
  const job = conversionJob({ state: 'converting' });
  const outcome = decideOutcome(job, problem, { random: () => 0.5, pauseTries: () => 0 });
  expect(isMismatch(job, problem, outcome)).toBe(expected);
});
