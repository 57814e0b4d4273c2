import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import type { SpeechRequest } from './new-job.ts';
import type { SpeechJob } from './job.ts';
import { conversionJob, speechJob } from './job.fixture.ts';
import type { Queue } from './queue.ts';
import { openQueue } from './open-queue.fixture.ts';

const { connection, voice, settings } = speechJob();
const request: SpeechRequest = { connection, voice, settings, outputFolder: '/speech', nameTemplate: 'hello' };
const text = 'Good evening.';
const { signal } = new AbortController();
let folder: string;
let http: Http;
let queue: Queue;

type Connections = Parameters<typeof createConnectionRegistry>[1];

const openAs = (role: 'app' | 'command', known: Connections = [], askedAt = Infinity) =>
  openQueue({
    askedAt,
    dataFolder: folder,
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(http, known),
    role,
    onProgress: () => undefined,
    onDefect: (error) => {
      throw error;
    },
  });
/** Ends one command and starts the next. */
async function restartCommand(): Promise<void> {
  await queue.stop();
  queue = await openAs('command');
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-speech-'));
  http = createHttp();
  queue = await openAs('command');
});
afterEach(async () => {
  await queue.stop();
  await http.close();
  await rm(folder, { recursive: true });
});

it('resumes a speech job with the same text and request from an earlier command', async () => {
  const { id } = queue.submitJobs.addSpeech(text, request);
  await restartCommand();
  expect(await queue.submitJobs.resumeSpeech('Good morning.', request)).toBeUndefined();
  expect(await queue.submitJobs.resumeSpeech(text, { ...request, nameTemplate: 'other' })).toBeUndefined();
  expect(
    await queue.submitJobs.resumeSpeech(text, { ...request, settings: { ...settings, speed: 2 } }),
  ).toBeUndefined();
  expect(await queue.submitJobs.resumeSpeech(text, request)).toMatchObject({ id, state: 'queued' });
  expect(queue.store.owns(id)).toBe(true);
});

it.each(['failed', 'cancelled'] as const)('does not resume a %s job', async (state) => {
  const { id } = queue.submitJobs.addSpeech(text, request);
  queue.store.change(id, { state });
  await restartCommand();
  expect(await queue.submitJobs.resumeSpeech(text, request)).toBeUndefined();
});

it('resumes an uncertain job, so that it is not paid for twice', async () => {
  const { id } = queue.submitJobs.addSpeech(text, request);
  queue.store.change(id, { state: 'uncertain' });
  await restartCommand();
  expect(await queue.submitJobs.resumeSpeech(text, request)).toMatchObject({ id, state: 'uncertain' });
});

it('reports a cancelled job whose paid call may have been charged before it is paid for again', async () => {
  const { id } = queue.submitJobs.addSpeech(text, request);
  queue.store.change(id, { state: 'cancelled', problem: { code: 'service/may-charge' } });
  await restartCommand();
  expect(await queue.submitJobs.resumeSpeech(text, request)).toMatchObject({ id, state: 'cancelled' });
  queue.store.acknowledge([id]);
  await restartCommand();
  expect(await queue.submitJobs.resumeSpeech(text, request)).toBeUndefined();
});

it('reports a doubt that arose after the command was begun before it pays again', async () => {
  const askedAt = Date.now();
  const { id } = queue.submitJobs.addSpeech(text, request);
  queue.store.change(id, { state: 'uncertain' });
  queue.store.acknowledge([id]);
  const other = await openAs('command', [], askedAt);
  expect((await other.submitJobs.addTexts([{ text, request }])).ids).toEqual([id]);
  expect(await other.submitJobs.resumeSpeech(text, request)).toMatchObject({ id, state: 'uncertain' });
  expect(other.submitJobs.addSpeech(text, request)).toMatchObject({ id, state: 'uncertain' });
  await other.stop();
});

it.each<[string, () => Promise<SpeechJob>]>([
  ['speaks', () => Promise.resolve(queue.submitJobs.addSpeech(text, request))],
  [
    'took up, as it was made by one that was killed,',
    async () => {
      const { id } = queue.submitJobs.addSpeech(text, request);
      queue.store.change(id, { state: 'done' });
      const job = queue.store.get(id) as SpeechJob;
      await restartCommand();
      queue.store.requestJobs([id]);
      return job;
    },
  ],
])('waits for the text that another command %s in place of paying for it, too', async (_what, speak) => {
  const { id } = await speak();
  const other = await openAs('command');
  expect(await other.submitJobs.resumeSpeech(text, request)).toBeUndefined();
  expect(other.submitJobs.addSpeech(text, request)).toMatchObject({ id });
  expect(other.submitJobs.addSpeech(text, { ...request, nameTemplate: 'other' }).id).not.toBe(id);
  queue.store.acknowledge([id]);
  await other.stop();
});

it('speaks a text again once the command that spoke it has ended', async () => {
  const { id } = queue.submitJobs.addSpeech(text, request);
  queue.store.change(id, { state: 'done' });
  queue.store.acknowledge([id]);
  const other = await openAs('command');
  expect(other.submitJobs.addSpeech(text, request).id).not.toBe(id);
  await other.stop();
});

it('keeps what it waited for when the command that spoke it reports first, and it is killed before it does', async () => {
  const { id } = queue.submitJobs.addSpeech(text, request);
  const other = await openAs('command');
  other.submitJobs.addSpeech(text, request);
  queue.store.change(id, { state: 'uncertain' });
  queue.store.acknowledge([id]);
  await other.stop();
  await restartCommand();
  expect(await queue.submitJobs.resumeSpeech(text, request)).toMatchObject({ id });
});

it.each(['app', 'command'] as const)('takes up what another process (%s) left when it ended just now', async (role) => {
  const other = await openAs(role);
  const { id } = other.submitJobs.addSpeech(text, request);
  await other.stop();
  expect(queue.submitJobs.addSpeech(text, request)).toMatchObject({ id });
  expect(queue.store.owns(id)).toBe(true);
});

it('takes over what it waits for when the process that works on it is killed', async () => {
  const { id } = queue.submitJobs.addSpeech(text, request);
  const other = await openAs('command');
  other.submitJobs.addSpeech(text, request);
  other.scheduler.pause();
  other.scheduler.start();
  expect(other.store.owns(id)).toBe(false);
  await queue.stop();
  await expect.poll(() => other.store.owns(id)).toBe(true);
  await other.stop();
});

it('does not read earlier texts in the app, where a doubt is known, while the window waits', async () => {
  const app = await openAs('app');
  const reads = vi.spyOn(app.store, 'earlierSpeech');
  app.submitJobs.addSpeech(text, request);
  expect(reads).not.toHaveBeenCalled();
  await app.stop();
});

it('does not resume a failed job whose result is gone', async () => {
  const { id } = queue.submitJobs.addSpeech(text, request);
  queue.store.change(id, { state: 'failed', audioUrl: 'https://a.test/r', problem: { code: 'service/result-gone' } });
  await restartCommand();
  expect(await queue.submitJobs.resumeSpeech(text, request)).toBeUndefined();
});

it('repeats an entry that was asked for by hand, even if its paid result was never fetched', async () => {
  const { id } = queue.submitJobs.addSpeech(text, request);
  const failed = queue.store.change(id, { state: 'failed', audioUrl: 'https://a.test/r' });
  await restartCommand();
  expect(await queue.submitJobs.resumeSame(failed, signal)).toBeUndefined();
});

it('does not resume a job whose result was deleted since, or whose outcome was acknowledged', async () => {
  const done = queue.submitJobs.addSpeech(text, request);
  queue.store.change(done.id, { state: 'done', output: { path: join(folder, 'gone.wav'), method: 'link' } });
  const acknowledged = queue.submitJobs.addSpeech(text, request);
  queue.store.acknowledge([acknowledged.id]);
  await restartCommand();
  expect(await queue.submitJobs.resumeSpeech(text, request)).toBeUndefined();
});

it('resumes a repeated job with the same request, for recordings and texts', async () => {
  const path = join(folder, 'a.wav');
  await writeFile(path, 'a recording');
  const recording = conversionJob({ state: 'done', source: { path, subfolder: '', snapshot: null } });
  for (const job of [recording, speechJob({ state: 'done', target: { folder, nameTemplate: 'hello' } })]) {
    expect(await queue.submitJobs.resumeSame(job, signal)).toBeUndefined();
    const { id } = queue.submitJobs.repeat(job);
    await restartCommand();
    const other = { ...job, settings: { ...job.settings, pitch: 2 } } as typeof job;
    expect(await queue.submitJobs.resumeSame(other, signal)).toBeUndefined();
    expect(await queue.submitJobs.resumeSame(job, signal)).toMatchObject({ id, state: 'queued' });
    expect(queue.store.owns(id)).toBe(true);
  }
});

it('does not resume a job whose recording changed since its preflight', async () => {
  const path = join(folder, 'a.wav');
  await writeFile(path, 'a recording');
  const recording = conversionJob({ state: 'done', source: { path, subfolder: '', snapshot: null } });
  const { id } = queue.submitJobs.repeat(recording);
  const snapshot = { device: '1', inode: '1', sizeBytes: 1, modifiedNs: '1' };
  queue.store.change(id, { source: { path, subfolder: '', snapshot } });
  await restartCommand();
  expect(await queue.submitJobs.resumeSame(recording, signal)).toBeUndefined();
});

it('adopts the thousands of jobs of a killed process in parts, so that the window can open meanwhile', async () => {
  const ids = queue.submitJobs.addSpeeches(
    Array.from({ length: 320 }, (_, k) => ({ text: `Sentence ${k}.`, request })),
    { path: '/speech/book.csv', subfolder: '', snapshot: null },
  );
  await queue.stop();
  const { id, document } = connection;
  queue = await openAs('app', [{ id, kind: 'remote', document, access: () => new Promise(() => undefined) }]);
  const parts: string[][] = [];
  queue.store.onEvent((event) => event.kind === 'upserted' && parts.push(event.jobs.map(({ id }) => id)));
  queue.scheduler.pause();
  queue.scheduler.start();
  await expect.poll(() => ids.every((id) => queue.store.owns(id))).toBe(true);
  expect(parts.map(({ length }) => length)).toEqual([100, 100, 100, 20]);
  expect(parts.flat()).toEqual(ids);
});
