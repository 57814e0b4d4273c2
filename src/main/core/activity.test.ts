import { afterEach, expect, it } from 'vitest';
import { createActivityMonitor, noActivity, type Activity, type ActivityMonitor } from './activity.ts';
import { systemClock } from './clock.ts';
import { useWatchFixture, type WatchFixture } from './watch/watch.fixture.ts';

let fixture: WatchFixture;
let monitor: ActivityMonitor;
let seen: Activity[];

useWatchFixture((opened) => {
  fixture = opened;
  seen = [];
  monitor = createActivityMonitor({
    ...fixture,
    clock: { sleep: (_ms, signal) => systemClock.sleep(1, signal) },
    onDefect: (error) => expect.fail(String(error)),
  });
  monitor.onChanged((activity) => seen.push(activity));
});

afterEach(() => monitor.stop());

/** Starts to watch, and waits for the first scan: what is there before is only asked about. */
async function watchFolder() {
  const saved = await fixture.save();
  await fixture.until('the first scan', () => fixture.watch.getFolder(saved.folder.id).checkedAt !== null);
  return saved;
}

/** Waits for an activity, which is then also the one that can be read. */
async function until(expected: Partial<Activity>): Promise<void> {
  await expect.poll(() => seen.at(-1)).toMatchObject(expected);
  expect(monitor.get()).toMatchObject(expected);
}

it('counts watched folders that are not paused, the recordings in work, and nothing once they are done', async () => {
  expect(monitor.get()).toEqual(noActivity);
  const { folder } = await watchFolder();
  await until({ folders: 1, open: 0 });
  fixture.queue.scheduler.pause();
  await fixture.put('one.wav', 1);
  await until({ open: 1, isPausedByUser: true });
  fixture.queue.scheduler.resume(null);
  await until({ open: 0, incoming: 0, isPausedByUser: false, attention: 0 });
  fixture.watch.setPaused(folder.id, true);
  await until({ folders: 0 });
});

it('is paused on battery power while jobs wait for mains power, and not without jobs', async () => {
  await watchFolder();
  const { queue } = fixture;
  await until({ folders: 1, open: 0 });
  fixture.power.isPausedOnBattery = true;
  queue.batteryPause.setPowerSource('battery');
  expect(monitor.get().isPausedOnBattery).toBe(false);
  await fixture.put('one.wav', 1);
  await until({ open: 1, isPausedOnBattery: true, attention: 0 });
  queue.batteryPause.continueNow();
  await until({ open: 0, incoming: 0, isPausedOnBattery: false });
});

it('knows which share of the jobs has ended since none was open', async () => {
  const { queue } = fixture;
  await watchFolder();
  await until({ folders: 1, progress: null });
  queue.scheduler.pause();
  for (const k of [1, 2, 3, 4]) await fixture.put(`take ${k}.wav`, k);
  await until({ open: 4, progress: 0 });
  const [one, two] = fixture.jobs();
  for (const job of [one, two])
    if (job) queue.store.change(job.id, { state: 'failed', problem: { code: 'input/not-audio' } });
  await until({ open: 2, progress: 0.5 });
  if (one) queue.scheduler.retry(one.id);
  await until({ open: 3, progress: 0.4 });
});

it('emits a change that was read before', async () => {
  await fixture.save();
  expect(monitor.get().folders).toBe(1);
  await until({ folders: 1 });
});

it('needs the user while a job has failed, until it is retried', async () => {
  const { queue } = fixture;
  await watchFolder();
  await until({ folders: 1 });
  queue.scheduler.pause();
  await fixture.put('one.wav', 1);
  await until({ open: 1 });
  const [job] = fixture.jobs();
  if (!job) throw new Error('no job');
  queue.store.change(job.id, { state: 'failed', problem: { code: 'input/not-audio' } });
  await until({ attention: 1, open: 0 });
  queue.scheduler.retry(job.id);
  await until({ attention: 0, open: 1 });
});

it('counts a failed job and its watched file once, until the folder no longer counts it', async () => {
  const { queue, watch } = fixture;
  await watchFolder();
  await until({ folders: 1 });
  queue.scheduler.pause();
  for (const k of [1, 2, 3]) await fixture.put(`take ${k}.wav`, k);
  await until({ open: 3 });
  for (const { id } of fixture.jobs().slice(0, 2))
    queue.store.change(id, { state: 'failed', problem: { code: 'input/not-audio' } });
  await until({ open: 1, attention: 2 });
  const [folder] = watch.listFolders();
  await until({ folders: 1 });
  expect(folder && watch.getFolder(folder.folder.id).counts.attention).toBe(2);
  watch.setPaused(folder?.folder.id ?? '', true);
  await until({ folders: 0, attention: 2 });
});

it.each([
  ['token', null, 'auth/refused'],
  ['disk', Date.now() + 60_000, 'output/disk-full'],
] as const)('needs the user for a pause of the kind %s', async (reason, resumesAt, code) => {
  fixture.queue.breaker.pause({ connectionId: 'test', reason, resumesAt, problem: { code } });
  await until({ attention: 1 });
  expect(monitor.get().pauses).toMatchObject([{ reason }]);
  fixture.queue.breaker.resume('test', [reason]);
  await until({ attention: 0, pauses: [] });
});

it('knows how many jobs wait for each pause', async () => {
  const { queue } = fixture;
  await watchFolder();
  await until({ folders: 1 });
  queue.scheduler.pause();
  for (const k of [1, 2]) await fixture.put(`take ${k}.wav`, k);
  await until({ open: 2 });
  const { connection } = fixture.jobs()[0] ?? expect.unreachable();
  const problem = { code: 'auth/refused' } as const;
  for (const connectionId of [connection.id, 'other', null])
    queue.breaker.pause({ connectionId, reason: 'token', resumesAt: null, problem });
  const waiting = () => monitor.get().pauses.map((pause) => [pause.connectionId, pause.waiting]);
  expect(new Map(waiting() as [string | null, number][])).toEqual(
    new Map<string | null, number>([
      [connection.id, 2],
      ['other', 0],
      [null, 2],
    ]),
  );
});

it('needs nobody for a pause that ends by itself', () => {
  fixture.queue.breaker.pause({ connectionId: 'test', reason: 'rate', resumesAt: Date.now() + 60_000, problem: null });
  expect(monitor.get()).toMatchObject({ attention: 0, pauses: [] });
});

it('answers with what was last true if the database cannot be read', async () => {
  await fixture.save();
  await until({ folders: 1 });
  const { watch, queue } = fixture;
  const defects: unknown[] = [];
  let isReadable = true;
  const listFolders = () => {
    if (!isReadable) throw new Error('the database is closed');
    return watch.listFolders();
  };
  const onDefect = (error: unknown) => void defects.push(error);
  const other = createActivityMonitor({ queue, watch: { ...watch, listFolders }, clock: systemClock, onDefect });
  isReadable = false;
  expect(other.get().folders).toBe(1);
  expect(defects).toHaveLength(1);
  other.stop();
});
