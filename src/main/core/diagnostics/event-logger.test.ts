import type { EndedHookRun } from '../hooks/hooks.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import { afterEach, expect, it } from 'vitest';
import { AppError, type Problem } from '../../../shared/errors.ts';
import { systemClock } from '../clock.ts';
import type { Job } from '../jobs/job.ts';
import type { Queue } from '../jobs/queue.ts';
import { createHttp } from '../voice-service/http.ts';
import { openWatchFixture, useWatchFixture, type WatchFixture } from '../watch/watch.fixture.ts';
import { createEventLogger, type EventLogger } from './event-logger.ts';

let fixture: WatchFixture;
let events: EventLogger;
let stopping: AbortController;
let entries: string[];
let skippedMs: number;
/** Why no copy was made last; listeners are told by `onCopies`. */
let copyProblem: Problem | null;
let onCopies: () => void;
const copies = {
  problem: () => copyProblem,
  onChanged(listener: () => void) {
    onCopies = listener;
    return () => (onCopies = () => undefined);
  },
};
let onRun: (ended: EndedHookRun) => void;
const hooks = {
  onRun(listener: typeof onRun) {
    onRun = listener;
    return () => undefined;
  },
};

useWatchFixture((opened) => {
  fixture = opened;
  stopping = new AbortController();
  entries = [];
  skippedMs = 0;
  copyProblem = null;
  const record =
    (level: string) =>
    (area: string, message: string, detail?: string): void =>
      void entries.push(`${level} ${area}: ${message}${detail === undefined ? '' : ` | ${detail}`}`);
  events = createEventLogger({
    log: {
      error: (area, error) => record('error')(area, String(error)),
      warn: record('warn'),
      info: record('info'),
      debug: record('debug'),
    },
    clock: { now: () => Date.now() + skippedMs, sleep: (_ms, signal) => systemClock.sleep(1, signal) },
  });
  const connections = { nameOf: (id: string) => (id === 'test' ? 'Studio' : id) };
  events.follow({ ...fixture, connections, copies, hooks, signal: stopping.signal });
});
afterEach(() => stopping.abort());

const of = (area: string) => entries.filter((entry) => entry.split(/[ :]/)[1] === area);
const watchFolder = async () => {
  const saved = await fixture.save();
  await fixture.until('the first scan', () => fixture.watch.getFolder(saved.folder.id).checkedAt !== null);
  return saved;
};

it('records that a call that may be charged was sent and answered, and how the job ended', async () => {
  await watchFolder();
  await fixture.put('one.wav', 1);
  await fixture.until('the job', () => fixture.jobs()[0]?.state === 'done');
  const [job] = fixture.jobs();
  const about = (what: string) => `info job: ${what} (${job?.connection.name ?? ''}, ${job?.id ?? ''})`;
  expect(of('job')).toEqual([
    about('conversion sent, which may be charged'),
    about('conversion answered'),
    about('conversion done'),
  ]);
  // What happens to it later is not its end again.
  skippedMs = 60_000;
  fixture.queue.store.reorder([job?.id ?? ''], null);
  expect(of('job')).toHaveLength(3);
});

it('records why a job failed', async () => {
  await watchFolder();
  await fixture.put('one.wav', 1);
  const [job] = await new Promise<readonly { readonly id: string }[]>((resolve) =>
    fixture.queue.store.onEvent((event) => event.kind === 'upserted' && resolve(event.jobs)),
  );
  fixture.queue.store.change(job?.id ?? '', {
    state: 'failed',
    problem: { code: 'input/cut', facts: { name: 'one' } },
  });
  expect(of('job').at(-1)).toMatch(/^warn job: conversion failed \(.*\): input\/cut, name one$/);
});

it('records pauses of the queue, each once, and their end', () => {
  const { breaker } = fixture.queue;
  const problem = { code: 'network/unreachable', facts: { host: 'studio.test' } } as const;
  breaker.pause({ connectionId: 'test', reason: 'offline', resumesAt: Date.now() + 1000, problem });
  breaker.pause({ connectionId: 'test', reason: 'offline', resumesAt: Date.now() + 9000, problem });
  fixture.queue.scheduler.pause();
  breaker.resume('test', ['offline']);
  expect(of('queue')).toEqual([
    'info queue: paused (offline at Studio): network/unreachable, host studio.test',
    'info queue: paused (user)',
    'info queue: pause ended (offline at Studio)',
  ]);
});

it('records when a folder is watched and when it can no longer be', async () => {
  const { folder } = await watchFolder();
  await expect.poll(() => of('watch').at(-1)).toMatch(`info watch: ${fixture.root}: watching`);
  fixture.watch.setPaused(folder.id, true);
  await expect.poll(() => of('watch').at(-1)).toBe(`info watch: ${fixture.root}: paused`);
  expect(new Set(of('watch')).size).toBe(of('watch').length);
});

it('records that the folders cannot be read, and their state once they can be', async () => {
  let onFolder: (id: string) => void = () => undefined;
  let isBroken = true;
  const watch = {
    onFolder(listener: typeof onFolder) {
      onFolder = listener;
      return () => undefined;
    },
    listFolders() {
      if (isBroken) throw new Error('database disk image is malformed');
      return fixture.watch.listFolders();
    },
  };
  const connections = { nameOf: (id: string) => id };
  const { folder } = await watchFolder();
  events.follow({ ...fixture, watch, connections, copies, hooks, signal: stopping.signal });
  onFolder(folder.id);
  await expect.poll(() => entries).toContain('error watch: Error: database disk image is malformed');
  await expect.poll(() => entries).toContain(`info watch: ${fixture.root}: watching`);
  entries = [];
  isBroken = false;
  onFolder(folder.id);
  await expect.poll(() => entries).toContain(`info watch: ${fixture.root}: watching`);
});

it('records a call that got no reply with its host and reason, and not its path or query', async () => {
  const http = createHttp({ onFailure: events.onNetworkFailure });
  const address = { origin: 'http://127.0.0.1:1', path: '/secret?token=SECRET' } as never;
  const limits = { connectTimeoutMs: 5000, replyTimeoutMs: 5000, stallTimeoutMs: 5000 };
  const call = () => http.send({ method: 'GET', address, ...limits, signal: new AbortController().signal });
  await expect(call()).rejects.toMatchObject({ code: 'network/unreachable' });
  await http.close();
  expect(of('network')).toEqual([
    'warn network: GET http://127.0.0.1:1: network/unreachable, host 127.0.0.1:1, reason ECONNREFUSED',
  ]);
});

it('records the same failure once a minute, with the number of those between', () => {
  const error = new AppError('network/cut', 'x');
  const fail = () => events.onNetworkFailure({ method: 'GET', origin: 'https://a.test', error });
  for (let k = 0; k < 5; k += 1) fail();
  skippedMs = 60_000;
  fail();
  expect(of('network')).toEqual([
    'warn network: GET https://a.test: network/cut',
    'warn network: GET https://a.test: network/cut, and 4 more since the last entry',
  ]);
});

/** A job that waits for the user. */
async function waitingJob(): Promise<Job> {
  await watchFolder();
  fixture.queue.scheduler.pause();
  await fixture.put('one.wav', 1);
  await fixture.until('the job', () => fixture.jobs().length === 1);
  return fixture.jobs()[0] ?? expect.unreachable();
}

function cancelMany(job: Job, { store }: Queue): void {
  const ids = Array.from({ length: 25 }, (_each, k) => `00000000-0000-4000-8000-0000000000${10 + k}`);
  store.add(ids.map((id) => ({ ...job, id })));
  store.batch(() => ids.forEach((id) => store.change(id, { state: 'cancelled' })));
}

it('records the same failure again after the clock was set back', () => {
  const error = new AppError('network/cut', 'x');
  const fail = () => events.onNetworkFailure({ method: 'GET', origin: 'https://a.test', error });
  fail();
  skippedMs = -86_400_000;
  fail();
  expect(of('network')).toHaveLength(2);
});

it('records one entry for many jobs that change at once', async () => {
  cancelMany(await waitingJob(), fixture.queue);
  expect(of('job')).toEqual(['info job: conversion cancelled (25 jobs)']);
});

it('records nothing of the jobs of another process, which does so itself', async () => {
  const job = await waitingJob();
  const command = await openWatchFixture(fixture.engine, fixture);
  try {
    cancelMany(job, command.queue);
    fixture.queue.store.poll();
    expect(fixture.queue.store.get('00000000-0000-4000-8000-000000000010')?.state).toBe('cancelled');
    expect(of('job')).toEqual([]);
  } finally {
    await command.stop();
  }
});

it('records each retry once, and the same again once a minute', async () => {
  const { store } = fixture.queue;
  const { id, connection } = await waitingJob();
  const problem = { code: 'network/cut' } as const;
  const retry = (inMs: number) => store.change(id, { problem, nextTryAt: began + inMs });
  const began = Date.now();
  retry(100_000);
  store.reorder([id], null);
  store.change(id, { problem, nextTryAt: began + 100_000 });
  const entry = `warn job: conversion is retried from queued (${connection.name}, ${id}): network/cut`;
  expect(of('job')).toEqual([entry]);
  retry(200_000);
  expect(of('job')).toEqual([entry]);
  skippedMs = 60_000;
  retry(300_000);
  expect(of('job')).toEqual([entry, `${entry}, and 1 more since the last entry`]);
});

it('records once why no copies of results are made, until one is made again', () => {
  const full: Problem = { code: 'output/disk-full', facts: { folder: '/data/copies' } };
  for (const problem of [full, full, null, full]) {
    copyProblem = problem;
    onCopies();
  }
  const entry = 'warn copies: no copy made: output/disk-full, folder /data/copies';
  expect(of('copies')).toEqual([entry, entry]);
});

it('records why no copy is made of the result with which a command ends', () => {
  stopping.abort();
  copyProblem = { code: 'output/disk-full' };
  onCopies();
  expect(of('copies')).toEqual(['warn copies: no copy made: output/disk-full']);
});

it('records each run of the program after a result, with the end of what it wrote', () => {
  const run = { name: 'a.wav', isTest: false, endedAt: 0, seconds: 1.25, exitCode: 0, output: '', problem: null };
  const job = conversionJob({ id: 'j1' });
  onRun({ job, run });
  const problem: Problem = { code: 'hook/failed', facts: { name: 'up.sh', exitCode: 7 } };
  onRun({ job, run: { ...run, exitCode: 7, output: 'no route\nto host', problem } });
  onRun({ job: null, run: { ...run, isTest: true } });
  expect(of('hook')).toEqual([
    'info hook: program succeeded after 1.3 s (j1)',
    'warn hook: program failed after 1.3 s (j1): hook/failed, name up.sh, exitCode 7 | no route\nto host',
    'info hook: program succeeded after 1.3 s (a try)',
  ]);
});
