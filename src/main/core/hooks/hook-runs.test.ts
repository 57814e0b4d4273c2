import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { newConversion, useJobStores } from '../jobs/job-store.fixture.ts';
import { createJobStore } from '../jobs/job-store.ts';
import { createHookRuns } from './hook-runs.ts';

const stores = useJobStores();

/** A store of jobs whose results the hook is due for. */
async function open() {
  const { database, processLock } = await stores.open();
  const runs = createHookRuns(database);
  const state = { fails: false };
  const store = createJobStore({
    database,
    processLock,
    clock: systemClock,
    isCommand: false,
    recordDone(job) {
      runs.add(job, processLock.id);
      if (state.fails) throw new Error('the disk is full');
    },
    onDefect: (error) => stores.defects.push(error),
  });
  return { database, runs, store, state, owner: processLock.id };
}

it('a run is due with the commit that says that the job is done, or neither is', async () => {
  const { store, runs, state, owner } = await open();
  store.add([newConversion('a')]);
  store.change('a', { state: 'publishing' });
  state.fails = true;
  expect(() => store.change('a', { state: 'done' })).toThrow('the disk is full');
  expect([store.get('a')?.state, runs.next(owner)]).toEqual(['publishing', undefined]);
  state.fails = false;
  store.changeRelaxed('a', { state: 'done' });
  expect([store.get('a')?.state, runs.next(owner)]).toEqual(['done', 'a']);
});

it('no run is due for a job that ends without a result', async () => {
  const { store, runs, owner } = await open();
  store.add([newConversion('a'), newConversion('b')]);
  store.change('a', { state: 'failed', problem: { code: 'input/missing' } });
  store.cancel('b');
  expect(runs.next(owner)).toBeUndefined();
});

it('no run is due for a result of a folder that runs no program', async () => {
  const { database, store, runs, owner } = await open();
  for (const [id, settings] of [
    ['quiet', { path: '/quiet', runsHook: false }],
    ['loud', { path: '/loud', runsHook: true }],
    ['old', { path: '/old' }],
  ] as const) {
    database
      .prepare(
        `INSERT INTO watch_folder (id, settings, voice, device, inode, is_listed, is_paused, baseline_stage, created_at)
         VALUES (?, ?, '{}', '1', '2', 1, 0, 'answered', 5)`,
      )
      .run(id, JSON.stringify(settings));
    database
      .prepare(
        `INSERT INTO watched_file (folder_id, path, change_number, state_changed_at, is_present, device, inode, size_bytes,
           modified_ns, changed_ns, decision, stage, job_id, failures, is_forced)
         VALUES (?, 'a.wav', 1, 5, 1, '1', '3', 9, '1', '1', 'job', 'rest', ?, 0, 0)`,
      )
      .run(id, `of ${id}`);
    store.add([newConversion(`of ${id}`)]);
    store.change(`of ${id}`, { state: 'done' });
  }
  // Its file was changed meanwhile, and has another job now.
  database.exec("INSERT INTO watch_ledger VALUES ('quiet', 'abc', '', 'of the first version', 'a.wav', 1, 5)");
  const source = { path: '/quiet/a.wav', subfolder: '', snapshot: null, sha256: 'abc' };
  store.add([newConversion('of the first version', { source })]);
  store.change('of the first version', { state: 'done' });
  const due = [];
  for (let id = runs.next(owner); id !== undefined; id = runs.next(owner)) {
    due.push(id);
    runs.finish(id, null);
  }
  expect(due).toEqual(['of loud', 'of old']);
});

it('only the process that owns a run begins it, and each start is counted before it', async () => {
  const { store, runs, owner } = await open();
  store.add([newConversion('a')]);
  store.change('a', { state: 'done' });
  expect(runs.begin('a', 'another')).toBeUndefined();
  expect([runs.begin('a', owner), runs.begin('a', owner)]).toEqual([1, 2]);
  runs.adopt(owner, 'another');
  expect([runs.begin('a', owner), runs.begin('a', 'another')]).toEqual([undefined, 3]);
});

it('a failure stays until it is repeated, and a failure of an entry that was removed is not listed', async () => {
  const { database, store, runs, owner } = await open();
  for (const id of ['a', 'b']) {
    store.add([newConversion(id)]);
    store.change(id, { state: 'done' });
    runs.finish(id, { code: 'hook/failed', facts: { exitCode: 1 } });
  }
  expect(runs.failures(10).map(({ id }) => id)).toEqual(['b', 'a']);
  database.exec("INSERT INTO history_removed SELECT number, number, 5 FROM job WHERE id = 'a'");
  expect(runs.failures(10)).toEqual([{ id: 'b', problem: { code: 'hook/failed', facts: { exitCode: 1 } } }]);
  expect(runs.count(owner)).toEqual({ due: 0, failed: 1 });
  runs.repeatFailed(owner);
  expect([runs.next(owner), runs.count(owner)]).toEqual(['b', { due: 1, failed: 0 }]);
});

it('counts failures of entries in history only, whether more failed or more were removed', async () => {
  const { database, store, runs, owner } = await open();
  const remove = (id: string) =>
    database.prepare('INSERT INTO history_removed SELECT number, number, 5 FROM job WHERE id = ?').run(id);
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    store.add([newConversion(id)]);
    store.change(id, { state: 'done' });
    if (id < 'd') runs.finish(id, { code: 'hook/missing' });
  }
  expect(runs.count(owner)).toEqual({ due: 2, failed: 3 });
  remove('a');
  expect(runs.count(owner)).toEqual({ due: 2, failed: 2 });
  for (const id of ['b', 'd', 'e']) remove(id);
  expect(runs.count(owner)).toEqual({ due: 2, failed: 1 });
});
