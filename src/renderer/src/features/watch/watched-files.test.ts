import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { WatchedFile, WatchedFilePage } from '../../../../shared/schemas/watch.ts';
import { jobOf } from '../jobs/job.fixture.ts';
import { fileOf } from './watch.fixture.ts';
import { WatchedFiles } from './watched-files.svelte.ts';

const quarantined = { kind: 'quarantined', failures: 3, problem: { code: 'input/cut' } } as const;

function setUp(pages: readonly (readonly WatchedFile[])[] = []) {
  const requests: unknown[] = [];
  const attention: string[] = [];
  const faults: AppError[] = [];
  const gates: (() => void)[] = [];
  let isBlocked = false;
  const files = new WatchedFiles(
    {
      listFiles: async (input): Promise<WatchedFilePage> => {
        requests.push([input.before, input.only]);
        const fault = faults.shift();
        if (fault) throw fault;
        if (isBlocked) await new Promise<void>((go) => gates.push(go));
        const at = pages.findIndex((page) => input.before === null || (page[0]?.sortKey ?? 0) < input.before);
        const page = pages[at] ?? [];
        return { files: page, next: at >= 0 && at + 1 < pages.length ? (page.at(-1)?.sortKey ?? null) : null };
      },
    },
    ({ path }) => attention.push(path),
  );
  return {
    files,
    requests,
    attention,
    faults,
    names: () => files.list.map(({ path }) => path),
    upsert: (...upserted: readonly WatchedFile[]) => files.merge({ upserted, removed: [] }),
    remove: (...paths: readonly string[]) =>
      files.merge({ upserted: [], removed: paths.map((path) => ({ folderId: 'f', path })) }),
    block: () => (isBlocked = true),
    release: () => gates.splice(0).forEach((go) => go()),
  };
}

describe('the files of a folder', () => {
  test('are read page by page, newest first', async () => {
    const { files, requests, names } = setUp([[fileOf('c', 3), fileOf('b', 2)], [fileOf('a', 1)]]);
    await files.open('f');
    expect([names(), files.hasMore]).toEqual([['c', 'b'], true]);
    await files.loadMore();
    await files.loadMore();
    expect([names(), files.hasMore]).toEqual([['c', 'b', 'a'], false]);
    expect(requests).toEqual([
      [null, 'all'],
      [2, 'all'],
    ]);
  });

  test('move to the top when they change, and an older page does not undo that', async () => {
    const { files, names, upsert, block, release } = setUp([[fileOf('c', 3), fileOf('b', 2)], [fileOf('a', 1)]]);
    await files.open('f');
    block();
    const reading = files.loadMore();
    upsert(fileOf('a', 9, { state: { kind: 'link' } }));
    release();
    await reading;
    expect([names(), files.list[0]?.state.kind]).toEqual([['a', 'c', 'b'], 'link']);
  });

  test('that are removed while a page is read stay removed until they change', async () => {
    const { files, names, upsert, remove, block, release } = setUp([[fileOf('b', 2)], [fileOf('a', 1)]]);
    await files.open('f');
    block();
    const reading = files.loadMore();
    remove('a');
    release();
    await reading;
    expect(names()).toEqual(['b']);
    upsert(fileOf('a', 5));
    expect(names()).toEqual(['a', 'b']);
  });

  test('ignore changes of other folders, and older copies', async () => {
    const { files, names, upsert } = setUp([[fileOf('a', 5)]]);
    await files.open('f');
    upsert(fileOf('x', 6, { folderId: 'other' }), fileOf('a', 4, { state: { kind: 'link' } }));
    expect([names(), files.list[0]?.state.kind]).toEqual([['a'], 'baseline']);
  });

  test('on pages not yet read are not added by changes', async () => {
    const { files, names, upsert } = setUp([[fileOf('c', 30)], [fileOf('a', 10)]]);
    await files.open('f');
    upsert(fileOf('b', 20));
    expect(names()).toEqual(['c']);
  });

  test('enter and leave the list of files that need attention', async () => {
    const { files, names, upsert } = setUp([[fileOf('a', 5, { state: quarantined })]]);
    await files.open('f', 'attention');
    upsert(
      fileOf('a', 6, { state: { kind: 'waiting', wait: { kind: 'turn' } } }),
      fileOf('b', 7, { state: quarantined }),
    );
    expect(names()).toEqual(['b']);
    upsert(fileOf('c', 8, { state: { kind: 'job' }, job: jobOf('c', { state: 'failed' }) }));
    expect(names()).toEqual(['c', 'b']);
  });

  test('are reported once when they begin to need attention', async () => {
    const { files, upsert, attention } = setUp([[fileOf('a', 5), fileOf('b', 4, { state: quarantined })]]);
    await files.open('f');
    upsert(fileOf('a', 6, { state: quarantined }), fileOf('b', 7, { state: quarantined }));
    upsert(fileOf('a', 8, { state: quarantined }));
    expect(attention).toEqual(['a']);
  });

  test('of a folder that is no longer open are not shown', async () => {
    const { files, names, block, release } = setUp([[fileOf('a', 5)]]);
    block();
    const reading = files.open('f');
    const other = files.open(null);
    release();
    await Promise.all([reading, other]);
    expect([names(), files.isLoaded, files.isLoading]).toEqual([[], false, false]);
  });

  test('that cannot be read show why until they are reloaded', async () => {
    const { files, names, faults } = setUp([[fileOf('a', 5)]]);
    faults.push(new AppError('data/unreadable', 'no'));
    await files.open('f');
    expect([files.problem?.code, files.isLoaded]).toEqual(['data/unreadable', false]);
    const reloading = files.reload();
    expect(files.problem?.code).toBe('data/unreadable');
    await reloading;
    expect([names(), files.problem]).toEqual([['a'], null]);
  });

  test('give access to jobs that are no longer in the queue', async () => {
    const { files } = setUp([[fileOf('a', 5, { state: { kind: 'job' }, job: jobOf('j', { state: 'done' }) })]]);
    await files.open('f');
    expect([files.findJob('j')?.name, files.findJob('other')]).toEqual(['j.wav', undefined]);
  });
});
