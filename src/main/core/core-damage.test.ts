import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
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
  'baseline-worker': './watch/baseline-worker.ts',
  'checkpoint-worker': './database/checkpoint-worker.ts',
  'integrity-worker': './database/integrity-worker.ts',
  'list-worker': './history/list-worker.ts',
  'statistics-worker': './history/statistics-worker.ts',
};

/** The app on a folder of its own, and what it says of damage. */
async function openCore(folder: string, connection: Connection, onDamage = () => undefined as void) {
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
    onDamage(problem) {
      problems.push(problem);
      onDamage();
    },
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
  const add = (paths: readonly string[], signal = new AbortController().signal) =>
    submitJobs.add(paths, request, signal);
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

it('a repair waits for the answer to a paid call, which would be lost', async () => {
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
      await damageRootPage(join(folder, databaseName), 'job_change');
      // Whoever reads next meets the damage, such as what looks for changes of other processes.
      await expect.poll(() => finishing.mock.calls.length).toBeGreaterThan(0);
      replyJson(response, { status: 'success', data: { audioUrl: `${service.origin}/result` } });
    }
  });
  const { core, problems, add } = await openCore(folder, service.connection());
  const { scheduler } = await core.queue();
  const finishing = vi.spyOn(scheduler, 'finishPaidCalls');
  const { ids } = await add([source]);
  await expect.poll(() => problems).toMatchObject([{ code: 'data/damaged', facts: { count: 1 } }]);
  const { store } = await core.queue();
  expect(await settled(store, ids)).toMatchObject([{ state: 'done' }]);
  expect(paid).toBe(1);
  await core.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});

describe('while the database shows damage, recordings of a folder that are being added', () => {
  /** Adds them, with damage between two batches. */
  async function addMeanwhile(onDamage: () => void, signal: AbortSignal) {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-damage-'));
    const recordings = join(folder, 'recordings');
    const sources = Array.from({ length: 150 }, (_, k) => join(recordings, `disc ${k % 2}`, `take ${k}.mp3`)).sort();
    for (const source of sources) {
      await mkdir(dirname(source), { recursive: true });
      await copyFile(sample, source);
    }
    const service = await startScriptedService(() => undefined);
    const { core, problems, store, add } = await openCore(folder, service.connection(), onDamage);
    let isDamaged: Promise<void> | undefined;
    store.onEvent(() => void (isDamaged ??= damageRootPage(join(folder, databaseName), 'job_change')));
    const added = await add([recordings], signal).catch(() => undefined);
    await isDamaged;
    const repaired = (await core.queue()).store;
    const result = {
      added,
      problems,
      sources: added?.ids.map((id) => repaired.get(id)?.source),
      expected: sources.map((path) => ({ path, subfolder: basename(dirname(path)) })),
      open: repaired.countUnfinished(),
    };
    await core.stop();
    await service.stop();
    await rm(folder, { recursive: true });
    return result;
  }

  it('are added to the repaired one, each once', async () => {
    const { added, problems, sources, expected, open } = await addMeanwhile(
      () => undefined,
      new AbortController().signal,
    );
    expect(problems).toMatchObject([{ code: 'data/damaged' }]);
    expect(sources?.toSorted((one, other) => ((one?.path ?? '') < (other?.path ?? '') ? -1 : 1))).toMatchObject(
      expected,
    );
    expect([added?.createdIds.length, open]).toEqual([150, 150]);
  });

  it('are left out once that is cancelled', async () => {
    const cancel = new AbortController();
    const { added, open } = await addMeanwhile(() => cancel.abort(), cancel.signal);
    expect([added, open]).toEqual([undefined, 100]);
  });
});
