import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Problem } from '../../shared/errors.ts';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import { systemClock } from './clock.ts';
import { type Core, createCore } from './core.ts';
import type { Data } from './data.ts';
import { databaseName } from './database/database.ts';
import { useLibrary } from './history/history-entries.fixture.ts';
import { conversionJob, testVoice } from './jobs/job.fixture.ts';
import { copyDatabase, databaseBytes, openAsLater } from './newer-data.fixture.ts';
import { replyJson, startScriptedService } from './voice-service/scripted-service.fixture.ts';

const library = useLibrary();
const task = { signal: new AbortController().signal, onProgress: () => undefined };
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
let problems: Problem[];

type CoreOptions = Partial<Parameters<typeof createCore>[0]>;

/** Opens a core like a command that only reads, until the test ends. */
function openCore(options: CoreOptions = {}): Core {
  const core = createCore({
    clock: systemClock,
    random: Math.random,
    dataFolder: folder,
    readsNewer: true,
    spawnService: () => expect.unreachable('nothing is asked of a process'),
    threadUrl: (name) => new URL(threads[name], import.meta.url),
    role: 'command',
    settings: () => defaultSettings,
    onProgress: () => undefined,
    onDefect(error) {
      throw error;
    },
    onDamage: (problem) => problems.push(problem),
    trash: () => expect.unreachable('nothing is thrown away'),
    ...options,
  });
  onTestFinished(core.stop);
  return core;
}

const readData = (options?: CoreOptions): Promise<Data> => openCore(options).data();

/** One result, and one recording that waits. */
async function fill(): Promise<void> {
  const { write, done, at, store } = library();
  await write('take.wav', 'a take');
  await write('result.wav', 'a result');
  await done('ended', at('take.wav'), at('result.wav'));
  store.add([conversionJob({ id: 'waiting' })]);
}

beforeEach(async () => {
  problems = [];
  folder = join(library().folder, 'data');
  await fill();
});

async function readAll({ history, historyFiles, statistics, queue }: Data, target: string): Promise<void> {
  expect(history.search('take').entries).toMatchObject([{ id: 'ended' }]);
  expect(await historyFiles.fileStatus(['ended'], task.signal)).toMatchObject([{ source: 'there', result: 'there' }]);
  expect(history.detail('ended').job.finished?.sizeBytes).toBe(8);
  expect((await statistics.readWithAllVoices({ period: 'all', kind: 'all' }, task.signal)).total.results).toBe(1);
  expect(await historyFiles.exportTo(target, ['ended'], 'list', 'keep', task)).toMatchObject({ entries: 1 });
  expect(await readFile(target, 'utf8')).toContain('result.wav');
  expect(queue.store.page(null, 10)).toMatchObject([
    { id: 'ended', state: 'done' },
    { id: 'waiting', state: 'queued' },
  ]);
}

describe('data of a newer Timbre', () => {
  it('is read as it was left by a kill, and neither it nor its log changes by a byte', async () => {
    const later = await openAsLater(folder);
    later.exec("UPDATE job SET mood = 'calm'");
    const killed = join(library().folder, 'killed');
    await copyDatabase(folder, killed);
    later.close();
    const before = await databaseBytes(killed);
    const data = await readData({ dataFolder: killed });
    await readAll(data, join(library().folder, 'export.jsonl'));
    await data.close();
    expect(await databaseBytes(killed)).toEqual(before);
    expect(existsSync(join(killed, 'runners'))).toBe(false);
    expect(problems).toMatchObject([{ code: 'data/newer', facts: { access: 'read' } }]);
  });

  it('is read while that Timbre writes to it', async () => {
    const later = await openAsLater(folder);
    const data = await readData();
    later.exec("UPDATE job SET state = 'done', ended_at = 1 WHERE id = 'waiting'");
    expect(data.history.get('waiting')).toMatchObject({ id: 'waiting' });
    later.close();
  });

  it('refuses every change with the reason', async () => {
    (await openAsLater(folder)).close();
    const { history, favourites, notes, presets, connectionStore, queue } = await readData();
    const changes = [
      () => history.hide(['ended']),
      () => history.update({ ids: ['ended'] }, { isFavourite: true, addTags: [], removeTags: [] }),
      () => favourites.set('local', 'low-bronze', true),
      () => notes.set('local', 'low-bronze', 'warm'),
      () => presets.remove('none'),
      () => connectionStore.remove('none'),
      () => queue.writes.commit(() => queue.store.cancel('waiting')),
    ];
    for (const change of changes) {
      await expect(Promise.resolve().then<unknown>(change)).rejects.toMatchObject({
        problem: { code: 'data/newer', facts: { access: 'read' } },
      });
    }
  });

  it('keeps the path of a moved file, which is found and cannot be stored', async () => {
    (await openAsLater(folder)).close();
    const { at, write } = library();
    await write('elsewhere/note.txt', '');
    await rename(at('result.wav'), at('elsewhere', 'result.wav'));
    const { historyFiles, history } = await readData();
    expect(await historyFiles.fileStatus(['ended'], task.signal)).toMatchObject([{ result: 'missing' }]);
    expect(history.get('ended')?.resultPath).toBe(at('result.wav'));
  });

  it.each([
    ['a table', 'DROP TABLE voice_note'],
    ['a column', 'ALTER TABLE preset RENAME COLUMN voice_name TO voice'],
  ])('is refused as it is if %s that this Timbre knows is missing', async (_what, sql) => {
    (await openAsLater(folder, sql)).close();
    const before = await readFile(join(folder, databaseName));
    await expect(readData()).rejects.toMatchObject({ code: 'data/newer' });
    expect(await readFile(join(folder, databaseName))).toEqual(before);
    expect(problems).toEqual([]);
  });

  it('is refused to those who would change it', async () => {
    (await openAsLater(folder)).close();
    await expect(readData({ readsNewer: false })).rejects.toMatchObject({ code: 'data/newer' });
  });
});

describe('data of a newer Timbre in the app', () => {
  const watched = {
    path: '/recordings',
    isRecursive: true,
    endings: ['.wav'],
    connectionId: 'local',
    conversion: { ...defaultSettings.conversion, voiceId: testVoice.id },
    outputFolder: null,
    afterwards: 'keep',
    dailyMinutes: null,
  };

  it('is only shown: no job runs, no folder is watched, nothing is checked or changed', async () => {
    library()
      .database.prepare(
        `INSERT INTO watch_folder (id, settings, voice, device, inode, is_listed, is_paused, baseline_stage, created_at)
         VALUES ('folder', ?, ?, '1', '2', 1, 0, 'answered', 0)`,
      )
      .run(JSON.stringify(watched), JSON.stringify(testVoice));
    const later = await openAsLater(folder);
    later.exec("UPDATE job SET owner = 'ended'");
    const killed = join(library().folder, 'killed');
    await copyDatabase(folder, killed);
    later.close();
    const before = await databaseBytes(killed);
    // Whatever works by itself, such as the check before jobs start, also waits.
    const waits: number[] = [];
    const data = await readData({
      dataFolder: killed,
      role: 'app',
      isSafe: true,
      clock: {
        ...systemClock,
        sleep(ms, signal) {
          waits.push(ms);
          return systemClock.sleep(ms, signal);
        },
      },
      onVerified: () => expect.unreachable('no work starts'),
    });
    expect(waits).toEqual([]);
    expect(data.watch.listFolders()).toMatchObject([{ mode: 'paused', folder: { id: 'folder', isPaused: false } }]);
    expect(data.queue.store.get('waiting')).toMatchObject({ state: 'queued' });
    expect(problems).toMatchObject([{ code: 'data/newer', facts: { access: 'read' } }]);
    await data.close();
    expect(await databaseBytes(killed)).toEqual(before);
  });

  it('calls no service', async () => {
    (await openAsLater(folder)).close();
    const service = await startScriptedService((_, response) => replyJson(response, {}));
    onTestFinished(service.stop);
    const connection = service.connection();
    const core = openCore({ role: 'app', remotes: [connection] });
    await core.data();
    const call = core.connections.service(connection.id).listVoices({ page: 0, limit: 1 }, task.signal);
    await expect(call).rejects.toMatchObject({ code: 'network/offline-mode' });
    expect(service.requests).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'data of a newer Timbre in a folder that cannot be written (skipped unless root, who can mount)',
  () => {
    it('is read', async () => {
      (await openAsLater(folder)).close();
      library().database.close();
      // Root writes everywhere, so the folder is a read-only mount.
      execFileSync('mount', ['--bind', folder, folder]);
      try {
        execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
        const data = await readData();
        await readAll(data, join(library().folder, 'export.jsonl'));
        await data.close();
      } finally {
        execFileSync('umount', [folder]);
      }
    });
  },
);
