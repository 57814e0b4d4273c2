import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { conversionJob } from '../jobs/job.fixture.ts';
import { openHistory, temporaryFolder, type OpenHistory } from './open-history.fixture.ts';

const sound = 'a'.repeat(64);
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let open: OpenHistory;
let good: string;
let far: string;
let often: string;

/** Rows as a list with numbers that nothing counts to has left them. */
beforeEach(async () => {
  folder = await temporaryFolder();
  open = await openHistory(folder.folder, { now: Date.now });
  [good, far, often] = [randomUUID(), randomUUID(), randomUUID()];
  const { store, database } = open;
  store.add([good, far, often].map((id) => conversionJob({ id, state: 'done', sourceSha256: sound })));
  database.exec(`
    UPDATE history_entry SET number = 1763000000000000 * 1024 WHERE job = (SELECT number FROM job WHERE id = '${far}');
    UPDATE job SET ended_at = 1763000000000000 WHERE id = '${far}';
    UPDATE job SET attempts = 100000000000000000, output_bytes = 100000000000000000 WHERE id = '${often}';`);
});
afterEach(async () => {
  await open.close();
  await folder.remove();
});

const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id).sort();

it('an entry with too large a number hides no other entry from any list', async () => {
  const { history } = open;
  expect(idsOf(history.search('').entries)).toEqual([good, often].sort());
  expect(await open.listed('')).toMatchObject({ matches: 2 });
  expect(idsOf(history.getAll([good, far, often]))).toEqual([good, far, often].sort());
  expect(idsOf(history.detail(good).others)).toEqual([often]);
});

it('a number beyond the safe integers is shown as the largest one, and its entry can be removed', () => {
  const { history, store } = open;
  expect(history.detail(often).job.attempts).toBe(Number.MAX_SAFE_INTEGER);
  expect(store.get(far)?.endedAt).toBe(1_763_000_000_000_000);
  history.hide([far, often]);
  expect(history.getAll([far, often])).toEqual([]);
  history.show([far, often]);
  expect(idsOf(history.getAll([far, often]))).toEqual([far, often].sort());
});

it('a change of an entry with too large a number reaches other processes', async () => {
  const { store } = open;
  const other = await openHistory(folder.folder, open.clock);
  store.poll();
  other.database.exec(
    `UPDATE job SET revision = revision + 1, change_number = (SELECT max(change_number) + 1 FROM job) WHERE id = '${often}'`,
  );
  await other.close();
  const received: string[] = [];
  store.onEvent((change) => {
    if (change.kind === 'upserted') received.push(...change.jobs.map(({ id }) => id));
  });
  store.poll();
  expect(received).toContain(often);
});
