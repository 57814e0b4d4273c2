import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import type { SelectionRef, HistoryList, HistoryRow, LongTaskProgress } from '../../shared/schemas/history.ts';
import { systemClock } from '../core/clock.ts';
import { createWriteGate } from '../core/database/write-gate.ts';
import { createTestCopies } from '../core/history/copies.fixture.ts';
import { listName, soundName } from '../core/history/archive-format.ts';
import { writeZip } from '../core/history/history-archive.fixture.ts';
import { useLibrary } from '../core/history/history-entries.fixture.ts';
import { createHistoryFiles, type HistoryFiles, type HistoryAccess } from '../core/history/history-files.ts';
import { openHistory, type OpenHistory, temporaryFolder } from '../core/history/open-history.fixture.ts';
import { createTestShown, createTestTrash } from '../core/history/removal.fixture.ts';
import type { JobEvent } from '../core/jobs/job-store.ts';
import { conversionJob, speechJob } from '../core/jobs/job.fixture.ts';
import { createOwnResults } from '../core/jobs/own-results.ts';
import { createSubmitJobs } from '../core/jobs/submit-jobs.ts';
import { fileKey } from '../core/recorded-sound.ts';
import { createAllowedPaths } from './allowed-paths.ts';
import { createHistoryFileHandlers, createHistoryHandlers, emitHistoryChanges } from './history.ts';

describe('history files', () => {
  const library = useLibrary();
  let files: HistoryFiles;
  let changed: string[];
  let dragged: (readonly string[])[];
  let copied: string[];
  let shared: (readonly string[])[];
  let marked: SelectionRef[];
  let works: (LongTaskProgress | null)[];
  let onWork: () => void;
  let chosen: string | null;
  let asked: string[];
  let access: HistoryAccess;

  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const [a = '', b = ''] = ids;

  beforeEach(async () => {
    const { database, store, folder, write, done } = library();
    [changed, dragged, copied, shared, marked, works, asked, chosen] = [[], [], [], [], [], [], [], null];
    onWork = () => undefined;
    access = {
      ...createTestShown(database),
      annotations: () => ({ isFavourite: false, tags: [] }),
      notifyChanged: (some) => changed.push(...some),
      flush: () => undefined,
    };
    const writes = createWriteGate({ database, clock: systemClock, onDefect: () => undefined });
    files = createHistoryFiles({
      ...createTestCopies(library(), { settings: () => ({ isOn: false }) }),
      database,
      queue: {
        store,
        writes,
        submitJobs: createSubmitJobs({
          store,
          inspectSound: () => expect.unreachable('inspected'),
          clock: systemClock,
          writes,
          isCommand: false,
          ownResults: createOwnResults(database),
          randomId: () => 'new',
          nextBatch: () => Promise.resolve(),
          askedAt: Infinity,
          adoptOrphans: () => [],
        }),
      },
      connections: { has: () => false, list: () => [] } as never,
      voices: {} as never,
      history: access,
      clock: systemClock,
      trash: createTestTrash(join(folder, 'trash')),
      onDefect(error) {
        throw error;
      },
    });
    for (const [k, id] of ids.entries()) {
      await done(id, await write(`in/${k}.wav`, `source ${k}`), await write(`out/${k}.wav`, `result ${k}`));
    }
  });

  const choose = () => {
    asked.push('dialog');
    return Promise.resolve(chosen);
  };
  const handlers = () =>
    createHistoryFileHandlers({
      files: () => Promise.resolve(files),
      history: () => Promise.resolve({ update: (choice) => Promise.resolve(void marked.push(choice)) }),
      resolveSelection: (choice) => Promise.resolve(choice && 'ids' in choice ? choice.ids : ids),
      clock: { now: () => new Date(2026, 2, 9).getTime() },
      signal: new AbortController().signal,
      emitProgress(work) {
        works.push(work);
        onWork();
      },
      chooseNewExport(name) {
        asked.push(name);
        return Promise.resolve(chosen);
      },
      chooseExport: choose,
      chooseFileOrFolder: choose,
      fileSharing: () =>
        Promise.resolve({
          copyText: (text) => Promise.resolve(void copied.push(text)),
          copyFiles: (paths) => Promise.resolve(void shared.push(['copy', ...paths])),
          shareFiles: (paths) => Promise.resolve(void shared.push(['share', ...paths])),
          dragFiles: (paths) => dragged.push(paths),
        }),
      places: createAllowedPaths(),
      settings: () => Promise.resolve({ get: () => defaultSettings }),
      importFolder: () => Promise.resolve(library().at('import')),
    });
  const at = (name: string) => library().at(name);

  describe('file status', () => {
    it('reports the status of the files of each entry', async () => {
      await rm(at('in/1.wav'));
      expect(await handlers().getFileStatus({ ids: [a, b, 'none'] })).toEqual([
        { id: a, source: 'there', result: 'there', hasCopy: false },
        { id: b, source: 'missing', result: 'there', hasCopy: false },
        { id: 'none', source: null, result: null, hasCopy: false },
      ]);
      expect(changed).toEqual([]);
    });

    it('relinks files that were moved nearby, many at once', async () => {
      await rename(at('out'), at('results'));
      const received: JobEvent[] = [];
      library().store.onEvent((event) => received.push(event));
      expect(await handlers().getFileStatus({ ids })).toEqual(
        ids.map((id) => ({ id, source: 'there', result: 'there', hasCopy: false })),
      );
      expect(library().store.get(b)?.output?.path).toBe(at('results/1.wav'));
      expect(changed).toEqual(ids);
      expect(received.flatMap((event) => (event.kind === 'upserted' ? event.jobs.map(({ id }) => id) : []))).toEqual(
        ids,
      );
    });

    it('relinks other files to the place where the user found one of them', async () => {
      const far = at('far/away/from/here');
      await mkdir(dirname(far), { recursive: true });
      await rename(at('out'), far);
      expect(await handlers().getFileStatus({ ids })).toMatchObject([{ result: 'missing' }, { result: 'missing' }]);
      chosen = at('far');
      expect(await handlers().findFile({ id: a, which: 'result' })).toEqual({ kind: 'found', entries: 1 });
      expect(await handlers().getFileStatus({ ids })).toMatchObject([{ result: 'there' }, { result: 'there' }]);
    });

    it('does not use the file of another entry for a missing one', async () => {
      await library().done('twin', null, await library().write('out/twin.wav', 'result 0'));
      await rm(at('out/0.wav'));
      expect(await handlers().getFileStatus({ ids: [a] })).toMatchObject([{ result: 'missing' }]);
    });
  });

  describe('finding a file', () => {
    it('reports how many names were searched without success, and nothing if the user cancels the dialog', async () => {
      expect(await handlers().findFile({ id: a, which: 'source' })).toBeNull();
      await rm(at('in/0.wav'));
      chosen = at('');
      expect(await handlers().findFile({ id: a, which: 'source' })).toEqual({ kind: 'not-found', files: 5 });
    });
  });

  describe('other requests', () => {
    it('remove and undo', async () => {
      const { undo, ...sum } = await handlers().remove({ choice: { ids }, withFiles: true });
      expect(sum).toEqual({ entries: 2, files: 2, keptFiles: 0 });
      await handlers().undo({ undo });
      expect(await handlers().getFileStatus({ ids })).toMatchObject([{ result: 'there' }, { result: 'there' }]);
    });

    it('export all of history to a file named by the day, and import it', async () => {
      expect(await handlers().export({ choice: null, what: 'sound' })).toBeNull();
      chosen = at('h.jsonl');
      expect(await handlers().export({ choice: { ids: [a] }, what: 'list' })).toMatchObject({ entries: 1 });
      expect(asked).toEqual(['Timbre 2026-03-09.zip', 'Timbre 2026-03-09.jsonl']);
      expect(await readFile(chosen, 'utf8')).toContain(a);
      expect(await handlers().import()).toMatchObject({ added: 0, known: 1, refused: 0, undo: null, problem: null });
      chosen = null;
      expect(await handlers().import()).toBeNull();
    });

    it('restore what was removed with its file by an import', async () => {
      chosen = at('h.jsonl');
      await handlers().export({ choice: { ids: [a] }, what: 'list' });
      await handlers().remove({ choice: { ids }, withFiles: true });
      await handlers().import();
      expect(ids.map(access.isVisible)).toEqual([true, false]);
      expect(await readdir(at('out'))).toContain('0.wav');
      expect(await handlers().getFileStatus({ ids: [a] })).toMatchObject([{ result: 'there' }]);
    });

    it('take back an import: only what it added or brought back, with the files that it wrote', async () => {
      chosen = at('h.jsonl');
      await handlers().export({ choice: { ids }, what: 'list' });
      const list = (await readFile(chosen, 'utf8')).trimEnd().split('\n');
      const added = '33333333-3333-4333-8333-333333333333';
      const sha256 = createHash('sha256').update('theirs').digest('hex');
      const result = { name: 'theirs.wav', sizeBytes: 6, sha256 };
      list.push(JSON.stringify({ ...(JSON.parse(list[1] ?? '') as object), id: added, taskId: null, result }));
      chosen = await writeZip(at('h.zip'), [
        [listName, list.join('\n')],
        [soundName(sha256, '.wav'), 'theirs'],
      ]);
      await handlers().remove({ choice: { ids: [b] }, withFiles: false });
      const report = await handlers().import();
      expect(report).toMatchObject({ added: 1, known: 1, broughtBack: 1, refused: 0, withoutFile: 0 });
      expect(await readdir(at('import'))).toEqual(['theirs.wav']);
      expect([a, b, added].map(access.isVisible)).toEqual([true, true, true]);
      await handlers().undo({ undo: report?.undo ?? '' });
      expect([a, b, added].map(access.isVisible)).toEqual([true, false, false]);
      expect(await readdir(at('import'))).toEqual([expect.stringContaining('.timbre-')]);
      expect((await readdir(at('out'))).sort()).toEqual(['0.wav', '1.wav']);
      await expect(handlers().undo({ undo: report?.undo ?? '' })).rejects.toMatchObject({ code: 'history/undo-over' });
      // Imported once more, all is there again.
      expect(await handlers().import()).toMatchObject({ added: 0, known: 1, broughtBack: 2, withoutFile: 0 });
      expect([a, b, added].map(access.isVisible)).toEqual([true, true, true]);
    });

    it('count an entry once that an imported list has twice', async () => {
      chosen = at('h.jsonl');
      await handlers().export({ choice: { ids: [b] }, what: 'list' });
      const [header = '', line = ''] = (await readFile(chosen, 'utf8')).trimEnd().split('\n');
      await writeFile(chosen, [header, line, line].join('\n'));
      await handlers().remove({ choice: { ids: [b] }, withFiles: false });
      const report = await handlers().import();
      expect(report).toMatchObject({ added: 0, known: 1, broughtBack: 1 });
      await handlers().undo({ undo: report?.undo ?? '' });
      expect(access.isVisible(b)).toBe(false);
    });

    it('take back what was imported of a damaged list', async () => {
      chosen = at('h.jsonl');
      await handlers().export({ choice: { ids: [a] }, what: 'list' });
      await handlers().remove({ choice: { ids: [a] }, withFiles: false });
      await writeFile(chosen, `${await readFile(chosen, 'utf8')}${'{}\n'.repeat(10_000)}`);
      const report = await handlers().import();
      expect(report).toMatchObject({ broughtBack: 1, refused: 10_000, problem: { code: 'history/export-damaged' } });
      expect(report?.refusedLines).toHaveLength(200);
      await handlers().undo({ undo: report?.undo ?? '' });
      expect(access.isVisible(a)).toBe(false);
    });

    it('leave no file of an export that is cancelled, and report its end', async () => {
      chosen = at('h.zip');
      const open = handlers();
      // At the first progress: a later poll may find it finished.
      const stopped = new Promise((resolve) => (onWork = () => resolve(open.cancelTask())));
      const answer = open.export({ choice: null, what: 'sound' });
      expect(await stopped).toBe(true);
      expect(await answer).toBeNull();
      expect(works.at(-1)).toBeNull();
      expect(
        (await readdir(library().folder)).filter((name) => name.includes('h.zip') || name.endsWith('.part')),
      ).toEqual([]);
    });

    it('report a change of many entries as a task, and make one of a few beside another task', async () => {
      const many = Array.from({ length: 501 }, (_, k) => `entry ${k}`);
      const open = handlers();
      await open.update({ choice: { ids: many }, isFavourite: true });
      expect(works.map((work) => work?.kind)).toEqual(['mark', undefined]);
      await open.update({ choice: { ids }, isFavourite: true });
      expect(works).toHaveLength(2);
      expect(marked).toEqual([{ ids: many }, { ids }]);
    });

    it('copy and drag the existing results', async () => {
      await rm(at('out/1.wav'));
      expect(await handlers().copyPaths({ ids })).toEqual({ paths: 1 });
      expect(await handlers().drag({ ids })).toEqual({ names: ['0.wav'] });
      expect(copied).toEqual([at('out/0.wav')]);
      expect(dragged).toEqual([[at('out/0.wav')]]);
      expect(await handlers().copyPaths({ ids: [b] })).toEqual({ paths: 0 });
      await expect(handlers().drag({ ids: [b] })).rejects.toMatchObject({ code: 'input/missing' });
      expect(copied).toHaveLength(1);
    });

    it('copy and share the existing results as files', async () => {
      await rm(at('out/1.wav'));
      expect(await handlers().copyFiles({ ids })).toEqual({ files: 1 });
      await handlers().share({ ids });
      const all = [
        ['copy', at('out/0.wav')],
        ['share', at('out/0.wav')],
      ];
      expect(shared).toEqual(all);
      expect(await handlers().copyFiles({ ids: [b] })).toEqual({ files: 0 });
      await expect(handlers().share({ ids: [b] })).rejects.toMatchObject({ code: 'input/missing' });
      expect(shared).toEqual(all);
    });

    it('explain what cannot be repeated', async () => {
      await expect(handlers().repeat({ choice: { ids: [a] } })).rejects.toMatchObject({ code: 'connection/not-found' });
    });
  });
});

describe('history', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let open: OpenHistory;
  /** Where the next export goes; null if the user cancels the dialog. */
  let target: string | null;
  const proposed: string[] = [];
  const handlers = () =>
    createHistoryHandlers({
      data: () => Promise.resolve({ ...open, signal: new AbortController().signal }),
      clock: { now: () => new Date(2026, 10, 18).getTime() },
      chooseNewExport(name) {
        proposed.push(name);
        return Promise.resolve(target);
      },
    });

  beforeEach(async () => {
    folder = await temporaryFolder();
    open = await openHistory(folder.folder, { now: () => 5000 });
  });
  afterEach(async () => {
    await open.close();
    await folder.remove();
  });

  const done = conversionJob({
    id: 'done',
    state: 'done',
    source: {
      path: '/private/takes/a.wav',
      subfolder: '',
      snapshot: { device: '1', inode: '2', sizeBytes: 3, modifiedNs: '4' },
    },
    sourceSha256: 'ab',
    durationSeconds: 1.5,
    taskId: 'task',
    audioUrl: 'https://a.test/r?signature=secret',
    processingTime: 4,
    output: { path: '/private/out/a.mp3', method: 'link' },
    finished: { sha256: 'cd', sizeBytes: 9, identity: { device: '1', inode: '5' } },
  });

  describe('statistics', () => {
    const query = { period: 'all', kind: 'all' } as const;
    beforeEach(() => {
      proposed.length = 0;
      open.store.add([done, { ...done, id: 'other', voice: { ...done.voice, id: 'zoë', name: 'Zoë, warm' } }]);
    });

    it('are summed up in a thread of their own', async () => {
      expect(await handlers().statistics(query)).toMatchObject({
        total: { results: 2, seconds: 3 },
        connections: [{ name: 'Studio', results: 2 }],
        years: [1970],
      });
    });

    it('end when others are asked for, so that the last answer comes first', async () => {
      const { statistics } = handlers();
      const first = statistics(query);
      const ended = expect(first).rejects.toMatchObject({ code: 'job/cancelled' });
      expect(await statistics({ ...query, kind: 'speech' })).toMatchObject({ total: { results: 0 } });
      await ended;
    });

    it('are saved as CSV that Excel reads, in place of an older file', async () => {
      target = join(folder.folder, 'table.csv');
      await writeFile(target, 'old');
      expect(await handlers().exportStatistics({ ...query, table: 'voice' })).toBe('table.csv');
      expect(proposed).toEqual(['Timbre statistics 2026-11-18.csv']);
      expect(await readFile(target, 'utf8')).toBe(
        '\ufeffvoice,voice_id,connection,results,minutes,unmeasured,characters,failed,cancelled,uncertain,spoken_minutes,unmeasured_texts\r\n' +
          'Low bronze,low-bronze,Studio,1,0.03,0,0,0,0,0,0.00,0\r\n"Zoë, warm",zoë,Studio,1,0.03,0,0,0,0,0,0.00,0\r\n',
      );
    });

    it('are not saved if the user cancels, and say why the folder does not take them', async () => {
      target = null;
      expect(await handlers().exportStatistics({ ...query, table: 'time' })).toBeNull();
      target = join(folder.folder, 'gone', 'table.csv');
      await expect(handlers().exportStatistics({ ...query, table: 'time' })).rejects.toMatchObject({
        code: 'output/not-writable',
      });
    });
  });

  describe('what a page receives of an entry', () => {
    it('contains names and keys in a list: no path and no address', async () => {
      open.store.add([done]);
      const { rows, isWhole } = await handlers().search({ text: '' });
      expect(isWhole).toBe(true);
      expect(rows).toMatchObject([{ id: 'done', name: 'a.wav', state: 'done', durationSeconds: 1.5 }]);
      expect(rows[0]?.sourceMedia).toBe(fileKey('/private/takes/a.wav'));
      expect(rows[0]?.resultMedia).toBe(fileKey('/private/out/a.mp3'));
      expect(JSON.stringify(rows)).not.toMatch(/private|secret|signature/);
    });

    it('contains all that is stored, except for the address of its result (H11)', async () => {
      open.store.add([done, { ...done, id: 'other' }]);
      const detail = await handlers().detail({ id: 'done' });
      expect(detail).toMatchObject({
        row: { id: 'done' },
        source: { name: 'a.wav', folder: '/private/takes', sizeBytes: 3, sha256: 'ab' },
        result: { name: 'a.mp3', folder: '/private/out', sizeBytes: 9, sha256: 'cd' },
        text: null,
        connectionId: 'studio',
        connectionName: 'Studio',
        settings: done.settings,
        outputFormat: '.wav',
        taskId: 'task',
        attempts: 0,
        createdAt: 5000,
        startedAt: null,
        timings: {},
        processingTime: 4,
        watchFolder: null,
        others: [{ id: 'other' }],
      });
      expect(JSON.stringify(detail)).not.toMatch(/secret|signature/);
    });

    it('contains the text and the file of a text that was watched, which is found by either and is no sound', async () => {
      const source = { path: '/private/texts/Letter.md', subfolder: '', snapshot: done.source.snapshot, sha256: 'ef' };
      open.store.add([speechJob({ id: 's', state: 'done', text: 'Good evening.', source, output: done.output })]);
      for (const text of ['letter', 'evening', 'kind:speech']) {
        const { rows } = await handlers().search({ text });
        expect(rows, text).toMatchObject([{ kind: 'speech', name: 'Letter.md', sourceMedia: null }]);
      }
      expect(await handlers().detail({ id: 's' })).toMatchObject({
        source: { name: 'Letter.md', folder: '/private/texts', sizeBytes: 3, sha256: 'ef' },
        text: 'Good evening.',
      });
    });

    it('has no playable result unless the job is done, and no more text than is shown', async () => {
      open.store.add([speechJob({ id: 's', state: 'cancelled', text: 'a'.repeat(30_000), output: done.output })]);
      const { row, text, result } = await handlers().detail({ id: 's' });
      expect([row.resultMedia, row.sourceMedia, result]).toEqual([null, null, null]);
      expect(text).toHaveLength(20_000);
    });
  });

  it('notifies pages of a list once it is counted, and of changed rows, a hundred in a message', async () => {
    const listed: HistoryList[] = [];
    const changes: { readonly upserted: readonly HistoryRow[]; readonly isStale: boolean }[] = [];
    emitHistoryChanges(open.history, {
      listCounted: (list) => listed.push(list),
      changed: (change) => changes.push(change),
    });
    const event = open.nextChange();
    open.store.add(Array.from({ length: 150 }, (_, k) => ({ ...done, id: `take${k}` })));
    await event;
    expect(changes.map(({ upserted, isStale }) => [upserted.length, isStale])).toEqual([
      [100, true],
      [50, false],
    ]);
    const { list } = await open.listed('take149');
    expect(listed).toMatchObject([{ list, matches: 0, entries: 150 }]);
    await expect(handlers().rows({ list: list - 1, from: 0, count: 1 })).rejects.toMatchObject({
      code: 'history/list-ended',
    });
  });
});
