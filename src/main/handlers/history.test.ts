import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryList, HistoryRow } from '../../shared/wire/history.ts';
import { conversionJob, speechJob } from '../core/jobs/job.fixture.ts';
import { openHistory, temporaryFolder, type OpenHistory } from '../core/library/open-history.fixture.ts';
import { createMediaRegistry } from '../core/media/media-registry.ts';
import { announceHistory } from './history-news.ts';
import { createHistoryHandlers } from './history.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let open: OpenHistory;
const media = createMediaRegistry({ randomBytes });
const handlers = () => createHistoryHandlers({ data: () => Promise.resolve(open), media });

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
  output: { path: '/private/out/a.mp3', how: 'link' },
  finished: { sha256: 'cd', sizeBytes: 9, identity: { device: '1', inode: '5' } },
});

describe('what a page is told of an entry', () => {
  it('are names and opaque ids in a list: no path and no address', async () => {
    open.store.add([done]);
    const { rows, isWhole } = await handlers().search({ text: '' });
    expect(isWhole).toBe(true);
    expect(rows).toMatchObject([{ id: 'done', name: 'a.wav', state: 'done', durationSeconds: 1.5 }]);
    expect(media.pathOf(rows[0]?.sourceMedia ?? '')).toBe('/private/takes/a.wav');
    expect(media.pathOf(rows[0]?.resultMedia ?? '')).toBe('/private/out/a.mp3');
    expect(JSON.stringify(rows)).not.toMatch(/private|secret|signature/);
  });

  it('is all that is kept of it, but for the address of its result (H11)', async () => {
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

  it('has no result to play unless it is done, and no more of a text than is read', async () => {
    open.store.add([speechJob({ id: 's', state: 'cancelled', text: 'a'.repeat(30_000), output: done.output })]);
    const { row, text, result } = await handlers().detail({ id: 's' });
    expect([row.resultMedia, row.sourceMedia, result]).toEqual([null, null, null]);
    expect(text).toHaveLength(20_000);
  });
});

it('tells pages of a list once it is counted, and of rows that changed, a hundred in a message', async () => {
  const listed: HistoryList[] = [];
  const changes: { readonly put: readonly HistoryRow[]; readonly isStale: boolean }[] = [];
  announceHistory(open.history, {
    media,
    emit: { listed: (list) => listed.push(list), changed: (change) => changes.push(change) },
  });
  const news = open.nextNews();
  open.store.add(Array.from({ length: 150 }, (_, k) => ({ ...done, id: `take${k}` })));
  await news;
  expect(changes.map(({ put, isStale }) => [put.length, isStale])).toEqual([
    [100, true],
    [50, false],
  ]);
  const { list } = await open.listed('take149');
  expect(listed).toMatchObject([{ list, matches: 0, entries: 150 }]);
  await expect(handlers().rows({ list: list - 1, from: 0, count: 1 })).rejects.toMatchObject({
    code: 'history/list-ended',
  });
});
