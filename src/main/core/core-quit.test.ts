import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultNameTemplate } from '../../shared/text/name-template.ts';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import { replyJson, startScriptedService, type ScriptedService } from './voice-service/scripted-service.fixture.ts';
import { systemClock } from './clock.ts';
import { createCore, type Core } from './core.ts';
import { testVoice } from './jobs/job.fixture.ts';
import { settled } from './jobs/wait-for-jobs.ts';

const sample = join(import.meta.dirname, '../../../samples/lantern.mp3');
const threads = {
  'inspection-worker': '../../sound/inspection-worker.ts',
  'sound-worker': '../../sound/sound-worker.ts',
  'baseline-worker': './watch/baseline-worker.ts',
  'checkpoint-worker': './database/checkpoint-worker.ts',
  'integrity-worker': './database/integrity-worker.ts',
  'list-worker': './history/list-worker.ts',
  'statistics-worker': './history/statistics-worker.ts',
};
let folder: string;
let core: Core;
let defects: unknown[];
let service: ScriptedService;
/** Resolves when a file is on its way to the trash, which takes until `trashed`. */
let trashing: PromiseWithResolvers<void>;
let trashed: PromiseWithResolvers<void>;

const paidCalls = () => service.requests.filter(({ url }) => url.includes('changeaudiofile')).length;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-quit-'));
  defects = [];
  [trashing, trashed] = [Promise.withResolvers(), Promise.withResolvers()];
  const sound = await readFile(sample);
  const address = () => `${service.origin}/result`;
  const replies: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ['create', (response) => replyJson(response, { taskId: 't' })],
    ['upload', (response) => replyJson(response, { uuid: 't' })],
    ['change', (response) => replyJson(response, { status: 'success', data: { audioUrl: address() } })],
    ['result', (response) => void response.end(sound)],
  ];
  service = await startScriptedService(({ url }, response) =>
    replies.find(([part]) => url.includes(part))?.[1](response),
  );
  core = createCore({
    clock: systemClock,
    random: Math.random,
    dataFolder: join(folder, 'data'),
    spawnService: () => expect.unreachable('nothing is asked of a process'),
    threadUrl: (name) => new URL(threads[name], import.meta.url),
    role: 'command',
    settings: () => defaultSettings,
    remotes: [service.connection()],
    onProgress: () => undefined,
    onDefect: (error) => defects.push(error),
    onDamage: () => undefined,
    trash() {
      trashing.resolve();
      return trashed.promise;
    },
  });
});
afterEach(async () => {
  trashed.resolve();
  await core.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});

async function add(count: number): Promise<readonly string[]> {
  const { queue } = await core.data();
  const paths = Array.from({ length: count }, (_, k) => join(folder, `${count} ${k}.mp3`));
  for (const path of paths) await copyFile(sample, path);
  const { document } = core.connections.get('test');
  const { ids } = await queue.submitJobs.add(
    paths,
    {
      connection: { id: 'test', name: 'Studio', document },
      nameTemplate: defaultNameTemplate,
      voice: testVoice,
      settings: { ...defaultSettings.conversion, voiceId: testVoice.id },
      outputFolder: join(folder, 'out'),
    },
    new AbortController().signal,
  );
  return ids;
}

it('sends no paid call once quitting is decided, however long shutdown takes', async () => {
  const { queue, historyFiles } = await core.data();
  queue.scheduler.start();
  const done = await add(1);
  await settled(queue.store, done);
  await historyFiles.remove(done, true, new AbortController().signal);
  queue.scheduler.pause();
  const ids = await add(30);
  const first = new Promise<void>((resolve) => {
    const end = queue.store.onEvent((event) => {
      if (event.kind !== 'upserted' || !event.jobs.some(({ state }) => state === 'converting')) return;
      end();
      resolve();
    });
  });
  queue.scheduler.resume(null);
  await first;
  const stopping = core.stop();
  const before = paidCalls();
  await trashing.promise;
  trashed.resolve();
  await stopping;
  // One call may have been handed to the network in the same moment.
  expect(paidCalls()).toBeLessThanOrEqual(before + 4);
  expect(paidCalls()).toBeLessThan(ids.length);
});

it('a command whose data cannot note which connections there were has not failed for that', async () => {
  await mkdir(join(folder, 'data'), { recursive: true });
  await writeFile(join(folder, 'data', 'secrets'), 'in the way');
  await core.data();
  expect(defects).toEqual([]);
});
