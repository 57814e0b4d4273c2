import { describe, expect, it } from 'vitest';
import { createListeners } from '../events.ts';
import { summarizeBatches, type BatchSummary } from './batch-summary.ts';
import type { Job } from './job.ts';
import { conversionJob } from './job.fixture.ts';
import type { JobEvent } from './job-store.ts';

function setUp(before: readonly string[] = []) {
  const events = createListeners<JobEvent>();
  const summaries: BatchSummary[] = [];
  const store = { onEvent: events.add, unfinished: () => before, owns: (id: string) => !id.startsWith('foreign') };
  const isDecidedAnew = ({ source }: Job) => source?.path.startsWith('/watched/') === true;
  const stop = summarizeBatches(store, isDecidedAnew, (summary) => summaries.push(summary));
  const put = (id: string, state: Job['state']) =>
    events.emit({ kind: 'upserted', jobs: [conversionJob({ id, state })] });
  return { events, put, summaries, stop };
}

describe('a batch', () => {
  it('is reported once, when its last job has ended', () => {
    const { put, summaries } = setUp();
    put('a', 'queued');
    put('b', 'queued');
    put('a', 'done');
    put('c', 'queued');
    put('b', 'failed');
    expect(summaries).toEqual([]);
    put('c', 'uncertain');
    expect(summaries).toEqual([{ done: 1, needAttention: 2 }]);
    put('d', 'queued');
    put('d', 'done');
    expect(summaries.slice(1)).toEqual([{ done: 1, needAttention: 0 }]);
  });

  it('that the user cancelled is not reported', () => {
    const { put, summaries } = setUp();
    put('a', 'queued');
    put('a', 'cancelled');
    expect(summaries).toEqual([]);
  });

  it('does not count a version of a watched file that a newer one replaces', () => {
    const { events, put, summaries } = setUp();
    const watched = { ...conversionJob().source, path: '/watched/a.wav', sha256: 'ab' };
    const changed = { state: 'failed', problem: { code: 'input/changed' } } as const;
    put('old', 'queued');
    put('a', 'queued');
    put('dropped', 'queued');
    events.emit({ kind: 'upserted', jobs: [conversionJob({ id: 'old', ...changed, source: watched })] });
    events.emit({ kind: 'upserted', jobs: [conversionJob({ id: 'dropped', ...changed })] });
    put('a', 'done');
    expect(summaries).toEqual([{ done: 1, needAttention: 1 }]);
  });

  it('counts what was never sent of a folder that is no longer watched', () => {
    const { events, put, summaries } = setUp();
    const source = { ...conversionJob().source, path: '/removed/a.wav', sha256: 'ab' };
    put('a', 'queued');
    const missing = { state: 'failed', problem: { code: 'input/missing' } } as const;
    events.emit({ kind: 'upserted', jobs: [conversionJob({ id: 'a', ...missing, source })] });
    expect(summaries).toEqual([{ done: 0, needAttention: 1 }]);
  });

  it('includes jobs left by the last run', () => {
    const { put, summaries } = setUp(['a']);
    put('a', 'done');
    expect(summaries).toEqual([{ done: 1, needAttention: 0 }]);
  });

  it('does not count jobs that had ended before', () => {
    const { put, summaries } = setUp();
    put('old', 'done');
    put('a', 'queued');
    put('a', 'done');
    expect(summaries).toEqual([{ done: 1, needAttention: 0 }]);
  });

  it('neither counts nor waits for jobs of another process', () => {
    const { put, summaries } = setUp();
    put('foreign', 'queued');
    put('a', 'queued');
    put('a', 'done');
    put('foreign', 'done');
    expect(summaries).toEqual([{ done: 1, needAttention: 0 }]);
  });

  it('is not reported after unsubscribing', () => {
    const { put, summaries, stop } = setUp();
    put('a', 'queued');
    stop();
    put('a', 'done');
    expect(summaries).toEqual([]);
  });
});
