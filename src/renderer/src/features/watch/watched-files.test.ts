import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { WatchedFile, WatchedFilePage } from '../../../../shared/schemas/watch.ts';
import { jobOf } from '../jobs/job-of.fixture.ts';
import { fileOf } from './watch-api.fixture.ts';
import { WatchedFiles } from './watched-files.svelte.ts';

const quarantined = { kind: 'quarantined', failures: 3, problem: { code: 'input/cut' } } as const;

function setUp(pages: readonly (readonly WatchedFile[])[] = []) {
  const asked: unknown[] = [];
  const told: string[] = [];
  const faults: AppError[] = [];
  const gates: (() => void)[] = [];
  let isHeld = false;
  const files = new WatchedFiles(
    {
      listFiles: async (input): Promise<WatchedFilePage> => {
        asked.push([input.before, input.only]);
        const fault = faults.shift();
        if (fault) throw fault;
        if (isHeld) await new Promise<void>((go) => gates.push(go));
        const at = pages.findIndex((page) => input.before === null || (page[0]?.sortKey ?? 0) < input.before);
        const page = pages[at] ?? [];
        return { files: page, next: at >= 0 && at + 1 < pages.length ? (page.at(-1)?.sortKey ?? null) : null };
      },
    },
    ({ path }) => told.push(path),
  );
  return {
    files,
    asked,
    told,
    faults,
    names: () => files.list.map(({ path }) => path),
    put: (...upserted: readonly WatchedFile[]) => files.merge({ upserted, removed: [] }),
    drop: (...paths: readonly string[]) =>
      files.merge({ upserted: [], removed: paths.map((path) => ({ folderId: 'f', path })) }),
    hold: () => (isHeld = true),
    letGo: () => gates.splice(0).forEach((go) => go()),
  };
}

describe('the files of a folder', () => {
  test('come in pages, newest first, until there is no next one', async () => {
    const { files, asked, names } = setUp([[fileOf('c', 3), fileOf('b', 2)], [fileOf('a', 1)]]);
    await files.open('f');
    expect([names(), files.hasMore]).toEqual([['c', 'b'], true]);
    await files.more();
    await files.more();
    expect([names(), files.hasMore]).toEqual([['c', 'b', 'a'], false]);
    expect(asked).toEqual([
      [null, 'all'],
      [2, 'all'],
    ]);
  });

  test('go to the top when they change, and a page does not take them back', async () => {
    const { files, names, put, hold, letGo } = setUp([[fileOf('c', 3), fileOf('b', 2)], [fileOf('a', 1)]]);
    await files.open('f');
    hold();
    const reading = files.more();
    put(fileOf('a', 9, { state: { kind: 'link' } }));
    letGo();
    await reading;
    expect([names(), files.list[0]?.state.kind]).toEqual([['a', 'c', 'b'], 'link']);
  });

  test('that were removed while a page came stay removed, until they come back', async () => {
    const { files, names, put, drop, hold, letGo } = setUp([[fileOf('b', 2)], [fileOf('a', 1)]]);
    await files.open('f');
    hold();
    const reading = files.more();
    drop('a');
    letGo();
    await reading;
    expect(names()).toEqual(['b']);
    put(fileOf('a', 5));
    expect(names()).toEqual(['a', 'b']);
  });

  test('are not mixed with those of another folder, nor with an older copy of themselves', async () => {
    const { files, names, put } = setUp([[fileOf('a', 5)]]);
    await files.open('f');
    put(fileOf('x', 6, { folderId: 'other' }), fileOf('a', 4, { state: { kind: 'link' } }));
    expect([names(), files.list[0]?.state.kind]).toEqual([['a'], 'before']);
  });

  test('behind the pages that were read come with their own page', async () => {
    const { files, names, put } = setUp([[fileOf('c', 30)], [fileOf('a', 10)]]);
    await files.open('f');
    put(fileOf('b', 20));
    expect(names()).toEqual(['c']);
  });

  test('that need a person leave their list when they no longer do, and come into it when they do', async () => {
    const { files, names, put } = setUp([[fileOf('a', 5, { state: quarantined })]]);
    await files.open('f', 'attention');
    put(fileOf('a', 6, { state: { kind: 'waiting', wait: { kind: 'turn' } } }), fileOf('b', 7, { state: quarantined }));
    expect(names()).toEqual(['b']);
    put(fileOf('c', 8, { state: { kind: 'job' }, job: jobOf('c', { state: 'failed' }) }));
    expect(names()).toEqual(['c', 'b']);
  });

  test('are told of once when they begin to need a person', async () => {
    const { files, put, told } = setUp([[fileOf('a', 5), fileOf('b', 4, { state: quarantined })]]);
    await files.open('f');
    put(fileOf('a', 6, { state: quarantined }), fileOf('b', 7, { state: quarantined }));
    put(fileOf('a', 8, { state: quarantined }));
    expect(told).toEqual(['a']);
  });

  test('of a folder that nobody looks at any more are not shown', async () => {
    const { files, names, hold, letGo } = setUp([[fileOf('a', 5)]]);
    hold();
    const reading = files.open('f');
    const other = files.open(null);
    letGo();
    await Promise.all([reading, other]);
    expect([names(), files.isRead, files.isLoading]).toEqual([[], false, false]);
  });

  test('that cannot be read leave the reason in their place, until they are read again', async () => {
    const { files, names, faults } = setUp([[fileOf('a', 5)]]);
    faults.push(new AppError('data/unreadable', 'no'));
    await files.open('f');
    expect([files.problem?.code, files.isRead]).toEqual(['data/unreadable', false]);
    await files.readAgain();
    expect([names(), files.problem]).toEqual([['a'], null]);
  });

  test('lend their jobs to those that are not in the queue any more', async () => {
    const { files } = setUp([[fileOf('a', 5, { state: { kind: 'job' }, job: jobOf('j', { state: 'done' }) })]]);
    await files.open('f');
    expect([files.findJob('j')?.name, files.findJob('other')]).toEqual(['j.wav', undefined]);
  });
});
