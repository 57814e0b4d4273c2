// Fails when a recording that is being written as the app starts, or starts again, is sent before it is finished.
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';
import { startWriters } from '../support/watch/writers.ts';

export const scenario: Scenario = {
  id: 'W2',
  title: 'files that are written while the app starts are not sent before they are complete',
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'writers before the start' });
    const count = context.size(5, 20);
    const stallsMs = context.full ? [3000, 12_000] : [700, 1500];

    // Written before the folder is watched: a baseline that the user wants to convert.
    const first = startWriters(context, watch.root, count, stallsMs);
    await first.started;
    await watch.save();
    await watch.until('it asks', () => watch.view().baseline !== null);
    watch.watch.answerBaseline(watch.view().folder.id, 'convert');
    await first.finished;
    await watch.until('all are done', () => first.names.every(watch.isDone), 90_000);

    context.note('a restart in the middle');
    const second = startWriters(context, watch.root, count, stallsMs, count);
    await second.started;
    await watch.restart();
    await second.finished;
    await watch.until('all are done', () => second.names.every(watch.isDone), 90_000);

    const hashes = [...first.hashes, ...second.hashes];
    const sent = await watch.uploads();
    const wrong = sent.filter((hash) => !hashes.includes(hash)).length;
    must(wrong === 0, `${wrong} uploads of ${sent.length} differ from the finished file`);
    must(new Set(sent).size === hashes.length && sent.length === hashes.length, `${sent.length} uploads`);
    await watch.close();
    return { writers: 2 * count, 'stalls in ms': stallsMs.join(' '), uploads: sent.length, 'that differ': wrong };
  },
};
