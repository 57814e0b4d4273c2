import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, test } from 'vitest';
import { type JobInfo, type JobProgress, jobStates, type PauseReason } from '../../../../shared/schemas/job.ts';
import { jobOf } from './job.fixture.ts';
import { jobView } from './job-view.ts';

const en = await loadMessages('en');

const messages = en;
const now = Date.UTC(2026, 10, 20, 14, 3, 20);
const plain = (text: string): string => text.replace(/\u00a0/g, ' ');

interface Change {
  readonly progress?: JobProgress | undefined;
  readonly isNext?: boolean;
  readonly pauseReason?: PauseReason;
  readonly realTimeFactor?: number;
}
function view(change: Partial<JobInfo>, { progress, isNext = false, pauseReason, realTimeFactor }: Change = {}) {
  const job = jobOf('a', { connectionId: 'studio', connectionName: 'Studio', ...change });
  return jobView(job, {
    progress,
    isNext,
    pauseReason: pauseReason ?? null,
    realTimeFactor: realTimeFactor ?? null,
    now: () => now,
    messages,
  });
}
const progressOf = (direction: 'upload' | 'download', doneBytes: number, totalBytes: number | null): JobProgress => ({
  id: 'a',
  direction,
  doneBytes,
  totalBytes,
});

test.each(jobStates)('a job in state %s has a title', (state) => {
  expect(view({ state }).title).not.toBe('');
});

test('nothing is uploaded or downloaded on this computer', () => {
  const titleOf = (state: JobInfo['state'], change: Change = {}) => {
    const { title, detail } = view({ state, connectionId: 'local' }, change);
    return [title, plain(detail)];
  };
  expect([
    titleOf('created'),
    titleOf('uploading', { progress: progressOf('upload', 31e6, 58e6) }),
    titleOf('publishing', { progress: progressOf('download', 11e6, 44e6) }),
    titleOf('converted', { progress: progressOf('download', 11e6, null) }),
  ]).toEqual([
    ['Converts next', ''],
    ['Starting', '31 of 58 MB'],
    ['Saving', '11 of 44 MB'],
    ['Saving', '11 MB so far'],
  ]);
});

describe('a running job', () => {
  test('shows how much of the upload is done, as text and as a share', () => {
    const { title, detail, sent, received } = view(
      { state: 'uploading' },
      { progress: progressOf('upload', 31e6, 58e6) },
    );
    expect([title, plain(detail), received]).toEqual(['Uploading', '31 of 58 MB', 0]);
    expect(sent).toBeCloseTo(31 / 58);
  });

  test('shows how much of the download is done', () => {
    const { title, detail, sent, received } = view(
      { state: 'publishing' },
      { progress: progressOf('download', 11e6, 44e6) },
    );
    expect([title, plain(detail), sent, received]).toEqual(['Downloading', '11 of 44 MB', 1, 0.25]);
  });

  test('shows only the bytes so far if the total is unknown', () => {
    expect(plain(view({ state: 'converted' }, { progress: progressOf('download', 3e6, null) }).detail)).toBe(
      '3 MB so far',
    );
  });

  test('ignores the progress of another step', () => {
    expect(view({ state: 'uploading' }, { progress: progressOf('download', 1, 2) })).toMatchObject({
      detail: '',
      sent: 0,
    });
  });

  test('is saving once the download is complete', () => {
    expect(view({ state: 'publishing' }, { progress: progressOf('download', 44, 44) }).title).toBe('Saving');
    expect(view({ state: 'publishing' }).title).toBe('Saving');
  });

  test('shows how many sentences of a long text are spoken, and that they are joined', () => {
    const progress = { id: 'a', direction: 'speech', donePassages: 412, passages: 3000 } as const;
    expect(view({ kind: 'speech', state: 'converting' }, { progress })).toMatchObject({
      title: 'Speaking',
      detail: '412 of 3,000 sentences',
      received: 412 / 3000,
    });
    expect(view({ kind: 'speech', state: 'converted' }, { progress }).title).toBe('Joining the sentences');
  });

  test('shows elapsed time while converting, and never less than zero', () => {
    expect(plain(view({ state: 'converting', stateChangedAt: now - 12_400 }).detail)).toBe('12 s so far');
    expect(plain(view({ state: 'converting', stateChangedAt: now + 5000 }).detail)).toBe('0 s so far');
  });

  test('shows the time left, unless it takes longer than estimated', () => {
    const converting = { state: 'converting', stateChangedAt: now - 20_000, durationSeconds: 100 } as const;
    expect(plain(view(converting, { realTimeFactor: 0.6 }).detail)).toBe('20 s so far, about 40 s left');
    expect(plain(view(converting, { realTimeFactor: 0.1 }).detail)).toBe('20 s so far');
    expect(plain(view(converting).detail)).toBe('20 s so far');
  });

  test('finishes its step while the queue is paused', () => {
    expect(view({ state: 'uploading' }, { pauseReason: 'user' })).toMatchObject({
      status: 'active',
      title: 'Uploading',
    });
    const progress = progressOf('download', 1, 4);
    expect(view({ state: 'converted' }, { pauseReason: 'user', progress })).toMatchObject({
      title: 'Downloading',
      received: 0.25,
    });
  });
});

describe('a waiting job', () => {
  test('says whether it is next', () => {
    expect(view({ state: 'queued' }, { isNext: true }).detail).toBe('next');
    expect(view({ state: 'queued' }).detail).toBe('');
  });

  test.each([
    ['created', 'Uploads next', 0],
    ['uploaded', 'Converts next', 1],
    ['converted', 'Saves next', 1],
  ] as const)('in state %s names its next step', (state, title, sent) => {
    expect(view({ state })).toMatchObject({ status: 'pending', title, detail: '', sent });
  });

  test('names the pause that applies, and its next step', () => {
    const queued = view({ state: 'queued' }, { pauseReason: 'user', isNext: true });
    expect(queued).toMatchObject({ title: 'Paused', detail: '' });
    const uploaded = view({ state: 'uploaded' }, { pauseReason: 'user' });
    expect(uploaded).toMatchObject({ title: 'Paused', detail: 'Converts next' });
    const offline = view({ state: 'queued' }, { pauseReason: 'offline' });
    expect(offline).toMatchObject({ title: 'Waiting', detail: 'for the network' });
  });

  test.each(['queued', 'converting'] as const)('for another Timbre says so, %s', (state) => {
    const waiting = view({ kind: 'speech', state, problem: { code: 'job/elsewhere' } });
    expect(waiting).toMatchObject({ status: 'pending', title: 'Another Timbre is working on this' });
    expect(waiting.detail).toContain('If it doesn’t respond');
  });

  test('that is retried says why, when, and how often it was tried', () => {
    const problem = { code: 'network/timeout', words: 'Slow down.' } as const;
    const retrying = view({ state: 'uploaded', nextTryAt: now + 41_000, attempts: 3, problem });
    expect(retrying).toMatchObject({
      status: 'retrying',
      title: 'The service didn’t respond in time',
      serviceMessage: 'Slow down.',
    });
    expect(retrying.detail).toMatch(/^Next try at \d\d:\d\d:\d\d, tried 3 times$/);
    const due = view({ state: 'queued', nextTryAt: now - 1, attempts: 1, problem });
    expect(due.detail).toBe('Trying again soon, tried once');
  });
});

describe('an ended job', () => {
  test('that failed says why, what the service replied, and offers what may help', () => {
    const problem = { code: 'service/refused', words: 'Voice is required.' } as const;
    expect(view({ state: 'failed', problem })).toMatchObject({
      status: 'error',
      title: 'The service refused the request',
      serviceMessage: 'Voice is required.',
      actions: ['convert-differently', 'retry'],
    });
  });

  test('that was cancelled after its paid call asks, and offers no retry', () => {
    const problem = { code: 'service/may-charge' } as const;
    const actions = ['convert-again', 'leave'];
    expect(view({ state: 'cancelled', problem })).toMatchObject({ status: 'needs-input', actions });
    expect(view({ state: 'cancelled' })).toMatchObject({ status: 'idle', title: 'Cancelled' });
  });

  test('that is uncertain asks, and offers no retry', () => {
    expect(view({ state: 'uncertain' })).toMatchObject({ status: 'needs-input', actions: ['convert-again', 'leave'] });
  });
});
