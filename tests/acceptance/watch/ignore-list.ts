// Fails when a name that programs use while they write is taken for a recording, or when the real name is not.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';

const ignored = [
  'take.wav.part',
  'take.wav.partial',
  'take.wav.crdownload',
  'take.wav.filepart',
  'take.wav.tmp',
  'take.wav~',
  '~$take.wav',
  '._take.wav',
  '.syncthing.take.wav',
  '~syncthing~take.wav',
  '.~lock.take.wav',
  '.hidden.wav',
  'take.wav.TMP',
  'take.txt',
  'take',
  '.DS_Store',
  'Thumbs.db',
  '_UNPACK_show/take.wav',
  '@eaDir/take.wav',
  '.git/take.wav',
];

export const scenario: Scenario = {
  id: 'W11',
  title: 'temporary names are ignored; the final name makes one job',
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'names under way' });
    await watch.begin();
    for (const [k, name] of ignored.entries()) await watch.put(name, k);
    await watch.putLast();
    must(watch.jobs().length === 1, `${watch.jobs().length - 1} jobs of names that are passed over`);
    const reasons = new Set<string>();
    for (const name of ignored) {
      const { kind } = await watch.watch.explain(join(watch.root, name));
      must(['hidden', 'temporary', 'ending', 'excluded'].includes(kind), `${name}: its explanation is ${kind}`);
      reasons.add(kind);
    }
    const real = ignored.map((_, k) => `take ${k}.wav`);
    for (const [k, name] of ignored.entries()) await rename(join(watch.root, name), join(watch.root, real[k] ?? ''));
    await watch.until('the real names are done', () => real.every(watch.isDone), 60_000);
    await watch.putLast();
    must(watch.jobs().length === ignored.length + 2, `${watch.jobs().length} jobs`);
    must(watch.paid() === ignored.length + 2 && watch.mostPaid() === 1, `${watch.paid()} paid calls`);
    await watch.close();
    return {
      names: ignored.length,
      'jobs of them': 0,
      'jobs once renamed': ignored.length,
      reasons: [...reasons].join(' '),
    };
  },
};
