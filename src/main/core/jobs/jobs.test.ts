import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestEngine, testToken, type TestEngine } from '../../../engine/start-test-engine.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import type { JobProgress } from '../../../shared/wire/job.ts';
import { startScriptedService, type ScriptedService } from '../../fakes/scripted-service.ts';
import { systemClock } from '../clock.ts';
import { createConnectionBook } from '../connections/connection-book.ts';
import type { Connection } from '../voice-service/connection.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import { defaultNameTemplate } from '../../../shared/name-template.ts';
import type { Intake, Order } from './intake.ts';
import type { ConversionJob, Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import { openQueue, type Queue } from './open-queue.ts';
import type { Runner } from './runner.ts';
import { settled } from './settled.ts';

const sample = join(import.meta.dirname, '../../../../samples/lantern.mp3');
const { signal } = new AbortController();
let folder: string;
let engine: TestEngine;
let http: Http;
let store: JobStore;
let intake: Intake;
let runner: Runner;
let queue: Queue | undefined;
let order: Order;
let progress: JobProgress[];
let defects: unknown[];
let other: ScriptedService | undefined;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.remove());

/** A queue in front of the real engine, or of another service. */
async function open(connection?: Connection): Promise<void> {
  other = await startScriptedService(() => undefined);
  const hosts = { voice: engine.origin, upload: engine.origin, converter: '', models: '', sample: '' };
  const used = connection ?? other.connection({ hosts }, testToken);
  const connections = createConnectionBook(http, [used]);
  await queue?.stop();
  queue = await openQueue({
    dataFolder: join(folder, 'data'),
    clock: systemClock,
    random: Math.random,
    connections,
    role: 'app',
    onProgress: (news) => progress.push(news),
    onDefect: (error) => defects.push(error),
  });
  ({ store, intake, runner } = queue);
  order = {
    connection: { id: used.id, name: 'Test', document: used.document },
    nameTemplate: defaultNameTemplate,
    voice: { id: 'low-bronze', name: 'Low bronze', language: 'en-US', gender: 'male', category: 'natural' },
    settings: { ...defaultSettings.conversion, voiceId: 'low-bronze' },
    outputFolder: join(folder, 'out'),
  };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-jobs-'));
  http = createHttp();
  progress = [];
  defects = [];
  await open();
});
afterEach(async () => {
  await queue?.stop();
  queue = undefined;
  await http.close();
  await other?.stop();
  await rm(folder, { recursive: true });
  expect(defects).toEqual([]);
});

const conversions = (jobs: readonly Job[]): readonly ConversionJob[] =>
  jobs.filter((job): job is ConversionJob => job.kind === 'conversion');
const put = async (name: string): Promise<string> => {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await copyFile(sample, path);
  return path;
};
const outputs = async () => (existsSync(join(folder, 'out')) ? (await readdir(join(folder, 'out'))).sort() : []);
async function run(paths: readonly string[]) {
  const added = await intake.add(paths, order, signal);
  runner.start();
  return { added, jobs: conversions(await settled(store, added.ids)) };
}

describe('a recording', () => {
  it('becomes a file with the voice’s name in it, and tells how far it is', async () => {
    const { jobs } = await run([await put('lantern.mp3')]);
    expect(jobs).toMatchObject([
      { state: 'done', output: { path: join(folder, 'out/lantern, Low bronze.mp3') }, problem: null },
    ]);
    expect(await outputs()).toEqual(['lantern, Low bronze.mp3']);
    const { size } = { size: (await readFile(sample)).length };
    expect(progress.findLast(({ direction }) => direction === 'upload')).toMatchObject({
      doneBytes: size,
      totalBytes: size,
    });
    const last = progress.findLast(({ direction }) => direction === 'download');
    expect(last?.doneBytes).toBe(last?.totalBytes);
  });

  it('goes beside its original where no folder was chosen', async () => {
    order = { ...order, outputFolder: null };
    await run([await put('here/lantern.mp3')]);
    expect((await readdir(join(folder, 'here'))).sort()).toEqual(['lantern, Low bronze.mp3', 'lantern.mp3']);
  });

  it('is written in the format that was asked for', async () => {
    order = { ...order, settings: { ...order.settings, format: '.flac' } };
    const { jobs } = await run([await put('lantern.mp3')]);
    expect((await readFile(jobs[0]?.output?.path ?? '')).subarray(0, 4).toString()).toBe('fLaC');
  });
});

describe('a folder', () => {
  it('is searched to its end, keeps its tree, and leaves out what is not sound, hidden, or a link', async () => {
    await put('in/a.mp3');
    await put('in/deep/er/b.mp3');
    await put('in/.hidden.mp3');
    await writeFile(join(folder, 'in/notes.txt'), 'x');
    await symlink(sample, join(folder, 'in/link.mp3'));
    const { added, jobs } = await run([join(folder, 'in')]);
    expect(added).toMatchObject({ added: 2, refused: 0, leftOut: 1, withoutPath: 0 });
    expect(jobs.map(({ output }) => output?.path).sort()).toEqual([
      join(folder, 'out/a, Low bronze.mp3'),
      join(folder, 'out/deep/er/b, Low bronze.mp3'),
    ]);
  });

  it('takes files in the order in which people count', async () => {
    for (const name of ['take 10.mp3', 'take 9.mp3', 'take 1.mp3']) await put(`in/${name}`);
    const { ids } = await intake.add([join(folder, 'in')], order, signal);
    expect(
      conversions(ids.map((id) => store.get(id)).filter((job) => job !== undefined)).map(({ source }) =>
        source.path.slice(-10),
      ),
    ).toEqual(['take 1.mp3', 'take 9.mp3', 'ake 10.mp3']);
  });
});

it('gives results of ours names that differ in more than case, for the disk that they may be copied to', async () => {
  await run([await put('one/Take.mp3'), await put('two/take.mp3'), await put('three/TAKE.mp3')]);
  const names = await outputs();
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
});

describe('bad input', () => {
  it.each<[string, string, (path: string) => Promise<unknown>]>([
    ['not sound', 'input/not-audio', (path) => writeFile(path, 'just some text, long enough to be looked at')],
    ['empty', 'input/empty', (path) => writeFile(path, '')],
    [
      'cut',
      'input/cut',
      async (path) => {
        await copyFile(join(import.meta.dirname, '../../../../samples/harbour.wav'), path);
        await truncate(path, 100_000);
      },
    ],
    ['missing', 'input/missing', (path) => rm(path, { force: true })],
    ['a folder without sound', 'input/no-audio-in-folder', (path) => mkdir(path)],
  ])('that is %s gets a row with its reason, and nothing is sent or written', async (_name, code, make) => {
    const path = join(folder, 'bad.wav');
    await make(path);
    const { jobs } = await run([path]);
    expect(jobs).toMatchObject([{ state: 'failed', problem: { code } }]);
    expect(jobs[0]?.taskId).toBeNull();
    expect(await outputs()).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)(
    'that may not be read says so (not for root, who may read everything)',
    async () => {
      const path = await put('locked.mp3');
      await chmod(path, 0o000);
      const { jobs } = await run([path]);
      expect(jobs).toMatchObject([{ state: 'failed', problem: { code: 'input/unreadable' } }]);
    },
  );

  it('that vanished, or became another sound, while it was queued is not sent', async () => {
    const gone = await put('gone.mp3');
    const changed = await put('changed.mp3');
    const { ids } = await intake.add([gone, changed], order, signal);
    await rm(gone);
    await copyFile(join(import.meta.dirname, '../../../../samples/harbour.wav'), changed);
    runner.start();
    const jobs = await settled(store, ids);
    expect(jobs.map(({ problem }) => problem?.code)).toEqual(['input/missing', 'input/changed']);
  });

  it('does not hold up the good recordings beside it', async () => {
    const bad = join(folder, 'bad.mp3');
    await writeFile(bad, 'no');
    const { jobs } = await run([bad, await put('good.mp3')]);
    expect(jobs.map(({ state }) => state)).toEqual(['failed', 'done']);
  });
});

describe('an item without a file behind it', () => {
  it('is counted, gets no row, and does not hold up the others', async () => {
    const { added, jobs } = await run(['', await put('a.mp3'), '']);
    expect(added).toMatchObject({ added: 1, refused: 0, leftOut: 0, withoutPath: 2 });
    expect(jobs.map(({ state }) => state)).toEqual(['done']);
  });
});

describe('the runner', () => {
  it('has no more jobs in flight than the connection allows', async () => {
    let now = 0;
    let most = 0;
    const held: (() => void)[] = [];
    const busy = await startScriptedService((_, response) => {
      now += 1;
      most = Math.max(most, now);
      response.on('close', () => (now -= 1));
      // The first three wait for each other; if a fourth were let in beside them it would be counted.
      held.push(() => response.writeHead(400).end());
      if (most === 3) for (const release of held.splice(0)) setImmediate(release);
    });
    const connection = busy.connection();
    await open({
      ...connection,
      document: { ...connection.document, limits: { ...connection.document.limits, maxConcurrent: 3 } },
    });
    await run(await Promise.all(Array.from({ length: 12 }, (_, i) => put(`in/${i}.mp3`))));
    expect(most).toBe(3);
    await busy.stop();
  });

  it('cancels a job in flight: its call ends, nothing of it is left on disk', async () => {
    const silent = await startScriptedService(() => undefined);
    await open(silent.connection());
    const { ids } = await intake.add([await put('a.mp3')], order, signal);
    runner.start();
    await expect.poll(() => silent.requests.length).toBe(1);
    ids.forEach(runner.cancel);
    expect(await settled(store, ids)).toMatchObject([{ state: 'cancelled' }]);
    expect(await outputs()).toEqual([]);
    await silent.stop();
  });

  it('converts again what was cancelled, from the start', async () => {
    const { ids } = await intake.add([await put('a.mp3')], order, signal);
    ids.forEach(runner.cancel);
    expect(store.get(ids[0] ?? '')?.state).toBe('cancelled');
    runner.start();
    ids.forEach(runner.retry);
    expect(await settled(store, ids)).toMatchObject([{ state: 'done' }]);
  });

  it('fetches a result that was paid for again, and does not convert again, when only the download failed', async () => {
    const recording = await readFile(sample);
    let broken = true;
    const paid = await startScriptedService(({ url, headers }, response) => {
      if (url.includes('create')) response.end(JSON.stringify({ taskId: 't' }));
      else if (url.includes('upload')) response.end(JSON.stringify({ uuid: 't' }));
      else if (url.includes('changeaudiofile')) {
        response.end(JSON.stringify({ status: 'success', data: { audioUrl: `http://${headers.host ?? ''}/result` } }));
      } else if (broken) response.writeHead(302, { location: 'https://elsewhere.test' }).end();
      else response.end(recording);
    });
    await open(paid.connection());
    const { jobs } = await run([await put('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'failed', problem: { code: 'service/redirected' } }]);
    broken = false;
    const ids = jobs.map(({ id }) => id);
    ids.forEach(runner.retry);
    expect(await settled(store, ids)).toMatchObject([{ state: 'done' }]);
    const calls = (part: string) => paid.requests.filter(({ url }) => url.includes(part)).length;
    expect([calls('create'), calls('upload'), calls('changeaudiofile'), calls('result')]).toEqual([1, 1, 1, 2]);
    await paid.stop();
  });

  it('takes a lost answer to converting for uncertain, because it may have been paid', async () => {
    const losing = await startScriptedService(({ url }, response) => {
      if (url.includes('create')) response.end(JSON.stringify({ taskId: 't' }));
      else if (url.includes('upload')) response.end(JSON.stringify({ uuid: 't' }));
      else response.destroy();
    });
    await open(losing.connection());
    const { jobs } = await run([await put('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'uncertain', problem: { code: 'service/uncertain' } }]);
    expect(losing.requests.filter(({ url }) => url.includes('changeaudiofile'))).toHaveLength(1);
    await losing.stop();
  });

  it('leaves nothing behind when it is stopped in the middle, and takes no further job', async () => {
    const { ids } = await intake.add(
      await Promise.all(Array.from({ length: 6 }, (_, i) => put(`in/${i}.mp3`))),
      order,
      signal,
    );
    runner.start();
    await expect.poll(() => ids.filter((id) => store.get(id)?.state === 'converting').length).toBeGreaterThan(0);
    await runner.stop();
    const states = ids.map((id) => store.get(id)?.state);
    const before = await outputs();
    expect(before.filter((name) => name.startsWith('.'))).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ids.map((id) => store.get(id)?.state)).toEqual(states);
  });
});

describe('the store', () => {
  it('removes only what has ended', async () => {
    const { ids } = await intake.add([await put('a.mp3'), join(folder, 'nowhere.mp3')], order, signal);
    store.remove(ids);
    expect(ids.map((id) => store.get(id)?.state)).toEqual(['queued', 'failed']);
    expect(store.page(null, 10).map(({ id }) => id)).toEqual([ids[0]]);
  });

  it('pages through all jobs in their order', async () => {
    await intake.add(
      Array.from({ length: 25 }, (_, i) => join(folder, `${i}.mp3`)),
      order,
      signal,
    );
    const first = store.page(null, 10);
    const second = store.page(first.at(-1)?.order ?? null, 10);
    expect([...first, ...second].map((job) => job.order)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });
});
