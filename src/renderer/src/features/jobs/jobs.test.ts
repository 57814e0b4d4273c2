import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { JobChanges, JobInfo, JobPage, JobProgress } from '../../../../shared/schemas/job.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';
import { jobOf } from './job.fixture.ts';
import { jobsApi } from './jobs-api.fixture.ts';
import { Jobs } from './jobs.svelte.ts';

function setUp(pages: readonly (readonly JobInfo[])[] = []) {
  let change: (changes: JobChanges) => void = () => undefined;
  let progress: (list: readonly JobProgress[]) => void = () => undefined;
  const calls: string[] = [];
  const faults: AppError[] = [];
  const call = (name: string) => (input: { readonly ids: readonly string[] }) => {
    const fault = faults.shift();
    if (fault) return Promise.reject(fault);
    calls.push(`${name} ${input.ids.length}`);
    return Promise.resolve();
  };
  const api = jobsApi({
    list: ({ after }): Promise<JobPage> => {
      const at = after ?? 0;
      return Promise.resolve({ jobs: pages[at] ?? [], next: at + 1 < pages.length ? at + 1 : null });
    },
    cancel: call('cancel'),
    retry: call('retry'),
    remove: call('remove'),
    onChanged: (listener) => {
      change = listener;
      return () => undefined;
    },
    onProgressed: (listener) => {
      progress = listener;
      return () => undefined;
    },
  });
  const internalDrag = createInternalDrag();
  const drag = ({ ids }: { readonly ids: readonly string[] }) => {
    const fault = faults.shift();
    return fault ? Promise.reject(fault) : Promise.resolve({ names: ids.map((id) => `${id}.wav`) });
  };
  const jobs = new Jobs({ jobs: api, history: { drag, copyPaths: () => Promise.resolve({ paths: 1 }) } }, internalDrag);
  jobs.subscribe();
  return {
    jobs,
    internalDrag,
    calls,
    faults,
    upsert: (...upserted: readonly JobInfo[]) => change({ upserted, removed: [] }),
    removeEvent: (...removed: readonly string[]) => change({ upserted: [], removed }),
    progress: (...list: readonly JobProgress[]) => progress(list),
  };
}

describe('jobs', () => {
  test('are loaded page by page', async () => {
    const { jobs } = setUp([
      [jobOf('a', { position: 1 })],
      [jobOf('b', { position: 2 })],
      [jobOf('c', { position: 3 })],
    ]);
    await jobs.load();
    expect(jobs.queue.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('are merged by revision, whichever arrives first', async () => {
    const { jobs, upsert } = setUp([[jobOf('a', { revision: 1, state: 'queued' })]]);
    upsert(jobOf('a', { revision: 2, state: 'uploading' }));
    await jobs.load();
    expect(jobs.find('a')?.state).toBe('uploading');
  });

  test('that are removed during loading stay removed', async () => {
    const { jobs, removeEvent } = setUp([[jobOf('a')], [jobOf('b')]]);
    const loading = jobs.load();
    removeEvent('b');
    await loading;
    expect(jobs.queue.map(({ id }) => id)).toEqual(['a']);
  });

  test('are counted by state', () => {
    const { jobs, upsert } = setUp();
    const states = ['queued', 'queued', 'uploading', 'converting', 'failed', 'uncertain', 'done', 'cancelled'] as const;
    upsert(...states.map((state, k) => jobOf(`j${k}`, { position: k, state })));
    expect(jobs.counts).toEqual({ waiting: 2, running: 2, needAttention: 2 });
    expect(jobs.open.map(({ id }) => id)).toEqual(['j0', 'j1', 'j2', 'j3']);
    expect(jobs.done.map(({ id }) => id).sort()).toEqual(['j6', 'j7']);
  });

  test('that are done are listed latest first', () => {
    const { jobs, upsert } = setUp();
    upsert(jobOf('old', { state: 'done', stateChangedAt: 1 }), jobOf('new', { state: 'done', stateChangedAt: 2 }));
    expect(jobs.done.map(({ id }) => id)).toEqual(['new', 'old']);
  });

  test('lose their progress when they end', () => {
    const { jobs, upsert, progress } = setUp();
    upsert(jobOf('a', { state: 'uploading', revision: 1 }));
    progress({ id: 'a', direction: 'upload', doneBytes: 1, totalBytes: 2 });
    progress({ id: 'unknown', direction: 'upload', doneBytes: 1, totalBytes: 2 });
    expect([...jobs.progress.keys()]).toEqual(['a']);
    upsert(jobOf('a', { state: 'done', revision: 2 }));
    expect(jobs.progress.size).toBe(0);
  });

  test('wait between steps, and a result until its first byte arrives', () => {
    const { jobs, upsert, progress } = setUp();
    upsert(...(['created', 'uploaded', 'converted'] as const).map((state) => jobOf(state, { state })));
    expect(jobs.counts).toEqual({ waiting: 3, running: 0, needAttention: 0 });
    progress({ id: 'converted', direction: 'download', doneBytes: 1, totalBytes: 2 });
    expect(jobs.counts).toEqual({ waiting: 2, running: 1, needAttention: 0 });
  });

  test('lose the progress of a failed attempt', () => {
    const { jobs, upsert, progress } = setUp();
    upsert(jobOf('a', { state: 'converted', revision: 1 }));
    progress({ id: 'a', direction: 'download', doneBytes: 1, totalBytes: 2 });
    upsert(jobOf('a', { state: 'converted', revision: 2, attempts: 1, nextTryAt: 9 }));
    expect(jobs.progress.size).toBe(0);
  });

  test('are removed in calls of at most 1,000', async () => {
    const { jobs, calls } = setUp();
    await jobs.remove(Array.from({ length: 2500 }, (_, k) => String(k)));
    expect(calls).toEqual(['remove 1000', 'remove 1000', 'remove 500']);
  });

  test('show why a command failed until the next one', async () => {
    const { jobs, faults } = setUp();
    faults.push(new AppError('job/not-found', 'gone'));
    await jobs.cancel(['a']);
    expect(jobs.problem?.code).toBe('job/not-found');
    await jobs.retry(['a']);
    expect(jobs.problem).toBeNull();
  });

  test('are dragged out as files that are not added again, and say why if they cannot be', async () => {
    const { jobs, internalDrag, faults } = setUp();
    await jobs.drag('a');
    expect(await internalDrag.drop([{ name: 'a.wav' }])).toBe(true);
    faults.push(new AppError('input/missing', 'gone'));
    await jobs.drag('b');
    expect(jobs.problem?.code).toBe('input/missing');
    expect(await internalDrag.drop([{ name: 'b.wav' }])).toBe(false);
  });
});
