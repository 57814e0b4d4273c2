// Fails when an unfinished recording is sent, whatever its writer's pauses and methods.
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';
import { startWriters } from '../support/watch/writers.ts';

export const scenario: Scenario = {
  id: 'W1',
  title: 'recordings of many writers with different speeds and stalls are not sent before they are complete',
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'writers' });
    await watch.begin();
    const count = context.size(8, 20);
    const rounds = context.size(1, 5);
    const stallsMs = context.full ? [3000, 12_000] : [700, 2000];
    const hashes: string[] = [];
    let waitedMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      context.note(`round ${round + 1}`);
      const writers = startWriters(context, watch.root, count, stallsMs, round * count);
      await writers.finished;
      const finishedMs = performance.now();
      await watch.until('all are done', () => writers.names.every(watch.isDone), 90_000);
      waitedMs = Math.max(waitedMs, performance.now() - finishedMs);
      hashes.push(...writers.hashes);
    }
    const sent = await watch.uploads();
    const wrong = sent.filter((hash) => !hashes.includes(hash)).length;
    must(wrong === 0, `${wrong} uploads of ${sent.length} differ from the finished file`);
    must(new Set(sent).size === hashes.length && sent.length === hashes.length, `${sent.length} uploads`);
    await watch.close();
    return {
      writers: count * rounds,
      'stalls in ms': stallsMs.join(' '),
      uploads: sent.length,
      'that differ': wrong,
      'last done after ms': waitedMs,
    };
  },
};
