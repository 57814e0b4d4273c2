import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Problem } from '../../shared/errors.ts';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import { systemClock } from './clock.ts';
import { createCore } from './core.ts';
import { damageRootPage } from './database/damage.fixture.ts';
import { databaseName } from './database/database.ts';
import { testVoice } from './jobs/job.fixture.ts';
import { settled } from './jobs/wait-for-jobs.ts';
import type { Connection } from './voice-service/connection.ts';
import { replyJson, startScriptedService } from './voice-service/scripted-service.fixture.ts';

const sample = join(import.meta.dirname, '../../../samples/lantern.mp3');
const threads = {
  'inspection-worker': '../../sound/inspection-worker.ts',
  'sound-worker': '../../sound/sound-worker.ts',
  'integrity-worker': './database/integrity-worker.ts',
  'list-worker': './history/list-worker.ts',
  'statistics-worker': './history/statistics-worker.ts',
};

/** The app on a folder of its own, and what it says of damage. */
async function openCore(folder: string, connection: Connection) {
  const problems: Problem[] = [];
  const verified = Promise.withResolvers<void>();
  const core = createCore({
    clock: systemClock,
    random: Math.random,
    dataFolder: folder,
    remotes: [connection],
    spawnService: () => {
      throw new Error('nothing is asked of a process');
    },
    threadUrl: (name) => new URL(threads[name], import.meta.url),
    role: 'app',
    settings: () => defaultSettings,
    onProgress: () => undefined,
    onDefect: () => undefined,
    onDamage: (problem) => problems.push(problem),
    onVerified: () => verified.resolve(),
    trash: () => Promise.reject(new Error('nothing is thrown away')),
  });
  const { submitJobs, store } = await core.queue();
  await verified.promise;
  const request = {
    connection: { id: connection.id, name: 'Studio', document: connection.document },
    voice: testVoice,
    settings: { ...defaultSettings.conversion, voiceId: testVoice.id },
    outputFolder: join(folder, 'out'),
    nameTemplate: '{name}',
  };
  const add = (paths: readonly string[]) => submitJobs.add(paths, request, new AbortController().signal);
  return { core, problems, store, add };
}

it('a reply to a paid call outlives the repair of a database that was damaged meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-damage-'));
  const source = join(folder, 'a.mp3');
  await copyFile(sample, source);
  const recording = await readFile(sample);
  let paid = 0;
  const service = await startScriptedService(async ({ url }, response) => {
    if (url.includes('create')) replyJson(response, { taskId: 't' });
    else if (url.includes('upload')) replyJson(response, { uuid: 't' });
    else if (url.includes('/result')) response.end(recording);
    else {
      paid += 1;
      // An index that is written with each change of a job.
      await damageRootPage(join(folder, databaseName), 'job_change');
      replyJson(response, { status: 'success', data: { audioUrl: `${service.origin}/result` } });
    }
  });
  const { core, problems, add } = await openCore(folder, service.connection());
  const { ids } = await add([source]);
  await expect.poll(() => problems).toMatchObject([{ code: 'data/damaged', facts: { count: 1 } }]);
  const { store } = await core.queue();
  expect(await settled(store, ids)).toMatchObject([{ state: 'done' }]);
  expect(paid).toBe(1);
  await core.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});

it('recordings that are being added while the database shows damage are added to the repaired one, each once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-damage-'));
  const sources = Array.from({ length: 60 }, (_, k) => join(folder, `take ${k}.mp3`));
  for (const source of sources) await copyFile(sample, source);
  const service = await startScriptedService(() => undefined);
  const { core, problems, store, add } = await openCore(folder, service.connection());
  // Between two batches.
  let isDamaged: Promise<void> | undefined;
  store.onEvent(() => void (isDamaged ??= damageRootPage(join(folder, databaseName), 'job_change')));
  const { ids, createdIds } = await add(sources);
  await isDamaged;
  expect(problems).toMatchObject([{ code: 'data/damaged' }]);
  const repaired = (await core.queue()).store;
  expect(ids.map((id) => repaired.get(id)?.source?.path)).toEqual(sources);
  expect([createdIds.length, repaired.countUnfinished()]).toEqual([60, 60]);
  await core.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});
