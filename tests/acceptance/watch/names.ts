// Fails when a name that a disk takes keeps its recording from being converted, or when two names share a result.
import { sep } from 'node:path';
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';
import { putFile, recording, sha256Of } from '../support/watch/recordings.ts';

const longest = 255;
const bytesOf = (name: string) => Buffer.byteLength(name);
const filled = (letter: string) => letter.repeat(Math.floor((longest - 4) / bytesOf(letter))) + '.wav';

const names = [
  'caf\u00e9.wav',
  'cafe\u0301.wav',
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{1f3a4}.wav',
  '\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd.wav',
  'rec\u202e3pm.wav',
  '-rf.wav',
  '--help.wav',
  `it's "quoted" \u201ctoo\u201d.wav`,
  '`id` $(id) ; & | {name} [x] (2).wav',
  'two\nlines.wav',
  'tab\tand\u0001bell\u0007.wav',
  filled('x'),
  filled('\u00e9'),
  filled('\u{1f3a4}'),
  'dot..wav',
  'space .wav',
  ' before.wav',
  'trailing dot./take.wav',
  'trailing space /take.wav',
  'CON.wav',
  'nul.wav',
  'COM1.tar.wav',
  'back\\slash.wav',
  'back\\folder/take.wav',
  'colon: <>|*?.wav',
  'UPPER.WAV',
  '%2e%2e%2f.wav',
  '\u65e5\u672c\u8a9e.wav',
  '\u200b.wav',
];

export const scenario: Scenario = {
  id: 'W12',
  title: 'files with difficult names get one result each, also if two names look alike',
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'names' });
    await watch.begin();
    const taken: string[] = [];
    const refused: string[] = [];
    for (const [k, name] of names.entries()) {
      const path = name.replaceAll('/', sep);
      try {
        await putFile(watch.root, path, recording(k));
        taken.push(path);
      } catch {
        // Some systems take no such name: then there is no such recording, and the figures say so.
        refused.push(JSON.stringify(name));
      }
    }
    // A folder with a backslash in its name is found only by the rescan, once a minute, so the test does not wait for it.
    await watch.until(
      'the others are done',
      () => taken.filter((path) => !path.includes('folder')).every(watch.isDone),
      60_000,
    );
    watch.watch.rescan();
    await watch.until('all are done', () => taken.every(watch.isDone), 60_000);
    const jobs = watch.jobs();
    must(jobs.length === taken.length, `${jobs.length} jobs of ${taken.length} names`);
    const outputs = new Set(jobs.map(({ output }) => output?.path));
    must(outputs.size === jobs.length, `${outputs.size} results of ${jobs.length} jobs`);
    const sent = new Set(await watch.uploads());
    const all = names.every((name, k) => refused.includes(JSON.stringify(name)) || sent.has(sha256Of(recording(k))));
    must(all && watch.paid() === taken.length, `${watch.paid()} paid calls, ${sent.size} contents`);
    await watch.close();
    return { names: taken.length, results: outputs.size, 'refused by this disk': refused.join(' ') || 'none' };
  },
};
