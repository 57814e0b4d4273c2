import { expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { jobsApi } from './jobs-api.fixture.ts';
import { ProcessingSpeeds } from './processing-speed.svelte.ts';

test('a pace is asked for once at a time, and once more for all that was wished meanwhile', async () => {
  const gates: PromiseWithResolvers<{ secondsPerSecond: number | null }>[] = [];
  const paces = new ProcessingSpeeds(
    jobsApi({
      getProcessingSpeed: () => {
        const gate = Promise.withResolvers<{ secondsPerSecond: number | null }>();
        gates.push(gate);
        return gate.promise;
      },
    }),
  );
  expect(paces.of('local')).toBeNull();
  const asked = paces.refresh('local');
  void paces.refresh('local');
  void paces.refresh('local');
  expect(gates).toHaveLength(1);
  gates[0]?.resolve({ secondsPerSecond: 0.5 });
  await expect.poll(() => gates.length).toBe(2);
  expect(paces.of('local')).toBe(0.5);
  gates[1]?.resolve({ secondsPerSecond: 0.6 });
  await asked;
  expect([paces.of('local'), gates.length]).toEqual([0.6, 2]);
});

test('a pace that cannot be had is not known', async () => {
  const paces = new ProcessingSpeeds(
    jobsApi({ getProcessingSpeed: () => Promise.reject(new AppError('data/unreadable', 'no')) }),
  );
  await paces.refresh('local');
  expect(paces.of('local')).toBeNull();
});
