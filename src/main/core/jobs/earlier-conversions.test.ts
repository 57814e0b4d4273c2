import { statSync } from 'node:fs';
import {
  copyFile,
  cp,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import { hasCaselessDisk, withCaselessDisk } from '../files/caseless-disk.fixture.ts';
import { snapshotOf } from '../files/identity.ts';
import { createHttp } from '../voice-service/http.ts';
import { openQueue } from './open-queue.fixture.ts';
import type { JobChange } from './job-store.ts';
import type { ConversionJob, JobSource } from './job.ts';
import { conversions, type TestQueue, useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

const queue = useTestQueue();
afterEach(() => vi.useRealTimers());
const { signal } = new AbortController();

const addMissing = (paths: readonly string[], change: Partial<TestQueue['request']> = {}) =>
  queue().submitJobs.addMissing(paths, { ...queue().request, ...change }, signal);

/** Converts these recordings, and returns the jobs of those that were not left out. */
async function convert(paths: readonly string[]): Promise<readonly ConversionJob[]> {
  const { ids } = await addMissing(paths);
  queue().scheduler.start();
  return conversions(await settled(queue().store, ids));
}

/** A recording that has a result. */
async function converted(name = 'a.mp3') {
  const path = await queue().addFile(name);
  const [job] = await convert([path]);
  if (job?.state !== 'done') throw new Error('not converted');
  return { path, job, output: job.output?.path ?? '' };
}

function inDatabase(work: (database: DatabaseSync) => unknown): void {
  const database = new DatabaseSync(join(queue().folder, 'data/timbre.db'));
  work(database);
  database.close();
}

const saveSource = ({ id, source }: ConversionJob, change: Partial<JobSource>) =>
  inDatabase((database) =>
    database.prepare('UPDATE job SET source = ? WHERE id = ?').run(JSON.stringify({ ...source, ...change }), id),
  );

it('leaves out a recording whose result is there', async () => {
  const { path, job } = await converted();
  const { ids, made } = await addMissing([path]);
  expect([ids, made.get(path)?.id]).toEqual([[], job.id]);
  expect((await queue().submitJobs.findLeftOut([path], queue().request, signal)).made.has(path)).toBe(true);
});

/** Results are placed next to their recordings. */
const placeBeside = () => (queue().request = { ...queue().request, outputFolder: null });

it('leaves out a recording that is given through a link to its folder', async () => {
  placeBeside();
  const { job } = await converted();
  const folder = join(queue().folder, 'link');
  await symlink(queue().folder, folder);
  const path = join(folder, 'a.mp3');
  expect((await addMissing([path])).made.get(path)?.id).toBe(job.id);
});

it.skipIf(!hasCaselessDisk)(
  'leaves out a recording that is given in other letters, where case does not count (skipped without exFAT)',
  () =>
    withCaselessDisk(async (disk) => {
      placeBeside();
      await mkdir(join(disk, 'Takes'));
      await copyFile(await queue().addFile('a.mp3'), join(disk, 'Takes/Take.mp3'));
      const [job] = await convert([join(disk, 'Takes/Take.mp3')]);
      const path = join(disk, 'takes/take.mp3');
      expect((await addMissing([path])).made.get(path)?.id).toBe(job?.id);
    }),
);

it('leaves out a result that is given together with its original, but not one that is given alone', async () => {
  placeBeside();
  const { path, output } = await converted();
  const { ids, ignored, made } = await addMissing([path, output]);
  expect([ids, ignored, [...made.keys()]]).toEqual([[], 1, [path]]);
  expect((await queue().add([path, output])).ids).toHaveLength(1);
  expect((await addMissing([output])).ids).toHaveLength(1);
});

it('converts another recording that took the name of a result, also together with its original', async () => {
  placeBeside();
  const { path, output } = await converted();
  await copyFile(join(import.meta.dirname, '../../../../samples/harbour.wav'), output);
  expect((await addMissing([path, output])).ids).toHaveLength(2);
});

it('leaves out what was moved to another folder together with its result', async () => {
  placeBeside();
  const folder = join(queue().folder, 'Takes');
  await mkdir(folder);
  await copyFile(await queue().addFile('a.mp3'), join(folder, 'a.mp3'));
  const [job] = await convert([folder]);
  const renamed = join(queue().folder, 'Old takes');
  await rename(folder, renamed);
  const copied = join(queue().folder, 'Copy');
  await cp(renamed, copied, { recursive: true });
  for (const place of [renamed, copied]) {
    await copyFile(join(import.meta.dirname, '../../../../samples/harbour.wav'), join(place, 'new.wav'));
    const { ids, ignored, made } = await addMissing([place]);
    const result = join(place, basename(job?.output?.path ?? ''));
    expect(ids.map((id) => queue().store.get(id)?.source?.path)).toEqual([join(place, 'new.wav')]);
    expect([...made].map(([path, one]) => [path, one.id, one.output?.path])).toEqual([
      [join(place, 'a.mp3'), job?.id, result],
    ]);
    expect(ignored).toBe(1);
  }
});

it('leaves out what was moved together with its result, also if that has a number', async () => {
  placeBeside();
  const folder = join(queue().folder, 'Takes');
  await mkdir(folder);
  await copyFile(await queue().addFile('a.mp3'), join(folder, 'a.mp3'));
  const taken = join(folder, 'a, Low bronze.mp3');
  await writeFile(taken, '');
  const [job] = await convert([join(folder, 'a.mp3')]);
  await rm(taken);
  const renamed = join(queue().folder, 'Old takes');
  await rename(folder, renamed);
  const { made } = await addMissing([renamed]);
  expect([...made].map(([path, one]) => [path, one.id, one.output?.path])).toEqual([
    [join(renamed, 'a.mp3'), job?.id, join(renamed, 'a, Low bronze (2).mp3')],
  ]);
});

it('leaves out what was moved together with its result also if their names came back in another Unicode form', async () => {
  placeBeside();
  const folder = join(queue().folder, 'Takes');
  await mkdir(folder);
  await copyFile(await queue().addFile('a.mp3'), join(folder, 'Übung.mp3'.normalize('NFC')));
  const [job] = await convert([folder]);
  const unpacked = join(queue().folder, 'Unpacked');
  await mkdir(unpacked);
  for (const name of await readdir(folder)) await rename(join(folder, name), join(unpacked, name.normalize('NFD')));
  const { ids, made } = await addMissing([unpacked]);
  expect([ids, [...made.values()].map(({ id }) => id)]).toEqual([[], [job?.id]]);
});

it('takes no result for a recording in a folder that was moved, also where the user adds all of it again', async () => {
  placeBeside();
  const folder = join(queue().folder, 'Takes');
  await mkdir(folder);
  await copyFile(await queue().addFile('a.mp3'), join(folder, 'a.mp3'));
  await convert([folder]);
  const renamed = join(queue().folder, 'Old takes');
  await rename(folder, renamed);
  const { ids } = await queue().add([renamed]);
  expect(ids.map((id) => queue().store.get(id)?.source?.path)).toEqual([join(renamed, 'a.mp3')]);
});

it('converts a recording that was moved without its result, and where another file has that name', async () => {
  placeBeside();
  const { path, output } = await converted();
  const folder = join(queue().folder, 'Takes');
  await mkdir(folder);
  await rename(path, join(folder, 'a.mp3'));
  expect((await queue().submitJobs.findLeftOut([folder], queue().request, signal)).made.size).toBe(0);
  await copyFile(join(import.meta.dirname, '../../../../samples/harbour.wav'), join(folder, basename(output)));
  expect((await addMissing([folder])).ids).toHaveLength(2);
});

it('converts of a batch only what has no result', async () => {
  const { path, job } = await converted();
  const other = await queue().addFile('b.mp3');
  const { ids, createdIds, made } = await addMissing([path, other, path]);
  expect([createdIds, made.get(path)?.id]).toEqual([ids, job.id]);
  expect(ids.map((id) => queue().store.get(id)?.source?.path)).toEqual([other]);
});

it('knows a recording by its content, whatever its name and time', async () => {
  const { path, job } = await converted();
  const moved = join(queue().folder, 'moved.mp3');
  await rename(path, moved);
  await utimes(moved, 1000, 1000);
  expect((await addMissing([moved])).made.get(moved)?.id).toBe(job.id);
});

it('converts another recording that has the inode, size and time of one with a result, as on a disk without fixed inodes', async () => {
  const { path, job } = await converted();
  const other = join(queue().folder, 'other.mp3');
  await writeFile(other, (await readFile(path)).fill(0, 100, 200));
  saveSource(job, { snapshot: snapshotOf(await stat(other, { bigint: true })) });
  expect((await addMissing([other])).createdIds).toHaveLength(1);
});

it('knows a recording that was renamed by its inode, size and time where it cannot be read', async () => {
  const { path, job } = await converted();
  const renamed = join(queue().folder, 'renamed.mp3');
  await rename(path, renamed);
  const linked = join(queue().folder, 'linked.mp3');
  await symlink(renamed, linked);
  expect((await addMissing([linked])).made.get(linked)?.id).toBe(job.id);
});

it('converts another content under the same name', async () => {
  const { path } = await converted();
  await writeFile(path, 'another recording');
  expect((await addMissing([path])).ids).toHaveLength(1);
});

it('takes one result for one recording: a copy that is given too is converted', async () => {
  const { path, job } = await converted();
  const copy = join(queue().folder, '0 copy.mp3');
  await copyFile(path, copy);
  const { ids, made } = await addMissing([copy, path]);
  expect([...made].map(([of, { id }]) => [of, id])).toEqual([[path, job.id]]);
  expect(ids).toHaveLength(1);
});

it.each([
  ['deleted', (output: string) => rm(output)],
  ['changed', (output: string) => writeFile(output, 'changed')],
  ['moved', (output: string) => rename(output, `${output}.bak`)],
])('converts again if the result was %s', async (_what, act) => {
  const { path, output } = await converted();
  await act(output);
  expect((await addMissing([path])).ids).toHaveLength(1);
});

it('takes no result of another recording for one that it replaced', async () => {
  const { path, output } = await converted();
  const first = join(queue().folder, 'first.mp3');
  await copyFile(path, first);
  await rm(output);
  const { request } = queue();
  // Another recording of the same name, whose result gets the name of the one that is gone.
  await copyFile(join(import.meta.dirname, '../../../../samples/harbour.wav'), path);
  const { ids } = await queue().submitJobs.add([path], request, signal);
  await settled(queue().store, ids);
  await copyFile(first, path);
  expect((await addMissing([path])).ids).toHaveLength(1);
});

it.each<[string, () => Partial<TestQueue['request']>]>([
  ['folder', () => ({ outputFolder: join(queue().folder, 'elsewhere') })],
  ['name template', () => ({ nameTemplate: '{voice} {name}' })],
  ['format', () => ({ settings: { ...queue().request.settings, format: '.flac' } })],
  ['pitch', () => ({ settings: { ...queue().request.settings, pitch: 1.1 } })],
  ['voice', () => ({ voice: { ...queue().request.voice, id: 'other' } })],
  ['platform', () => ({ platform: 'mac' })],
])('converts again for another %s', async (_what, change) => {
  const { path } = await converted();
  expect((await addMissing([path], change())).ids).toHaveLength(1);
});

it('finds a result in a folder that is named after another day', async () => {
  queue().request = { ...queue().request, nameTemplate: '{date}/{name}' };
  const { path, job } = await converted();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 });
  expect((await addMissing([path])).made.get(path)?.id).toBe(job.id);
});

it.each([
  ['removed from history', 'INSERT INTO history_removed (job, number, removed_at) SELECT number, 1, 1 FROM job'],
  ['imported into history', "UPDATE job SET owner = ''"],
])('converts again what was %s', async (_what, sql) => {
  const { path } = await converted();
  inDatabase((database) => database.exec(sql));
  expect((await addMissing([path])).ids).toHaveLength(1);
});

const openOther = (role: 'app' | 'command', askedAt = Infinity) =>
  openQueue({
    askedAt,
    dataFolder: join(queue().folder, 'data'),
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(createHttp(), []),
    role,
    onProgress: () => undefined,
    onDefect: (error) => expect.unreachable(String(error)),
  });

it('leaves to another process what it works on, and resumes what it left when it died', async () => {
  const path = await queue().addFile('a.mp3');
  const other = await openOther('app');
  const { ids } = await other.submitJobs.add([path], queue().request, signal);
  const left = await addMissing([path]);
  expect([left.ids, left.elsewhere.get(path)?.id]).toEqual([[], ids[0]]);
  await other.stop();
  expect((await addMissing([path])).ids).toEqual(ids);
});

it('leaves to another process what it works on through a link, and resumes it when it died, wherever the link lies', async () => {
  placeBeside();
  const path = await queue().addFile('real/a.mp3');
  const linked = join(queue().folder, 'link.mp3');
  await symlink(path, linked);
  const other = await openOther('app');
  const { ids } = await other.submitJobs.add([linked], queue().request, signal);
  expect((await addMissing([path])).elsewhere.get(path)?.id).toBe(ids[0]);
  await other.stop();
  expect((await addMissing([path])).ids).toEqual(ids);
});

it('says so of a recording that a third process takes up while it looks', async () => {
  const path = await queue().addFile('a.mp3');
  const dead = await openOther('app');
  const { ids } = await dead.submitJobs.add([path], queue().request, signal);
  await dead.stop();
  const other = await openOther('command');
  const { isElsewhere } = queue().store;
  vi.spyOn(queue().store, 'isElsewhere').mockImplementationOnce((id) => {
    const was = isElsewhere(id);
    other.scheduler.adoptOrphans([id]);
    return was;
  });
  const { ids: mine, elsewhere } = await addMissing([path]);
  expect([mine, elsewhere.get(path)?.id]).toEqual([[], ids[0]]);
  await other.stop();
});

it.each(['a.mp3', 'link.mp3'])(
  'adds a recording once where two processes want it at the same moment, the second %s',
  async (name) => {
    const path = await queue().addFile('in/a.mp3');
    const wanted = name === 'a.mp3' ? path : join(queue().folder, name);
    if (wanted !== path) await symlink(path, wanted);
    placeBeside();
    const other = await openOther('command');
    const both = await Promise.all([
      addMissing([path]),
      other.submitJobs.addMissing([wanted], queue().request, signal),
    ]);
    expect(both.flatMap(({ ids }) => ids)).toHaveLength(1);
    expect(both.map(({ elsewhere }) => elsewhere.size).toSorted()).toEqual([0, 1]);
    await other.stop();
  },
);

it('leaves a content that another process works on to it, also under another name', async () => {
  const [path, copy] = [await queue().addFile('a.mp3'), await queue().addFile('copy.mp3')];
  const other = await openOther('app');
  const { ids } = await other.submitJobs.add([path], queue().request, signal);
  const { ids: mine, elsewhere } = await addMissing([copy]);
  expect([mine, elsewhere.get(copy)?.id]).toEqual([[], ids[0]]);
  await other.stop();
});

it.each<[string, Partial<TestQueue['request']>, (path: string) => Promise<unknown>]>([
  ['another content of the same size', {}, (path) => writeFile(path, Buffer.alloc(100, 2))],
  ['another place', { outputFolder: null }, () => Promise.resolve()],
])('takes no recording that another process works on for one with %s', async (_what, change, act) => {
  const [path, copy] = [await queue().addFile('a/a.mp3'), await queue().addFile('b/copy.mp3')];
  for (const each of [path, copy]) await writeFile(each, Buffer.alloc(100, 1));
  await act(path);
  const other = await openOther('app');
  await other.submitJobs.add([path], { ...queue().request, ...change }, signal);
  expect((await addMissing([copy], change)).createdIds).toHaveLength(1);
  await other.stop();
});

it('adds a content once where two processes want it under different names at the same moment', async () => {
  const [path, copy] = [await queue().addFile('a.mp3'), await queue().addFile('copy.mp3')];
  const other = await openOther('command');
  const both = await Promise.all([addMissing([path]), other.submitJobs.addMissing([copy], queue().request, signal)]);
  expect(both.flatMap(({ ids }) => ids)).toHaveLength(1);
  expect(both.map(({ elsewhere }) => elsewhere.size).toSorted()).toEqual([0, 1]);
  await other.stop();
});

it.each(['a.mp3', 'copy.mp3'])(
  'takes a job of a killed command once where two processes want it at the same moment, the second %s',
  async (name) => {
    const { path, job } = await converted();
    inDatabase((database) => database.exec("UPDATE job SET requested_by = 'dead'"));
    const wanted = name === 'a.mp3' ? path : await queue().addFile(name);
    const other = await openOther('command');
    const { leftConversions } = queue().store;
    vi.spyOn(queue().store, 'leftConversions').mockImplementationOnce((query) => {
      other.store.requestJobs([job.id]);
      return leftConversions(query);
    });
    const { ids, made } = await addMissing([wanted]);
    expect([ids, made.get(wanted)?.id]).toEqual([[], job.id]);
    await other.stop();
  },
);

const isDead = (owners: string) => () => inDatabase((database) => database.exec(`UPDATE job SET ${owners}`));

it.each<[string, (store: TestQueue['store'], id: string) => void]>([
  ['a command began and was killed with', isDead("owner = 'dead', requested_by = 'dead'")],
  ['an app began and was killed with', isDead("owner = 'dead', requested_by = NULL")],
  [
    'a command made, but could not fetch,',
    (store, id) => {
      store.change(id, { state: 'failed', audioUrl: 'https://studio.example/1' });
      store.acknowledge([id]);
    },
  ],
])('goes on with what %s since the search', async (_what, end) => {
  const path = await queue().addFile('a.mp3');
  const other = await openOther('command');
  const { leftConversions } = queue().store;
  const begun: string[] = [];
  vi.spyOn(queue().store, 'leftConversions').mockImplementationOnce((query) => {
    const left = [...leftConversions(query)];
    const source = { path, subfolder: '', snapshot: snapshotOf(statSync(path, { bigint: true })) };
    const { id } = other.submitJobs.addRecording(source, queue().request);
    end(other.store, id);
    begun.push(id);
    return left;
  });
  const { ids, createdIds } = await addMissing([path]);
  expect([ids, createdIds]).toEqual([begun, []]);
  expect(queue().store.owns(begun[0] ?? '')).toBe(true);
  await other.stop();
});

/** As if the process had looked for earlier jobs before there was any. */
function hasLooked({ store }: Pick<TestQueue, 'store'> = queue()): void {
  const { earlierConversions } = store;
  vi.spyOn(store, 'lastChange').mockReturnValueOnce(0);
  vi.spyOn(store, 'earlierConversions').mockImplementation((query) =>
    'changedAfter' in query ? earlierConversions(query) : [],
  );
}

it.each(['a.mp3', 'copy.mp3'])(
  'converts nothing that another process has converted since it looked for a result, wanted as %s',
  async (name) => {
    const { path, job } = await converted();
    const wanted = name === 'a.mp3' ? path : await queue().addFile(name);
    hasLooked();
    const { ids, made } = await addMissing([wanted]);
    expect([ids, made.get(wanted)?.id]).toEqual([[], job.id]);
  },
);

it('adds no more recordings once the command was interrupted', async () => {
  const paths = Array.from({ length: 250 }, (_, k) => join(queue().folder, `${k}.mp3`));
  await Promise.all(paths.map((path) => writeFile(path, path)));
  const interrupting = new AbortController();
  const end = queue().store.onEvent(() => interrupting.abort());
  const adding = queue().submitJobs.addMissing(paths, queue().request, interrupting.signal);
  await expect(adding).rejects.toMatchObject({ name: 'AbortError' });
  end();
  // The batch that was being added is whole.
  expect(queue().store.page(null, -1).length).toBeLessThan(paths.length / 2);
});

it('takes nothing that Timbre keeps of recordings for a recording', async () => {
  const path = await queue().addFile('in/a.mp3');
  await queue().addFile('data/uploads/b.mp3');
  const beside = await queue().addFile('data/c.mp3');
  const { ids, ignored } = await addMissing([queue().folder]);
  expect(ids.map((id) => queue().store.get(id)?.source?.path)).toEqual([beside, path]);
  // The folders of the data, and its other files.
  expect(ignored).toBeGreaterThan(1);
});

it.each(['app', 'command'] as const)(
  'continues under the new name what a killed %s left of a renamed recording',
  async (role) => {
    const path = await queue().addFile('a.mp3');
    const killed = await openOther(role);
    const { ids } = await killed.submitJobs.add([path], queue().request, signal);
    await killed.stop();
    const moved = join(queue().folder, 'moved.mp3');
    await rename(path, moved);
    const jobs = await convert([moved]);
    expect(jobs.map(({ id, state, source }) => [id, state, source.path])).toEqual([[ids[0], 'done', moved]]);
    expect(await queue().outputs()).toEqual([expect.stringContaining('moved')]);
  },
);

it.each<[string, 'app' | 'command', (id: string) => void]>([
  ['a killed app goes on with when it is started again', 'app', () => undefined],
  ['this process took up of a killed command', 'command', (id) => queue().scheduler.adoptOrphans([id])],
])('takes nothing away that %s, for a copy of a recording that is still there', async (_what, role, takeUp) => {
  const path = await queue().addFile('a.mp3');
  const killed = await openOther(role);
  const { ids } = await killed.submitJobs.add([path], queue().request, signal);
  const [id = ''] = ids;
  await killed.stop();
  queue().scheduler.pause();
  takeUp(id);
  const other = join(queue().folder, 'other.mp3');
  await link(path, other);
  expect((await queue().submitJobs.add([other], queue().request, signal)).createdIds).toHaveLength(1);
  expect(queue().store.get(id)?.source?.path).toBe(path);
});

it.each<[string, (path: string) => Promise<string>]>([
  [
    'a copy',
    async (path) => {
      const copy = join(queue().folder, 'copy.mp3');
      await copyFile(path, copy);
      await rm(path);
      return copy;
    },
  ],
  [
    'what was saved again',
    async (path) => {
      await utimes(path, 1000, 1000);
      return path;
    },
  ],
])('takes what a killed command had uploaded for %s, if the content is the same', async (_what, act) => {
  const path = await queue().addFile('a.mp3');
  const { job } = await converted('known.mp3');
  queue().scheduler.pause();
  const killed = await openOther('command');
  const { ids } = await killed.submitJobs.add([path], queue().request, signal);
  killed.store.change(ids[0] ?? '', { state: 'uploaded', sourceSha256: job.sourceSha256, taskId: 't' });
  await killed.stop();
  const { ids: mine } = await queue().submitJobs.add([await act(path)], queue().request, signal);
  expect(mine).toEqual(ids);
});

it.each<[string, (path: string) => Promise<void>, () => Partial<TestQueue['request']>]>([
  [
    'another recording of the same size',
    async (path) => {
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0, 100, 200));
    },
    () => ({}),
  ],
  ['another place', () => Promise.resolve(), () => ({ outputFolder: join(queue().folder, 'elsewhere') })],
])('does not take what a killed command left for %s', async (_what, act, change) => {
  const path = await queue().addFile('a.mp3');
  const killed = await openOther('command');
  const { ids } = await killed.submitJobs.add([path], queue().request, signal);
  await killed.stop();
  const moved = join(queue().folder, 'moved.mp3');
  await rename(path, moved);
  await act(moved);
  const { createdIds } = await addMissing([moved], change());
  expect(createdIds).toHaveLength(1);
  expect(createdIds).not.toEqual(ids);
});

it('waits for what a living app took up of a killed command, also if the recording was renamed since', async () => {
  const { path, id } = await killedAfterUpload('a.mp3');
  const app = await openOther('app');
  app.scheduler.adoptOrphans([id]);
  const moved = join(queue().folder, 'moved.mp3');
  await rename(path, moved);
  expect(await queue().submitJobs.add([moved], queue().request, signal)).toMatchObject({ ids: [id], createdIds: [] });
  expect([app.store.owns(id), app.store.get(id)?.source?.path]).toEqual([true, path]);
  await app.stop();
});

it('continues at its download what a killed command had paid for and could not save, also if the recording was renamed', async () => {
  const path = await queue().addFile('a.mp3');
  const killed = await openOther('command');
  const { ids } = await killed.submitJobs.add([path], queue().request, signal);
  const [id = ''] = ids;
  const problem = { code: 'output/not-writable' } as const;
  killed.store.change(id, { state: 'failed', problem, audioUrl: 'https://voice.example/a' });
  await killed.stop();
  const moved = join(queue().folder, 'moved.mp3');
  await rename(path, moved);
  expect(await queue().submitJobs.add([moved], queue().request, signal)).toMatchObject({ ids, createdIds: [] });
  expect(queue().store.get(id)).toMatchObject({ state: 'converted', source: { path: moved } });
});

it('takes of what a killed command left the job that can be continued, not one that failed before it', async () => {
  const path = await queue().addFile('a.mp3');
  const killed = await openOther('command');
  const { ids: failed } = await killed.submitJobs.add([path], queue().request, signal);
  killed.store.change(failed[0] ?? '', { state: 'failed', problem: { code: 'service/refused' } });
  const { ids } = await killed.submitJobs.add([path], queue().request, signal);
  await killed.stop();
  const moved = join(queue().folder, 'moved.mp3');
  await rename(path, moved);
  expect((await queue().submitJobs.add([moved], queue().request, signal)).ids).toEqual(ids);
});

describe('a paid result that was not saved, of a job that the user saw fail', () => {
  /** A recording whose result is paid for and could not be saved. */
  async function unfetched(change: Partial<JobChange> = {}) {
    const { job: known } = await converted('known.mp3');
    queue().scheduler.pause();
    const path = await queue().addFile('a.mp3');
    const { ids } = await queue().submitJobs.add([path], queue().request, signal);
    const [id = ''] = ids;
    queue().store.change(id, { state: 'uploaded', sourceSha256: known.sourceSha256, taskId: 't' });
    const problem = { code: 'output/not-writable' } as const;
    queue().store.change(id, { state: 'failed', problem, audioUrl: 'https://voice.example/a', ...change });
    await rm(known.output?.path ?? '');
    return { path, id };
  }
  const add = (paths: readonly string[]) => queue().submitJobs.add(paths, queue().request, signal);

  it.each([
    ['was renamed', add, (path: string, to: string) => rename(path, to)],
    ['was copied', add, (path: string, to: string) => copyFile(path, to)],
    ['was copied, and is converted by a command', addMissing, (path: string, to: string) => copyFile(path, to)],
  ])('is fetched under the new name if the recording %s', async (_what, submit, act) => {
    const { path, id } = await unfetched();
    const other = join(queue().folder, 'other.mp3');
    await act(path, other);
    expect(await submit([other])).toMatchObject({ ids: [id], createdIds: [] });
    expect(queue().store.get(id)).toMatchObject({ state: 'converted', source: { path: other } });
  });

  it('is fetched for its own recording if a copy is added, too', async () => {
    const { path, id } = await unfetched();
    const copy = join(queue().folder, '0 copy.mp3');
    await copyFile(path, copy);
    await utimes(path, 1000, 1000);
    const { ids, createdIds } = await add([copy, path]);
    expect([ids.length, createdIds.length]).toEqual([2, 1]);
    expect(queue().store.get(id)?.source?.path).toBe(path);
  });

  it.each<[string, Partial<JobChange>]>([
    ['it is gone', { problem: { code: 'service/result-gone' } }],
    ['nothing was paid for', { audioUrl: null }],
  ])('is made again if %s', async (_what, change) => {
    const { path, id } = await unfetched(change);
    const copy = join(queue().folder, 'copy.mp3');
    await copyFile(path, copy);
    const { ids, createdIds } = await add([copy]);
    expect([createdIds, ids.includes(id)]).toEqual([ids, false]);
  });

  it('is not taken for what was imported, whose hashes anyone can write', async () => {
    const { path } = await unfetched();
    inDatabase((database) => database.exec("UPDATE job SET owner = '' WHERE state = 'failed'"));
    const copy = join(queue().folder, 'copy.mp3');
    await copyFile(path, copy);
    expect((await add([copy])).createdIds).toHaveLength(1);
  });
});

/** What a killed command had uploaded of a recording. */
async function killedAfterUpload(name: string, change: Partial<TestQueue['request']> = {}) {
  const { job: known } = await converted('known.mp3');
  // It would adopt the job itself, if it looked for such jobs before the test goes on.
  await queue().scheduler.stop();
  const path = await queue().addFile(name);
  const killed = await openOther('command');
  const { ids } = await killed.submitJobs.add([path], { ...queue().request, ...change }, signal);
  const [id = ''] = ids;
  killed.store.change(id, { state: 'uploaded', sourceSha256: known.sourceSha256, taskId: 't' });
  await killed.stop();
  await rm(known.output?.path ?? '');
  return { path, id };
}

it('gives a copy the result that a killed command had begun for the original, under its own name', async () => {
  const { path, id } = await killedAfterUpload('a.mp3');
  const copy = join(queue().folder, 'copy.mp3');
  await copyFile(path, copy);
  expect((await addMissing([copy])).ids).toEqual([id]);
  expect(queue().store.get(id)?.source?.path).toBe(copy);
});

it.each([
  ['half of it', null],
  ['all of it', { sha256: 'of the result', sizeBytes: 9, identity: { device: '1', inode: '1' } }],
])('continues a recording that was moved, with its result beside it, and leaves %s nowhere', async (part, finished) => {
  const change = { outputFolder: null };
  const { path, id } = await killedAfterUpload('a/a.mp3', change);
  const dead = await openOther('command');
  dead.scheduler.adoptOrphans([id]);
  dead.store.requestJobs([id]);
  dead.store.change(id, { state: 'converted', audioUrl: 'https://voice.example/a', finished });
  await dead.stop();
  await writeFile(join(queue().folder, `a/.timbre-${id}.part`), part);
  const moved = await queue().addFile('b/a.mp3');
  await rename(path, moved);
  expect((await addMissing([moved], change)).ids).toEqual([id]);
  expect(queue().store.get(id)?.source?.path).toBe(moved);
  expect(await readdir(join(queue().folder, 'a'))).toEqual([]);
});

it('leaves a watched folder its recording, and takes its job only for a result in the same place', async () => {
  const { path, id } = await killedAfterUpload('a/a.mp3');
  saveSource(queue().store.get(id) as ConversionJob, { sha256: 'of a' });
  const copy = join(queue().folder, 'copy.mp3');
  await copyFile(path, copy);
  expect((await addMissing([copy])).ids).toEqual([id]);
  expect(queue().store.get(id)?.source?.path).toBe(path);
});

it('leaves to another process what it works on, also if the recording was renamed since', async () => {
  const { path, id } = await killedAfterUpload('a.mp3');
  const app = await openOther('app');
  app.store.acknowledge([id]);
  app.scheduler.adoptOrphans([id]);
  const renamed = join(queue().folder, 'renamed.mp3');
  await rename(path, renamed);
  const { ids, elsewhere } = await addMissing([renamed]);
  expect([ids, elsewhere.get(renamed)?.id]).toEqual([[], id]);
  await app.stop();
});

it('converts a copy of what another process works on, as both are wanted', async () => {
  const { path, id } = await killedAfterUpload('a.mp3');
  const app = await openOther('app');
  app.store.acknowledge([id]);
  app.scheduler.adoptOrphans([id]);
  const copy = join(queue().folder, 'copy.mp3');
  await copyFile(path, copy);
  const { createdIds, elsewhere } = await addMissing([copy, path]);
  expect([createdIds.length, [...elsewhere].map(([of, job]) => [of, job.id])]).toEqual([1, [[path, id]]]);
  await app.stop();
});

it('converts a renamed recording that another process will not find', async () => {
  const path = await queue().addFile('a.mp3');
  const other = await openOther('app');
  const { ids } = await other.submitJobs.add([path], queue().request, signal);
  const renamed = join(queue().folder, 'renamed.mp3');
  await rename(path, renamed);
  const added = await addMissing([renamed]);
  expect([added.createdIds.length, added.ids]).toEqual([1, added.createdIds]);
  expect(added.ids).not.toEqual(ids);
  await other.stop();
});

it('knows a renamed recording also if another one has its name by now, and both are given', async () => {
  const { path, job } = await converted();
  const renamed = join(queue().folder, 'renamed.mp3');
  await rename(path, renamed);
  await copyFile(join(import.meta.dirname, '../../../../samples/harbour.wav'), path);
  const { ids, made } = await addMissing([path, renamed]);
  expect([...made].map(([of, { id }]) => [of, id])).toEqual([[renamed, job.id]]);
  expect(ids).toHaveLength(1);
});

describe('a recording that another command may have paid for', () => {
  const asked = 1000;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: asked }));

  /** A job that a command told the user of in doubt. */
  async function doubted(change: JobChange, path: string) {
    const first = await openOther('command');
    const { ids } = await first.submitJobs.addMissing([path], queue().request, signal);
    const [id = ''] = ids;
    vi.setSystemTime(asked + 1000);
    first.store.change(id, change);
    first.store.acknowledge(ids);
    await first.stop();
    return id;
  }

  it.each<[string, JobChange]>([
    ['lost the answer', { state: 'uncertain', problem: { code: 'service/uncertain' } }],
    ['was cancelled', { state: 'cancelled', problem: { code: 'service/may-charge' } }],
  ])(
    'is not paid for by one that was begun before the other %s, but by one that was begun later',
    async (_, change) => {
      const path = await queue().addFile('a.mp3');
      const id = await doubted(change, path);
      const second = await openOther('command', asked);
      expect(await second.submitJobs.addMissing([path], queue().request, signal)).toMatchObject({
        ids: [id],
        createdIds: [],
      });
      second.store.acknowledge([id]);
      await second.stop();
      vi.setSystemTime(asked + 2000);
      const later = await openOther('command', asked + 2000);
      expect((await later.submitJobs.addMissing([path], queue().request, signal)).createdIds).toHaveLength(1);
      await later.stop();
    },
  );

  it('is not paid for although the clock was set back before the doubt arose, while a later job is open', async () => {
    const [path, later] = [await queue().addFile('a.mp3'), await queue().addFile('b.mp3')];
    const first = await openOther('command');
    const { ids } = await first.submitJobs.add([path], queue().request, signal);
    const second = await openOther('command', asked);
    await second.submitJobs.add([later], queue().request, signal);
    vi.setSystemTime(asked - 500);
    first.store.change(ids[0] ?? '', { state: 'uncertain' });
    first.store.acknowledge(ids);
    await first.stop();
    vi.setSystemTime(asked - 400);
    expect((await second.submitJobs.addMissing([path], queue().request, signal)).ids).toEqual(ids);
    await second.stop();
  });

  it('is not paid for where the doubt arises while it looks', async () => {
    const path = await queue().addFile('a.mp3');
    const id = await doubted({ state: 'uncertain' }, path);
    const second = await openOther('command', asked);
    hasLooked(second);
    expect((await second.submitJobs.addMissing([path], queue().request, signal)).ids).toEqual([id]);
    await second.stop();
  });
});
