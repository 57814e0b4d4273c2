import { systemClock } from '../../../src/main/core/clock.ts';
import { createUpdates } from '../../../src/main/core/updates/updates.ts';
import type { UpdateDependencies } from '../../../src/main/handlers/updates.ts';

/** The updates of a Timbre that comes from no package. */
export const noUpdates: UpdateDependencies = {
  updates: () =>
    Promise.resolve(
      createUpdates({
        clock: systemClock,
        http: { send: () => Promise.reject(new Error('nothing is looked for')) },
        dataFolder: '',
        version: '0.0.0',
        arch: process.arch,
        feed: null,
        installer: null,
        hasOpenJobs: () => Promise.resolve(false),
        onError: (error) => {
          throw error;
        },
      }),
    ),
  openPage: () => Promise.reject(new Error('no page is opened')),
};
