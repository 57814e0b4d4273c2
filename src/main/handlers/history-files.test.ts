import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import type { HistoryChoice, HistoryWork } from '../../shared/wire/history.ts';
import { systemClock } from '../core/clock.ts';
import { createWriteGate } from '../core/database/write-gate.ts';
import { createIntake } from '../core/jobs/intake.ts';
import type { StoreNews } from '../core/jobs/job-store.ts';
import { createHistoryFiles, type HistoryFiles, type Shelf } from '../core/library/history-files.ts';
import { useLibrary } from '../core/library/library.fixture.ts';
import { createTestShown, createTestTrash } from '../core/library/removal.fixture.ts';
import { createHistoryFileHandlers } from './history-files.ts';
import { createPlaces } from './places.ts';

const library = useLibrary();
let files: HistoryFiles;
let changed: string[];
let dragged: (readonly string[])[];
let copied: string[];
let marked: HistoryChoice[];
let works: (HistoryWork | null)[];
let onWork: () => void;
let chosen: string | null;
let asked: string[];
let shelf: Shelf;

const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const [a = '', b = ''] = ids;

beforeEach(async () => {
  const { database, store, folder, write, done } = library();
  [changed, dragged, copied, marked, works, asked, chosen] = [[], [], [], [], [], [], null];
  onWork = () => undefined;
  shelf = {
    ...createTestShown(database),
    marks: () => ({ isFavourite: false, tags: [] }),
    changed: (some) => changed.push(...some),
    tellNow: () => undefined,
  };
  const writes = createWriteGate({ database, clock: systemClock, onDefect: () => undefined });
  files = createHistoryFiles({
    database,
    queue: {
      store,
      writes,
      intake: createIntake({ store, writes, randomId: () => 'new', adopt: () => [] }),
    },
    connections: { has: () => false, list: () => [] } as never,
    voices: {} as never,
    shelf,
    clock: systemClock,
    platform: process.platform,
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
    history: () => Promise.resolve({ mark: (choice) => Promise.resolve(void marked.push(choice)) }),
    choose: (choice) => Promise.resolve(choice && 'ids' in choice ? choice.ids : ids),
    clock: { now: () => new Date(2026, 2, 9).getTime() },
    signal: new AbortController().signal,
    tellWork(work) {
      works.push(work);
      onWork();
    },
    chooseNewExport(name) {
      asked.push(name);
      return Promise.resolve(chosen);
    },
    chooseExport: choose,
    chooseFileOrFolder: choose,
    copyText(text) {
      copied.push(text);
      return Promise.resolve();
    },
    dragFiles: (paths) => dragged.push(paths),
    places: createPlaces(),
    settings: () => Promise.resolve({ get: () => defaultSettings }),
    importFolder: () => Promise.resolve(library().at('import')),
  });
const at = (name: string) => library().at(name);

describe('looking', () => {
  it('tells how the files of each entry stand', async () => {
    await rm(at('in/1.wav'));
    expect(await handlers().look({ ids: [a, b, 'none'] })).toEqual([
      { id: a, source: 'there', result: 'there' },
      { id: b, source: 'missing', result: 'there' },
      { id: 'none', source: null, result: null },
    ]);
    expect(changed).toEqual([]);
  });

  it('links files again that were moved nearby, many at once', async () => {
    await rename(at('out'), at('results'));
    const told: StoreNews[] = [];
    library().store.onNews((news) => told.push(news));
    expect(await handlers().look({ ids })).toEqual(ids.map((id) => ({ id, source: 'there', result: 'there' })));
    expect(library().store.get(b)?.output?.path).toBe(at('results/1.wav'));
    expect(changed).toEqual(ids);
    expect(told.flatMap((news) => (news.kind === 'put' ? news.jobs.map(({ id }) => id) : []))).toEqual(ids);
  });

  it('follows others to where a person has found one of them', async () => {
    const far = at('far/away/from/here');
    await mkdir(dirname(far), { recursive: true });
    await rename(at('out'), far);
    expect(await handlers().look({ ids })).toMatchObject([{ result: 'missing' }, { result: 'missing' }]);
    chosen = at('far');
    expect(await handlers().find({ id: a, which: 'result' })).toEqual({ kind: 'found', entries: 1 });
    expect(await handlers().look({ ids })).toMatchObject([{ result: 'there' }, { result: 'there' }]);
  });

  it('does not take the file of another entry for one that is missing', async () => {
    await library().done('twin', null, await library().write('out/twin.wav', 'result 0'));
    await rm(at('out/0.wav'));
    expect(await handlers().look({ ids: [a] })).toMatchObject([{ result: 'missing' }]);
  });
});

describe('finding', () => {
  it('tells how many names it went through in vain, and nothing where the person thought better of it', async () => {
    expect(await handlers().find({ id: a, which: 'source' })).toBeNull();
    await rm(at('in/0.wav'));
    chosen = at('');
    expect(await handlers().find({ id: a, which: 'source' })).toEqual({ kind: 'not-found', files: 5 });
  });
});

describe('the rest', () => {
  it('removes and undoes', async () => {
    const { undo, ...sum } = await handlers().remove({ choice: { ids }, withFiles: true });
    expect(sum).toEqual({ entries: 2, files: 2, keptFiles: 0 });
    await handlers().undo({ undo });
    expect(await handlers().look({ ids })).toMatchObject([{ result: 'there' }, { result: 'there' }]);
  });

  it('exports all of history under a name with the day, and imports it', async () => {
    expect(await handlers().exportTo({ choice: null, what: 'sound' })).toBeNull();
    chosen = at('h.jsonl');
    expect(await handlers().exportTo({ choice: { ids: [a] }, what: 'list' })).toMatchObject({ entries: 1 });
    expect(asked).toEqual(['Timbre 2026-03-09.zip', 'Timbre 2026-03-09.jsonl']);
    expect(await readFile(chosen, 'utf8')).toContain(a);
    expect(await handlers().importFrom()).toEqual({ added: 0, known: 1, refused: 0, withoutFile: 0 });
    chosen = null;
    expect(await handlers().importFrom()).toBeNull();
  });

  it('brings back with an import what was removed with its file', async () => {
    chosen = at('h.jsonl');
    await handlers().exportTo({ choice: { ids: [a] }, what: 'list' });
    await handlers().remove({ choice: { ids }, withFiles: true });
    await handlers().importFrom();
    expect(ids.map(shelf.isShown)).toEqual([true, false]);
    expect(await readdir(at('out'))).toContain('0.wav');
    expect(await handlers().look({ ids: [a] })).toMatchObject([{ result: 'there' }]);
  });

  it('leaves nothing behind of an export that is stopped, and tells that it is over', async () => {
    chosen = at('h.zip');
    const open = handlers();
    // At the first word of it: a look now and then may find that it is over.
    const stopped = new Promise((resolve) => (onWork = () => resolve(open.stop())));
    const answer = open.exportTo({ choice: null, what: 'sound' });
    expect(await stopped).toBe(true);
    expect(await answer).toBeNull();
    expect(works.at(-1)).toBeNull();
    expect(
      (await readdir(library().folder)).filter((name) => name.includes('h.zip') || name.endsWith('.part')),
    ).toEqual([]);
  });

  it('tells of a change of many entries as work, and makes one of a few beside other work', async () => {
    const many = Array.from({ length: 501 }, (_, k) => `entry ${k}`);
    const open = handlers();
    await open.mark({ choice: { ids: many }, isFavourite: true });
    expect(works.map((work) => work?.kind)).toEqual(['mark', undefined]);
    await open.mark({ choice: { ids }, isFavourite: true });
    expect(works).toHaveLength(2);
    expect(marked).toEqual([{ ids: many }, { ids }]);
  });

  it('copies and drags the results that are there', async () => {
    await rm(at('out/1.wav'));
    expect(await handlers().copyPaths({ ids })).toEqual({ paths: 1 });
    expect(await handlers().drag({ ids })).toEqual({ names: ['0.wav'] });
    expect(copied).toEqual([at('out/0.wav')]);
    expect(dragged).toEqual([[at('out/0.wav')]]);
    expect(await handlers().copyPaths({ ids: [b] })).toEqual({ paths: 0 });
    await expect(handlers().drag({ ids: [b] })).rejects.toMatchObject({ code: 'input/missing' });
    expect(copied).toHaveLength(1);
  });

  it('explains what cannot be made again', async () => {
    await expect(handlers().again({ choice: { ids: [a] } })).rejects.toMatchObject({ code: 'connection/not-found' });
  });
});
