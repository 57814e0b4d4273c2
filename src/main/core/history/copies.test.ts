import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CopySettings } from '../../../shared/schemas/settings.ts';
import { systemClock } from '../clock.ts';
import { speechJob } from '../jobs/job.fixture.ts';
import { createTestCopies, type TestCopies } from './copies.fixture.ts';
import { useLibrary } from './history-entries.fixture.ts';

const library = useLibrary();
const { signal } = new AbortController();
const bytes = 1e-9;
const opened: TestCopies[] = [];
let given: Partial<CopySettings> = {};

function open(options: Parameters<typeof createTestCopies>[1] = {}): TestCopies {
  const made = createTestCopies(library(), { settings: () => given, ...options });
  opened.push(made);
  return made;
}

afterEach(async () => {
  given = {};
  await Promise.all(opened.splice(0).map(({ copies }) => copies.stop()));
});

let made = 0;
/** A result that is done now. */
async function result(text: string, name = `out/${++made}.wav`) {
  const source = await library().write(`in/${made}.wav`, 'source');
  return library().done(`job-${++made}`, source, await library().write(name, text));
}

const folder = () => join(library().folder, 'copies');
async function copied(): Promise<readonly string[]> {
  const names = (await readdir(folder()).catch(() => [])).filter((name) => !name.startsWith('.'));
  return (await Promise.all(names.map((name) => readFile(join(folder(), name), 'utf8')))).sort();
}
const untilCopied = (...texts: readonly string[]) => expect.poll(copied).toEqual([...texts].sort());

describe('a new result', () => {
  it('is copied once it is done', async () => {
    open();
    await result('one');
    await untilCopied('one');
  });

  it('is settled once it has its copy, gets none, or Timbre quits', async () => {
    const reached = Promise.withResolvers<void>();
    const mayAdd = Promise.withResolvers<void>();
    const { copyStore } = open({ settings: () => ({ isOn: false }) });
    const { copies } = open({
      copyStore: {
        async add(...args) {
          reached.resolve();
          await mayAdd.promise;
          return copyStore.add(...args);
        },
      },
    });
    const { id } = await result('one');
    let isSettled = false;
    const settled = copies.whenSettled(id).then(() => (isSettled = true));
    await reached.promise;
    const next = await result('two');
    expect(isSettled).toBe(false);
    mayAdd.resolve();
    await settled;
    expect(await copied()).toContain('one');
    await copies.removeAll();
    await Promise.all([copies.whenSettled(next.id), copies.whenSettled('unknown')]);
    const last = await result('three');
    const whenLast = copies.whenSettled(last.id);
    await copies.stop();
    await whenLast;
  });

  it('is copied although the clock was set back after Timbre was opened', async () => {
    const hourMs = 3_600_000;
    open({ clock: { ...systemClock, now: () => systemClock.now() + hourMs } });
    const { store, write } = library();
    const [source, path] = [await write('in/a.wav', 'source'), await write('out/a.wav', 'one')];
    const done = await library().done('made before', source, path);
    store.add([{ ...done, id: 'made now', state: 'publishing' }]);
    expect(await copied()).toEqual([]);
    store.change('made now', { state: 'done' });
    await untilCopied('one');
  });

  it('is not copied while copies are off', async () => {
    given = { isOn: false };
    const { copies } = open();
    await result('one');
    await copies.stop();
    expect(await copied()).toEqual([]);
  });

  it('is not copied if it alone is larger than the limit, and copies nothing away', async () => {
    given = { maxGigabytes: 5 * bytes };
    const { copies } = open();
    await result('small');
    await result('too large');
    await copies.stop();
    expect(await copied()).toEqual(['small']);
  });

  it('makes room for its copy where the oldest are', async () => {
    given = { maxGigabytes: 10 * bytes };
    open();
    for (const text of ['one..', 'two..', 'three']) {
      await result(text);
      // File times of different results differ.
      await expect.poll(copied).toContain(text);
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.now());
    }
    await untilCopied('two..', 'three');
  });

  it('is copied, even if the copy before it failed, and the reason is gone then', async () => {
    let failures = 0;
    const { copyStore } = open({ settings: () => ({ isOn: false }) });
    const { copies } = open({
      copyStore: { add: (...args) => copyStore.add(...args).finally(() => (failures += 1)) },
    });
    const changes: (string | undefined)[] = [];
    copies.onChanged(() => changes.push(copies.problem()?.code));
    await writeFile(folder(), 'a file in the way');
    await result('one');
    await result('two');
    await expect.poll(() => failures).toBe(2);
    await expect
      .poll(() => copies.problem())
      .toMatchObject({ code: 'output/not-writable', facts: { folder: folder() } });
    await rm(folder());
    await result('three');
    await untilCopied('three');
    await expect.poll(() => copies.problem()).toBeNull();
    expect(changes.filter((code, k) => code !== undefined && code !== changes[k - 1])).toEqual(['output/not-writable']);
    // The next start copies what is left out.
    await copies.stop();
    open().copies.start();
    await untilCopied('one', 'two', 'three');
  });
});

describe('copies of earlier results', () => {
  it('are made at the start if they end after copies were turned on', async () => {
    given = { isOn: false };
    await result('before');
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.now());
    given = { since: Date.now() };
    await result('after');
    open().copies.start();
    await untilCopied('after');
  });

  it('are made although the clock was ahead when copies were turned on, but not of what was there before', async () => {
    given = { isOn: false };
    await result('before');
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.now());
    given = { since: Date.now() + 3_600_000 };
    const { copies } = open();
    await result('one');
    await untilCopied('one');
    await copies.stop();
    await result('two');
    open().copies.start();
    await untilCopied('one', 'two');
    await expect.poll(() => opened.at(-1)?.copies.status()).toMatchObject({ waiting: 0, copies: 2 });
  });

  it('are made of the newest if there is no room for all, and not again and again', async () => {
    for (const text of ['one..', 'two..', 'three']) {
      await result(text);
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.now());
    }
    given = { maxGigabytes: 12 * bytes };
    const { copies } = open();
    copies.start();
    await untilCopied('two..', 'three');
    await copies.stop();
    const added: string[] = [];
    const { copyStore } = open();
    const next = open({
      copyStore: {
        add(...args) {
          added.push(args[0]);
          return copyStore.add(...args);
        },
      },
    });
    next.copies.start();
    await next.copies.stop();
    expect(added).toEqual([]);
    expect(await copied()).toEqual(['three', 'two..']);
  });

  it('are removed once the limit is lower', async () => {
    const { copies } = open();
    await result('one..');
    await untilCopied('one..');
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.now());
    await result('two..');
    await untilCopied('one..', 'two..');
    given = { maxGigabytes: 5 * bytes };
    copies.update();
    await untilCopied('two..');
    expect(await copies.status()).toEqual({ folder: folder(), copies: 1, bytes: 5, waiting: 0, problem: null });
  });

  it('are all removed when the user says so, and made again only of later results', async () => {
    const { copies } = open();
    await result('one');
    await untilCopied('one');
    given = { since: Date.now() + 1 };
    await copies.removeAll();
    expect(await copied()).toEqual([]);
    copies.update();
    await copies.stop();
    expect(await copied()).toEqual([]);
  });

  it('stay away if the user removes all while they are made', async () => {
    for (const text of ['one', 'two', 'three']) await result(text);
    const { copyStore } = open();
    const reached = Promise.withResolvers<void>();
    const removed = Promise.withResolvers<void>();
    const { copies } = open({
      copyStore: {
        async add(...args) {
          reached.resolve();
          await removed.promise;
          return copyStore.add(...args);
        },
      },
    });
    copies.start();
    await reached.promise;
    given = { since: Date.now() + 1000 };
    await copies.removeAll();
    removed.resolve();
    await copies.stop();
    expect(await copied()).toEqual([]);
    expect(copies.problem()).toBeNull();
  });
});

it('stops although a disk hangs', async () => {
  const isAsked = Promise.withResolvers<void>();
  const { copies } = open({
    copyStore: {
      add() {
        isAsked.resolve();
        return new Promise(() => undefined);
      },
    },
    clock: { now: systemClock.now, sleep: () => Promise.resolve() },
  });
  await result('one');
  await isAsked.promise;
  await copies.stop();
  // Jobs go on meanwhile: nothing of the queue waited.
  expect(library().store.countUnfinished()).toBe(0);
});

it('removes copies of removed entries, unless another entry or a job has the content', async () => {
  const { copies } = open();
  const gone = await result('gone');
  const shared = await result('shared');
  await result('shared');
  const undone = await result('undone');
  await result('kept');
  await untilCopied('gone', 'shared', 'undone', 'kept');
  await writeFile(join(folder(), `${'0'.repeat(64)}.wav`), 'of a history that is lost');
  const { database } = library();
  for (const { id } of [gone, shared, undone])
    database
      .prepare('INSERT INTO history_removed (job, number, removed_at) SELECT number, number, 0 FROM job WHERE id = ?')
      .run(id);
  // Its undo was interrupted, and goes on at the next start.
  database.prepare('INSERT INTO pending_restore (id) VALUES (?)').run(undone.id);
  await copies.removeForgotten(signal);
  expect(await copied()).toEqual(['kept', 'of a history that is lost', 'shared', 'undone']);
});

describe('copies of removed entries', () => {
  const { signal } = new AbortController();
  const remove = (id: string, at: number) =>
    library()
      .database.prepare(
        'INSERT INTO history_removed (job, number, removed_at) SELECT number, number, ? FROM job WHERE id = ?',
      )
      .run(at, id);
  /** The number of looks through the folder. */
  function openCounted() {
    let looks = 0;
    const { copyStore } = open();
    const { copies } = open({
      copyStore: {
        list() {
          looks += 1;
          return copyStore.list();
        },
      },
    });
    return { copies, looks: () => looks };
  }

  it('are looked for only after an entry was removed', async () => {
    open();
    const [one, two] = [await result('one'), await result('two')];
    await result('kept');
    await untilCopied('one', 'two', 'kept');
    const { copies, looks } = openCounted();
    await copies.removeForgotten(signal);
    expect(looks()).toBe(0);
    remove(one.id, 1);
    await copies.removeForgotten(signal);
    await copies.removeForgotten(signal);
    expect([looks(), await copied()]).toEqual([1, ['kept', 'two']]);
    // At the next start too.
    const next = openCounted();
    await next.copies.removeForgotten(signal);
    expect(next.looks()).toBe(0);
    remove(two.id, 1);
    await next.copies.removeForgotten(signal);
    expect([next.looks(), await copied()]).toEqual([1, ['kept']]);
  });

  it('are looked for again if the look was not finished, or one could not be removed', async () => {
    open();
    const one = await result('one');
    await untilCopied('one');
    remove(one.id, 1);
    await open().copies.removeForgotten(AbortSignal.abort());
    const failing = open({ copyStore: { remove: () => Promise.reject(new Error('not removed')) } });
    await expect(failing.copies.removeForgotten(signal)).rejects.toThrow('not removed');
    expect(await copied()).toEqual(['one']);
    await open().copies.removeForgotten(signal);
    expect(await copied()).toEqual([]);
  });

  it('are not made of an entry that was removed while its result waited', async () => {
    const { copyStore } = open({ settings: () => ({ isOn: false }) });
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { copies } = open({
      copyStore: {
        async add(...args) {
          reached.resolve();
          await released.promise;
          return copyStore.add(...args);
        },
      },
    });
    await result('first');
    await reached.promise;
    const { id } = await result('second');
    remove(id, 1);
    released.resolve();
    await copies.stop();
    expect(await copied()).toEqual(['first']);
  });
});

it('finds the copy of a result that is gone, and the result itself while it is there', async () => {
  const { copies } = open();
  const job = await result('one');
  await untilCopied('one');
  const path = job.output?.path ?? '';
  expect(await copies.findSound(job)).toBe(path);
  await rm(path);
  expect(await readFile((await copies.findSound(job)) ?? '', 'utf8')).toBe('one');
  await rm(folder(), { recursive: true });
  expect(await copies.findSound(job)).toBe(path);
  expect(await copies.findSound(speechJob())).toBeUndefined();
});
