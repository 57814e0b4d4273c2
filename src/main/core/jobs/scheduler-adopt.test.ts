import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import type { SpeechRequest } from './submit-jobs.ts';
import { conversionJob, speechJob } from './job.fixture.ts';
import type { Queue } from './queue.ts';
import { openQueue } from './open-queue.fixture.ts';

const { connection, voice, settings } = speechJob();
const order: SpeechRequest = { connection, voice, settings, outputFolder: '/speech', nameTemplate: 'hello' };
const text = 'Good evening.';
let folder: string;
let http: Http;
let queue: Queue;

const openAs = (role: 'app' | 'command') =>
  openQueue({
    dataFolder: folder,
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(http, []),
    role,
    onProgress: () => undefined,
    onDefect: (error) => {
      throw error;
    },
  });
/** Ends one command and begins the next. */
async function nextCommand(): Promise<void> {
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

it('takes up the same text, asked for in the same way, that a command left', async () => {
  const { id } = queue.submitJobs.addSpeech(text, order);
  await nextCommand();
  expect(await queue.submitJobs.resumeSpeech('Good morning.', order)).toBeUndefined();
  expect(await queue.submitJobs.resumeSpeech(text, { ...order, nameTemplate: 'other' })).toBeUndefined();
  expect(await queue.submitJobs.resumeSpeech(text, { ...order, settings: { ...settings, speed: 2 } })).toBeUndefined();
  expect(await queue.submitJobs.resumeSpeech(text, order)).toMatchObject({ id, state: 'queued' });
  expect(queue.store.owns(id)).toBe(true);
});

it.each(['failed', 'cancelled'] as const)('begins anew what is %s', async (state) => {
  const { id } = queue.submitJobs.addSpeech(text, order);
  queue.store.change(id, { state });
  await nextCommand();
  expect(await queue.submitJobs.resumeSpeech(text, order)).toBeUndefined();
});

it('tells of what is uncertain before it may be paid for twice', async () => {
  const { id } = queue.submitJobs.addSpeech(text, order);
  queue.store.change(id, { state: 'uncertain' });
  await nextCommand();
  expect(await queue.submitJobs.resumeSpeech(text, order)).toMatchObject({ id, state: 'uncertain' });
});

it('makes again what is done and was deleted since, and what was told', async () => {
  const done = queue.submitJobs.addSpeech(text, order);
  queue.store.change(done.id, { state: 'done', output: { path: join(folder, 'gone.wav'), how: 'link' } });
  const told = queue.submitJobs.addSpeech(text, order);
  queue.store.acknowledge([told.id]);
  await nextCommand();
  expect(await queue.submitJobs.resumeSpeech(text, order)).toBeUndefined();
});

it('takes up what was asked for again of a recording or a text, in the same way', async () => {
  const path = join(folder, 'a.wav');
  await writeFile(path, 'a recording');
  const recording = conversionJob({ state: 'done', source: { path, subfolder: '', snapshot: null } });
  for (const job of [recording, speechJob({ state: 'done', target: { folder, nameTemplate: 'hello' } })]) {
    expect(await queue.submitJobs.resumeSame(job)).toBeUndefined();
    const { id } = queue.submitJobs.repeat(job);
    await nextCommand();
    const other = { ...job, settings: { ...job.settings, pitch: 2 } } as typeof job;
    expect(await queue.submitJobs.resumeSame(other)).toBeUndefined();
    expect(await queue.submitJobs.resumeSame(job)).toMatchObject({ id, state: 'queued' });
    expect(queue.store.owns(id)).toBe(true);
  }
});

it('begins again with a recording that was changed since somebody looked at it', async () => {
  const path = join(folder, 'a.wav');
  await writeFile(path, 'a recording');
  const recording = conversionJob({ state: 'done', source: { path, subfolder: '', snapshot: null } });
  const { id } = queue.submitJobs.repeat(recording);
  const snapshot = { device: '1', inode: '1', sizeBytes: 1, modifiedNs: '1' };
  queue.store.change(id, { source: { path, subfolder: '', snapshot } });
  await nextCommand();
  expect(await queue.submitJobs.resumeSame(recording)).toBeUndefined();
});
