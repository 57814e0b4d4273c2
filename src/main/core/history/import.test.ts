import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { conversionJob, speechJob } from '../jobs/job.fixture.ts';
import type { Job } from '../jobs/job.ts';
import { createJobStore } from '../jobs/job-store.ts';
import { acquireProcessLock } from '../jobs/process-lock.ts';
import { historyHeader, toArchiveLine } from './archive-format.ts';
import { createAnnotationWriter } from './entries.ts';
import { createFileQueries } from './file-status.ts';
import { createTestExchange, elsewhere, type TestExchange } from './history-archive.fixture.ts';
import { countReads, sha256, useLibrary } from './history-entries.fixture.ts';
import { importHistory } from './import.ts';

/** Of Linux: nobody may read it, root included. */
const unreadable = '/sys/bus/platform/drivers_probe';

describe('exchange', () => {
  const library = useLibrary();
  let exchange: TestExchange;
  let conversion: string;
  let failed: string;
  let speech: string;

  beforeEach(async () => {
    const { store, database, write, done } = library();
    exchange = createTestExchange({ database, store });
    [conversion, failed, speech] = [randomUUID(), randomUUID(), randomUUID()];
    const source = await write('in/größe 声.wav', 'the source');
    const result = await write('out/größe 声.wav', 'the result');
    await done(conversion, source, result, {
      taskId: 'task-1',
      processingTime: 1.5,
      audioUrl: 'https://store.test/r?signature=topsecret',
      durationSeconds: 3,
    });
    const problem = {
      code: 'output/disk-full',
      facts: { folder: join(homedir(), 'secret project'), neededBytes: 10 },
      words: 'see https://store.test/r?signature=topsecret now',
    } as const;
    store.add([
      conversionJob({ id: failed, state: 'failed', problem, source: { path: source, subfolder: '', snapshot: null } }),
      speechJob({
        id: speech,
        state: 'done',
        text: 'Good evening.',
        durationSeconds: 1.25,
        output: null,
        source: {
          path: await write('in/letter.md', '*Good evening.*'),
          subfolder: '',
          snapshot: null,
          sha256: sha256('a'),
        },
      }),
    ]);
    createAnnotationWriter(database)([conversion], { isFavourite: true, addTags: ['rehearsal', 'größe'] });
  });

  const all = () => [conversion, failed, speech];
  const target = (name: string) => library().at(name);

  /** What of a job must be the same on every computer. */
  function traits(job: Job | undefined) {
    if (!job) return undefined;
    const { id, kind, state, createdAt, startedAt, endedAt, attempts, timings, voice, settings, outputFormat } = job;
    return {
      ...{ id, kind, state, createdAt, startedAt, endedAt, attempts, timings, voice, settings, outputFormat },
      connection: job.connection.name,
      sha256: job.finished?.sha256,
      processingTime: job.processingTime,
      durationSeconds: job.durationSeconds,
      ...(job.kind === 'speech'
        ? { text: job.text, source: [basename(job.source?.path ?? ''), job.source?.sha256] }
        : { taskId: job.taskId, sourceSha256: job.sourceSha256 }),
    };
  }

  describe('an export', () => {
    it('contains every entry with all its data, and nothing about this computer', async () => {
      const done = await exchange.export(all(), 'list', target('h.jsonl'));
      expect(done).toEqual({ entries: 3, files: 0, withoutFile: 0, name: 'h.jsonl' });
      const text = await readFile(target('h.jsonl'), 'utf8');
      const [first, ...lines] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(first).toEqual(historyHeader);
      expect(lines.map(({ id }) => id)).toEqual(all());
      expect(lines[0]).toMatchObject({
        connection: { name: 'Studio' },
        taskId: 'task-1',
        source: { name: 'größe 声.wav', sha256: sha256('the source') },
        result: { name: 'größe 声.wav', sha256: sha256('the result'), sizeBytes: 10 },
        isFavourite: true,
        tags: ['größe', 'rehearsal'],
      });
      expect(lines[1]).toMatchObject({ problem: { code: 'output/disk-full', facts: { neededBytes: 10 } } });
      for (const secret of [
        'topsecret',
        'store.test',
        'a.test',
        homedir(),
        library().folder,
        'secret project',
        'studio"',
      ]) {
        expect(text).not.toContain(secret);
      }
      expect(await readdir(library().at())).toEqual(['h.jsonl', 'in', 'out']);
    });

    it('includes each audio file once, and counts missing and changed ones', async () => {
      const { done, write } = library();
      const [twin, gone, changed] = [randomUUID(), randomUUID(), randomUUID()];
      await done(twin, null, await write('out/twin.wav', 'the result'));
      await done(gone, null, await write('out/gone.wav', 'gone'));
      await rm(library().at('out/gone.wav'));
      await done(changed, null, await write('out/changed.wav', 'before'));
      await write('out/changed.wav', 'after, and longer');
      const exported = await exchange.export([...all(), twin, gone, changed], 'sound', target('h.zip'));
      expect(exported).toEqual({ entries: 6, files: 1, withoutFile: 2, name: 'h.zip' });
    });

    it('includes Timbre’s copy of a result that is gone', async () => {
      const id = randomUUID();
      const path = await library().write('out/copied.wav', 'copied');
      await library().done(id, null, path);
      const content = { sha256: sha256('copied'), sizeBytes: 6, extension: '.wav' };
      await exchange.copyStore.add(path, content, 1000, new AbortController().signal);
      await rm(path);
      expect(await exchange.export([id], 'sound', target('h.zip'))).toMatchObject({ files: 1, withoutFile: 0 });
      const there = await elsewhere(library().folder);
      await there.exchange.import(target('h.zip'), there.sounds);
      expect(await readFile(join(there.sounds, 'copied.wav'), 'utf8')).toBe('copied');
    });

    it.skipIf(!existsSync(unreadable))('counts a file that cannot be read, and has all others', async () => {
      const [locked, twin] = [randomUUID(), randomUUID()];
      const { dev, ino } = await stat(unreadable, { bigint: true });
      const identity = { device: String(dev), inode: String(ino) };
      await library().done(locked, null, await library().write('out/locked.wav', 'locked'), {
        endedAt: Date.now() + 60_000,
        finished: { sha256: sha256('locked'), sizeBytes: 4096, identity },
        output: { path: unreadable, method: 'link' },
      });
      await library().done(twin, null, library().at('out/locked.wav'));
      const exported = await exchange.export([locked, ...all(), twin], 'sound', target('h.zip'));
      expect(exported).toEqual({ entries: 5, files: 2, withoutFile: 1, name: 'h.zip' });
    });

    it('lets main do other things while it comes to entries without a file', async () => {
      const { store, database } = library();
      const without = Array.from({ length: 500 }, () => randomUUID());
      store.add(without.map((id) => conversionJob({ id, state: 'failed' })));
      const reads = countReads(store);
      await createTestExchange({ database, store: reads.store }).export(without, 'sound', target('h.zip'));
      expect(reads.most()).toBeLessThan(200);
    });

    it('replaces its target only once it is complete', async () => {
      await writeFile(target('h.jsonl'), 'older');
      const stop = AbortSignal.abort(new Error('stopped'));
      for (const what of ['list', 'sound'] as const) {
        await expect(exchange.export(all(), what, target('h.jsonl'), stop)).rejects.toThrow('stopped');
      }
      expect(await readFile(target('h.jsonl'), 'utf8')).toBe('older');
      await expect(exchange.export(all(), 'sound', target('none/h.zip'))).rejects.toMatchObject({
        code: 'output/not-writable',
      });
      expect(await readdir(library().at())).toEqual(['h.jsonl', 'in', 'out']);
    });
  });

  it('of speech that was exported without a length gives entries without one', async () => {
    await exchange.export([speech], 'list', target('h'));
    const text = await readFile(target('h'), 'utf8');
    await writeFile(target('h'), text.replace('"durationSeconds":1.25,', ''));
    expect(await readFile(target('h'), 'utf8')).not.toBe(text);
    const there = await elsewhere(library().folder);
    expect(await there.exchange.import(target('h'), there.sounds)).toMatchObject({ added: 1, refused: 0 });
    expect(there.store.get(speech)).toMatchObject({ state: 'done', durationSeconds: null });
  });

  it('is known to the next start while it writes where the user’s files are', async () => {
    const dataFolder = dirname(library().database.location() ?? '');
    const records = () => readdirSync(join(dataFolder, 'temporary-files'));
    const { signal } = new AbortController();
    const seen: number[] = [];
    signal.throwIfAborted = () => void seen.push(records().length);
    await exchange.export(all(), 'sound', target('h.zip'), signal);
    expect([seen.length > 0, new Set(seen), records()]).toEqual([true, new Set([1]), []]);
  });

  describe('progress', () => {
    const rises = (progress: readonly number[]) =>
      progress.length > 0 && progress.every((share, k) => share >= (progress[k - 1] ?? 0) && share <= 1);

    it.each(['list', 'sound'] as const)('is reported for an export of a %s', async (what) => {
      await exchange.export(all(), what, target('e'));
      expect(exchange.progress).toSatisfy(rises);
    });

    it('is reported while one long file is read', async () => {
      const { done, write } = library();
      const id = randomUUID();
      await done(id, null, await write('out/long.wav', 'x'.repeat(4 * 1024 * 1024)));
      await exchange.export([failed, id], 'sound', target('e'));
      expect(exchange.progress).toSatisfy(rises);
      expect(exchange.progress).toEqual(expect.arrayContaining([0, 0.5, 0.625, 0.75, 0.875, 1]));
    });

    it('is reported while one long file is written', async () => {
      const { done, write } = library();
      const id = randomUUID();
      await done(id, null, await write('out/long.wav', 'x'.repeat(4 * 1024 * 1024)));
      await exchange.export([failed, id], 'sound', target('e'));
      const there = await elsewhere(library().folder);
      await there.exchange.import(target('e'), there.sounds);
      expect(there.exchange.progress).toSatisfy(rises);
      expect(there.exchange.progress.filter((share) => share > 0.5 && share < 1).length).toBeGreaterThan(3);
      expect(there.exchange.progress.at(-1)).toBe(1);
    });

    it('is reported for an import, by the bytes read of its list', async () => {
      await exchange.export([failed], 'list', target('e'));
      const [first = '', line = ''] = (await readFile(target('e'), 'utf8')).split('\n');
      const copies = Array.from({ length: 30 }, () => line.replace(failed, randomUUID()));
      await writeFile(target('many'), [first, ...copies].join('\n'));
      const there = await elsewhere(library().folder);
      await there.exchange.import(target('many'), there.sounds);
      expect(there.exchange.progress).toSatisfy(rises);
    });
  });

  describe('an import', () => {
    it.each(['list', 'sound'] as const)('of a %s on another computer, done twice, gives equal sets', async (what) => {
      await exchange.export(all(), what, target('h'));
      const there = await elsewhere(library().folder);
      expect(await there.exchange.import(target('h'), there.sounds)).toEqual({
        added: 3,
        known: 0,
        refused: 0,
        withoutFile: 0,
      });
      const once = all().map((id) => traits(there.store.get(id)));
      expect(once).toEqual(all().map((id) => traits(library().store.get(id))));
      expect(await there.exchange.import(target('h'), there.sounds)).toEqual({
        added: 0,
        known: 3,
        refused: 0,
        withoutFile: 0,
      });
      expect(there.rows()).toEqual(all().sort());
      expect(there.exchange.annotationsOf(conversion)).toEqual({ isFavourite: true, tags: ['größe', 'rehearsal'] });
      const result = there.store.get(conversion)?.output?.path ?? '';
      if (what === 'list') await expect(stat(result)).rejects.toThrow('ENOENT');
      else {
        expect(result).toBe(join(there.sounds, 'größe 声.wav'));
        expect(await readFile(result, 'utf8')).toBe('the result');
        expect(await readdir(there.sounds)).toEqual(['größe 声.wav']);
      }
      // And back again, unchanged.
      await there.exchange.export(all(), 'list', target('back.jsonl'));
      await exchange.export(all(), 'list', target('here.jsonl'));
      expect(await readFile(target('back.jsonl'), 'utf8')).toBe(await readFile(target('here.jsonl'), 'utf8'));
    });

    it('queues nothing and starts no job, and finds the connection by its name', async () => {
      await exchange.export(all(), 'list', target('h'));
      const there = await elsewhere(library().folder);
      await there.exchange.import(target('h'), there.sounds);
      expect(there.store.page(null, 10)).toEqual([]);
      expect(there.store.countUnfinished()).toBe(0);
      expect(there.store.get(conversion)?.connection.id).toBe('studio-here');
    });

    it.each([
      ['a long task id', { taskId: 'x'.repeat(3000) }],
      ['a long changer type', { changerType: 'x'.repeat(3000) }],
    ])('takes an entry with %s', async (_, change) => {
      const { store, database } = library();
      const job = conversionJob({ id: randomUUID(), state: 'done', ...change });
      store.add([job]);
      const path = library().at('export.jsonl');
      await createTestExchange({ database, store }).export([job.id], 'list', path);
      const there = await elsewhere(library().folder);
      expect(await there.exchange.import(path, there.sounds)).toMatchObject({ added: 1, refused: 0 });
    });

    it('takes a text of 9 MB', async () => {
      const { store, database } = library();
      const job = speechJob({ id: randomUUID(), state: 'done', text: '早上好。'.repeat(750_000) });
      store.add([job]);
      const path = library().at('export.jsonl');
      await createTestExchange({ database, store }).export([job.id], 'list', path);
      const there = await elsewhere(library().folder);
      expect(await there.exchange.import(path, there.sounds)).toMatchObject({ added: 1, refused: 0 });
    });

    it('recognizes an entry by its task if its id differs', async () => {
      await exchange.export([conversion], 'list', target('h'));
      const there = await elsewhere(library().folder);
      await there.exchange.import(target('h'), there.sounds);
      await writeFile(target('h'), (await readFile(target('h'), 'utf8')).replace(conversion, randomUUID()));
      expect(await there.exchange.import(target('h'), there.sounds)).toEqual({
        added: 0,
        known: 1,
        refused: 0,
        withoutFile: 0,
      });
    });

    it('restores missing audio and shows its entries', async () => {
      await exchange.export(all(), 'sound', target('h.zip'));
      await rm(library().at('out'), { recursive: true });
      await exchange.import(target('h.zip'), library().at('back'));
      expect(await readFile(library().store.get(conversion)?.output?.path ?? '', 'utf8')).toBe('the result');
      expect(exchange.shown).toEqual(all());
      expect(exchange.changed).toEqual([conversion]);
    });

    it('counts entries whose audio was missing when the archive was made', async () => {
      await rm(library().at('out'), { recursive: true });
      await exchange.export(all(), 'sound', target('h.zip'));
      const there = await elsewhere(library().folder);
      for (const counts of [
        { added: 3, known: 0 },
        { added: 0, known: 3 },
      ]) {
        expect(await there.exchange.import(target('h.zip'), there.sounds)).toEqual({
          ...counts,
          refused: 0,
          withoutFile: 1,
        });
      }
    });

    it('replaces no file, and reuses the audio that a killed import left', async () => {
      await exchange.export([conversion], 'sound', target('h.zip'));
      for (const [text, names] of [
        ['a person’s own', ['größe 声 (2).wav', 'größe 声.wav']],
        ['the result', ['größe 声.wav']],
      ] as const) {
        const there = await elsewhere(library().folder);
        await mkdir(there.sounds);
        await writeFile(join(there.sounds, 'größe 声.wav'), text);
        await there.exchange.import(target('h.zip'), there.sounds);
        expect((await readdir(there.sounds)).sort()).toEqual(names);
        expect(await readFile(join(there.sounds, 'größe 声.wav'), 'utf8')).toBe(text);
        expect(await readFile(there.store.get(conversion)?.output?.path ?? '', 'utf8')).toBe('the result');
      }
    });

    it('writes each file once although two processes import the archive at the same time', async () => {
      const { done, write } = library();
      const ids = Array.from({ length: 8 }, () => randomUUID());
      for (const [k, id] of ids.entries())
        await done(id, await write(`in/${k}.wav`, 'source'), await write(`out/${k}.wav`, `result ${k}`.repeat(10_000)));
      await exchange.export(ids, 'sound', target('h.zip'));
      const there = await elsewhere(library().folder);
      const database = await openDatabase(join(dirname(there.sounds), 'data'));
      const processLock = acquireProcessLock(join(dirname(there.sounds), 'data'));
      const onDefect = (error: unknown) => expect.unreachable(String(error));
      const store = createJobStore({ database, clock: systemClock, processLock, isCommand: true, onDefect });
      const second = createTestExchange({ database, store });
      await Promise.all([there.exchange, second].map((one) => one.import(target('h.zip'), there.sounds)));
      expect((await readdir(there.sounds)).sort()).toEqual(ids.map((_, k) => `${k}.wav`));
      expect(ids.map((id) => basename(there.store.get(id)?.output?.path ?? ''))).toEqual(ids.map((_, k) => `${k}.wav`));
      processLock.release();
      database.close();
    });
  });
});

describe('import history', () => {
  const library = useLibrary();
  const count = 400;
  let path: string;
  let there: DatabaseSync;
  /** Milliseconds that each slice takes. */
  let spentMs: number;
  /** How many entries were new in each slice. */
  let slices: number[];

  beforeEach(async () => {
    const { at, folder } = library();
    const unmarked = { isFavourite: false, tags: [] };
    const lines = Array.from({ length: count }, (_, k) =>
      toArchiveLine(conversionJob({ id: randomUUID(), state: 'done', endedAt: 1_000_000 - k }), unmarked),
    );
    path = at('history.jsonl');
    await writeFile(path, [historyHeader, ...lines].map((line) => JSON.stringify(line)).join('\n'));
    there = await openDatabase(join(folder, 'there'));
    [spentMs, slices] = [0, []];
  });
  afterEach(() => there.close());

  function run(onSlice: () => void = () => undefined, signal = new AbortController().signal) {
    let now = 0;
    let isWithin = false;
    return importHistory(
      {
        database: there,
        writes: { write: (work) => work() },
        store: { get: () => undefined },
        show: () => undefined,
        onAdded(ids) {
          slices.push(ids.length);
          onSlice();
        },
        onChanged: () => undefined,
        connectionId: () => undefined,
        clock: {
          now() {
            if (isWithin) now += spentMs;
            isWithin = !isWithin;
            return now;
          },
        },
        fileQueries: createFileQueries({ clock: systemClock, platform: process.platform }),
        temporaryFiles: { use: () => expect.unreachable('a list has no audio') },
      },
      { path, folder: '/sounds', signal, onProgress: () => undefined },
    );
  }
  const rows = () => there.prepare('SELECT count(*) AS count, count(DISTINCT id) AS ids FROM job').get();

  it('doubles the batch size while batches are fast', async () => {
    await run();
    expect(slices).toEqual([10, 20, 40, 80, 160, 90]);
  });

  it('reduces the batch size on a slow disk, down to one', async () => {
    spentMs = 16;
    await run();
    expect(slices.slice(0, 6)).toEqual([10, 5, 2, 1, 1, 1]);
    expect(rows()).toEqual({ count, ids: count });
  });

  it('continues after it was interrupted, and adds nothing twice', async () => {
    const stop = new AbortController();
    const ended = run(() => {
      if (slices.length === 3) stop.abort(new Error('stopped'));
    }, stop.signal);
    await expect(ended).rejects.toThrow('stopped');
    expect(rows()).toEqual({ count: 70, ids: 70 });
    expect(await run()).toEqual({ added: count - 70, known: 70, refused: 0, withoutFile: 0 });
    expect(await run()).toEqual({ added: 0, known: count, refused: 0, withoutFile: 0 });
    expect(rows()).toEqual({ count, ids: count });
  });
});
