// Fails when a recording that is not whole is sent, when it does not say why it waits, or when it is not taken once it is completed.
import { appendFile, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';
import { recording, sha256Of } from '../support/watch/recordings.ts';

const openSize = 0xff_ff_ff_ff;

/** Where the box begins that holds the index of an M4A; it must be the last one. */
function lastBox(bytes: Buffer, wanted: string): number {
  let at = 0;
  for (;;) {
    const size = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (at + size >= bytes.length) {
      must(kind === wanted, `the last box is ${kind}`);
      return at;
    }
    at += size;
  }
}

/** Half a second of a tone, whose last box is its `moov`. */
const example = new URL('../support/watch/short.m4a', import.meta.url);

async function m4a(): Promise<{ readonly whole: Buffer; readonly cutAt: number }> {
  const whole = await readFile(example);
  return { whole, cutAt: lastBox(whole, 'moov') };
}

export const scenario: Scenario = {
  id: 'W3',
  title: 'an incomplete recording is not sent, says why, and is converted once it is complete',
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'incomplete' });
    await watch.begin();
    const at = (name: string) => join(watch.root, name);

    const riff = recording(1);
    const head = Buffer.from(riff);
    head.writeUInt32LE(openSize, 4);
    head.writeUInt32LE(openSize, 40);
    const cut = recording(2);
    const cutAt = Math.floor(cut.length / 2);
    const movie = await m4a();
    await writeFile(at('open.wav'), head);
    await writeFile(at('cut.wav'), cut.subarray(0, cutAt));
    await writeFile(at('index.m4a'), movie.whole.subarray(0, movie.cutAt));

    const names = ['open.wav', 'cut.wav', 'index.m4a'];
    const waited = () => {
      const wait = watch.file('open.wav')?.wait;
      return wait?.kind === 'quiet' ? wait.neededSeconds : 0;
    };
    const code = (name: string) => watch.file(name)?.record.problem?.code ?? 'none';
    await watch.until('the cut ones are refused', () =>
      names.slice(1).every((name) => watch.verdict(name) === 'refused'),
    );
    await watch.until('the open one is waited for', () => waited() === 60);
    const reasons = ['waits for 60 s', ...names.slice(1).map(code)];
    must(reasons[1] === 'input/cut', `the cut one says ${reasons[1] ?? ''}`);
    must(['input/cut', 'input/no-index'].includes(reasons[2] ?? ''), `the one without moov says ${reasons[2] ?? ''}`);
    await watch.putLast();
    must(watch.jobs().length === 1 && watch.paid() === 1, `${watch.paid()} paid calls, only the whole one may be`);

    context.note('completing');
    const file = await open(at('open.wav'), 'r+');
    await file.write(riff.subarray(0, 44), 0, 44, 0);
    await file.close();
    await appendFile(at('cut.wav'), cut.subarray(cutAt));
    await appendFile(at('index.m4a'), movie.whole.subarray(movie.cutAt));
    await watch.until('all are converted', () => names.every(watch.isDone));
    const sent = await watch.uploads();
    for (const bytes of [riff, cut, movie.whole]) {
      must(sent.filter((hash) => hash === sha256Of(bytes)).length === 1, 'a completed one was not sent as it is, once');
    }
    must(watch.paid() === 4, `${watch.paid()} paid calls for 4 recordings`);
    await watch.close();
    return { reasons: reasons.join(' '), 'calls while incomplete': 0, converted: names.length };
  },
};
