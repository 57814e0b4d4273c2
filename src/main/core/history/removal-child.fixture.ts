// A process that removes the entry `a` with its result from history, and then continues as requested until it is killed.
// Arguments: data folder, folder that stands for the trash, what comes then: `nothing`, `undo` or `stop`. Or `half an undo`, which kills it,
// and the entries that are taken out alone.
import { openDatabase } from '../database/database.ts';
import { createJobStore } from '../jobs/job-store.ts';
import { acquireProcessLock } from '../jobs/process-lock.ts';
import { createTestRemovals, createTestShown, createTestTrash } from './removal.fixture.ts';
import type { VisibleEntries } from './removal.ts';

const [dataFolder = '', trashFolder = '', then = '', ...ids] = process.argv.slice(2);
const isHalf = then === 'half an undo';
const onDefect = (error: unknown) => console.error(error);
const database = await openDatabase(dataFolder);
const processLock = acquireProcessLock(dataFolder);
const clock = { now: Date.now, sleep: () => Promise.resolve() };
const store = createJobStore({ database, clock, processLock, isCommand: false, onDefect });
const visible = createTestShown(database);
let shows = 0;
const halfShown: VisibleEntries = {
  ...visible,
  show(some) {
    if (++shows === 2) process.kill(process.pid, 'SIGKILL');
    visible.show(some);
  },
};
const removals = createTestRemovals({
  database,
  store,
  visible: isHalf ? halfShown : visible,
  trash: createTestTrash(trashFolder),
  onDefect,
});

const { undo } = await removals.remove(isHalf ? ids : ['a'], !isHalf, new AbortController().signal);
if (then.endsWith('undo')) await removals.undo(undo);
if (then === 'stop') await removals.stop();
database.close();
processLock.release();
