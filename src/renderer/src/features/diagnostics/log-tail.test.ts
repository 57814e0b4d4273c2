import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { type LogPage, type LogQuery, type LogRow, matchesLog } from '../../../../shared/schemas/log.ts';
import { LogTail } from './log-tail.svelte.ts';

const pageSize = 10;

/** A log of numbered entries, whose cursors are their numbers. */
function setUp(count: number, { max = 1000 } = {}) {
  const entries: LogRow[] = [];
  const write = (level: LogRow['level'] = 'info') =>
    entries.push({ id: String(entries.length), time: '', level, area: 'app', message: `entry ${entries.length}` });
  for (let k = 0; k < count; k += 1) write();
  const queries: LogQuery[] = [];
  let gate: Promise<unknown> = Promise.resolve();
  let offset = 0;
  let failure: Error | null = null;
  async function readLog(query: LogQuery): Promise<LogPage> {
    queries.push(query);
    await gate;
    if (failure) throw failure;
    const cursor = query.cursor === null ? entries.length : Number(query.cursor) - offset;
    const [from, to] =
      query.direction === 'older' ? [Math.max(0, cursor - pageSize), cursor] : [cursor, cursor + pageSize];
    const rows = entries.slice(from, to).filter((row) => matchesLog(row, query));
    return { rows, start: from > 0 ? String(from) : null, end: String(Math.min(to, entries.length)) };
  }
  const log = new LogTail({ readLog, revealLog: () => Promise.resolve() }, { max, delayMs: 1 });
  return {
    log,
    write,
    /** As if the log began again: its cursors lead to rows that were read before. */
    rewind: (by: number) => void (offset = by),
    queries,
    numbers: () => log.rows.map(({ id }) => Number(id)),
    hold: (until: Promise<unknown>) => void (gate = until),
    fail: (error: Error | null) => void (failure = error),
  };
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k);

describe('the log', () => {
  test('begins with the newest page and grows at both ends', async () => {
    const { log, write, numbers } = setUp(35);
    await log.reload();
    expect([numbers(), log.hasOlder, log.isLoading]).toEqual([range(25, 35), true, false]);
    await log.readOlder();
    write();
    await log.readNewer();
    expect(numbers()).toEqual(range(15, 36));
    await log.readOlder();
    await log.readOlder();
    expect([numbers(), log.hasOlder]).toEqual([range(0, 36), false]);
    await log.readOlder();
    expect(numbers()).toEqual(range(0, 36));
  });

  test('keeps a limited number of rows, and reads dropped ones again', async () => {
    const { log, write, numbers } = setUp(100, { max: 20 });
    await log.reload();
    for (let k = 0; k < 4; k += 1) await log.readOlder();
    expect(numbers()).toEqual(range(50, 70));
    await log.readDropped();
    expect(numbers()).toEqual(range(60, 80));
    await log.readOlder();
    expect(numbers()).toEqual(range(50, 70));
    for (let k = 0; k < 5; k += 1) await log.readDropped();
    expect(numbers()).toEqual(range(80, 100));
    write();
    // What is new is not what was dropped.
    await log.readDropped();
    expect(numbers()).toEqual(range(80, 100));
    await log.readNewer();
    expect(numbers()).toEqual(range(81, 101));
    expect(log.hasOlder).toBe(true);
  });

  test('shows each row once, even if its file was damaged and is read again', async () => {
    const { log, write, rewind, numbers } = setUp(12);
    await log.reload();
    write();
    rewind(5);
    await log.readNewer();
    expect(numbers()).toEqual(range(2, 13));
    rewind(-4);
    await log.readOlder();
    expect(numbers()).toEqual(range(0, 13));
  });

  test('reads on until it finds rows that match', async () => {
    const { log, write, numbers } = setUp(0);
    write('error');
    for (let k = 0; k < 45; k += 1) write();
    log.setLevel('error');
    await expect.poll(numbers).toEqual([0]);
    expect(log.hasOlder).toBe(false);
  });

  test('shows only the reply to the newest filter', async () => {
    const { log, write, hold, numbers } = setUp(3);
    write('error');
    const first = Promise.withResolvers<void>();
    hold(first.promise);
    const reading = log.reload();
    hold(Promise.resolve());
    log.setLevel('error');
    await expect.poll(numbers).toEqual([3]);
    first.resolve();
    await reading;
    expect(numbers()).toEqual([3]);
    write('error');
    await log.readNewer();
    expect(numbers()).toEqual([3, 4]);
  });

  test('waits for a pause in typing before it searches', async () => {
    const { log, queries, numbers } = setUp(12);
    await log.reload();
    for (const text of ['1', '11']) log.setText(text);
    expect(log.filter.text).toBe('11');
    await expect.poll(numbers).toEqual([11]);
    expect(queries.map(({ text }) => text)).not.toContain('1');
  });

  test('says why it cannot be read, and recovers', async () => {
    const { log, fail, numbers } = setUp(3);
    fail(new AppError('data/unreadable', 'no'));
    await log.reload();
    expect([log.problem?.code, log.isLoading]).toEqual(['data/unreadable', false]);
    fail(null);
    await log.reload();
    expect([log.problem, numbers()]).toEqual([null, [0, 1, 2]]);
  });
});
