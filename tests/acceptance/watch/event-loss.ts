// Fails when files are lost that arrive while the scanner cannot read the system's events.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';
import { recording } from '../support/watch/recordings.ts';

const blockedMs = 3000;
const folders = 10;
const atOnce = 50;
const queueLimit = '/proc/sys/fs/inotify/max_queued_events';

export const scenario: Scenario = {
  id: 'W18',
  title: 'a scanner that stalls while thousands of files arrive finds all of them',
  async run(context) {
    const engine = await context.startEngine();
    const count = context.size(3000, 30_000);
    const watch = await openWatch(context, engine, { name: 'blocked', converts: false });
    for (let k = 0; k < folders; k += 1) await mkdir(join(watch.root, `day ${k}`));
    await watch.begin();
    const { pid } = watch.scanners;
    context.note('it stands still');
    process.kill(pid(), 'SIGSTOP');
    const stoppedMs = performance.now();
    for (let k = 0; k < count; k += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, count - k) }, (_, at) => k + at);
      // A tenth arrives in folders that come along with it.
      const folder = (one: number) => (one % 10 === 0 ? `new ${one % 100}` : `day ${one % folders}`);
      await Promise.all(
        some.map(async (one) => {
          const where = join(watch.root, folder(one));
          await mkdir(where, { recursive: true });
          await writeFile(join(where, `take ${one}.wav`), recording(one, 0.01));
        }),
      );
    }
    const wroteMs = performance.now() - stoppedMs;
    await sleep(Math.max(0, blockedMs - wroteMs));
    process.kill(pid(), 'SIGCONT');
    const continuedMs = performance.now();
    await watch.until('all are found', () => watch.view().counts.known === count, context.size(60_000, 300_000));
    const foundMs = performance.now() - continuedMs;
    const figures: Record<string, number> = { 'found after ms': foundMs };
    // To read all of them takes minutes, and they go the way of any file.
    if (context.full) {
      context.note('all are found');
      await watch.until('all are jobs', () => watch.jobs().length === count, 900_000);
      figures['queued after ms'] = performance.now() - continuedMs;
    }
    must(watch.scanners.started() === 1, 'the watcher had to be started again');
    await watch.close();
    const limit = await readFile(queueLimit, 'utf8').catch(() => 'unknown');
    return {
      files: count,
      'stood still ms': Math.max(blockedMs, wroteMs),
      ...figures,
      'events the system keeps': limit.trim(),
    };
  },
};
