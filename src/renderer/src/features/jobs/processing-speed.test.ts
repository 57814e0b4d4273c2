import { expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { jobsApi } from './jobs-api.fixture.ts';
import { ProcessingSpeeds } from './processing-speed.svelte.ts';

test('one request runs at a time, and refreshes during it are merged into one', async () => {
  const gates: PromiseWithResolvers<{ secondsPerSecond: number | null }>[] = [];
  const speeds = new ProcessingSpeeds(
    jobsApi({
      getProcessingSpeed: () => {
        const gate = Promise.withResolvers<{ secondsPerSecond: number | null }>();
        gates.push(gate);
        return gate.promise;
      },
    }),
  );
  expect(speeds.of('local')).toBeNull();
  const refreshed = speeds.refresh('local');
  void speeds.refresh('local');
  void speeds.refresh('local');
  expect(gates).toHaveLength(1);
  gates[0]?.resolve({ secondsPerSecond: 0.5 });
  await expect.poll(() => gates.length).toBe(2);
  expect(speeds.of('local')).toBe(0.5);
  gates[1]?.resolve({ secondsPerSecond: 0.6 });
  await refreshed;
  expect([speeds.of('local'), gates.length]).toEqual([0.6, 2]);
});

test('a speed that cannot be read is unknown', async () => {
  const speeds = new ProcessingSpeeds(
    jobsApi({ getProcessingSpeed: () => Promise.reject(new AppError('data/unreadable', 'no')) }),
  );
  await speeds.refresh('local');
  expect(speeds.of('local')).toBeNull();
});
