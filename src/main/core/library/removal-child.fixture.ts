// A process of its own that takes the entry `a` and its result out of history, and then does what it is told, to be killed on the way.
// Arguments: data folder, folder that stands for the trash, what comes then: `nothing`, `undo` or `stop`.
import { openDatabase } from '../database/open-database.ts';
import { createJournal } from '../jobs/journal.ts';
import { takeLifeLock } from '../jobs/life-lock.ts';
import { createTestRemovals, createTestShown, createTestTrash } from './removal.fixture.ts';

const [dataFolder = '', trashFolder = '', then = ''] = process.argv.slice(2);
const onDefect = (error: unknown) => console.error(error);
const database = await openDatabase(dataFolder);
const life = takeLifeLock(dataFolder);
const clock = { now: Date.now, sleep: () => Promise.resolve() };
const store = createJournal({ database, clock, life, asks: false, onDefect });
const shown = createTestShown(database);
const removals = createTestRemovals({ database, store, shown, trash: createTestTrash(trashFolder), onDefect });

const { undo } = await removals.remove(['a'], true, new AbortController().signal);
if (then === 'undo') await removals.undo(undo);
if (then === 'stop') await removals.stop();
database.close();
life.release();
