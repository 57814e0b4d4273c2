// Reserves space for two results at once, then for a third, in a process whose calls a test delays. Arguments: folder of the data,
// folder of the results. Prints the code of each refusal.
import { AppError } from '../../../shared/errors.ts';
import { systemClock } from '../clock.ts';
import { conversionJob } from './job.fixture.ts';
import { createSpaceReservations } from './space-reservations.ts';

const [dataFolder = '', folder = ''] = process.argv.slice(2);
/** A hundred times as fast. */
const sleep: typeof systemClock.sleep = (ms, signal) => systemClock.sleep(ms / 100, signal);
const space = createSpaceReservations(dataFolder, { sleep });
const { signal } = new AbortController();

const reserve = (id: string) =>
  space.reserve(conversionJob({ id, target: { folder, nameTemplate: '{name}' } }), signal).then(
    () => 'reserved',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
const atOnce = await Promise.all([reserve('a'), reserve('b')]);
console.log(JSON.stringify([...atOnce, await reserve('c')]));
process.kill(process.pid, 'SIGKILL');
