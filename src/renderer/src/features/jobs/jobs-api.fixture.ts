import type { Api } from '../../lib/api.ts';

const nothing = () => Promise.resolve();

/** The api of an empty queue, with the given functions replaced. */
export const jobsApi = (change: Partial<Api['jobs']> = {}): Api['jobs'] => ({
  preview: () => Promise.resolve({ found: 0, recordings: 0, seconds: 0, unmeasured: 0, longestSeconds: 0, tooLong: 0 }),
  undoAdd: () => Promise.resolve({ removed: 0, kept: 0 }),
  add: () => Promise.resolve({ added: 0, refused: 0, ignored: 0, withoutPath: 0, addition: null, createdIds: [] }),
  addSample: () =>
    Promise.resolve({ added: 1, refused: 0, ignored: 0, withoutPath: 0, addition: null, createdIds: [] }),
  list: () => Promise.resolve({ jobs: [], next: null }),
  cancel: nothing,
  retry: nothing,
  retryIn: nothing,
  repeat: nothing,
  reorder: nothing,
  getProcessingSpeed: () => Promise.resolve({ secondsPerSecond: null }),
  pauses: () => Promise.resolve([]),
  pause: nothing,
  resume: nothing,
  continueOnBattery: nothing,
  allowToken: nothing,
  remove: nothing,
  reveal: nothing,
  getWaveform: () => Promise.resolve(null),
  onChanged: () => () => undefined,
  onPausesChanged: () => () => undefined,
  onProgressed: () => () => undefined,
  ...change,
});
