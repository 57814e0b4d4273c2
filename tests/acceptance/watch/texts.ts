// Fails when a kill while texts are spoken loses a text, speaks a draft, pays for a text twice, or leaves two results of it.
import { appendFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkQueue } from '../support/queue/check-queue.ts';
import { paidCalls } from '../support/queue/paid-calls.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { runWatch } from '../support/watch/run-watch.ts';
import type { WatchCrash, WatchOrder } from '../support/watch/watch-order.ts';

/** Each is met by two kills in a row; none of them leaves in doubt whether the service was paid. */
const kills: readonly (readonly [name: string, first: WatchCrash, second: WatchCrash])[] = [
  [
    'while it is saved, and before it is in the ledger',
    { on: 'verdict', verdict: 'waiting', moment: 'after' },
    { on: 'ledger', moment: 'before' },
  ],
  [
    'before and after its job is there',
    { on: 'verdict', verdict: 'job', moment: 'before' },
    { on: 'verdict', verdict: 'job', moment: 'after' },
  ],
  [
    'before it is sent, and once it is spoken',
    { on: 'job', state: 'converting', moment: 'before' },
    { on: 'job', state: 'converted', moment: 'after' },
  ],
  [
    'when its result has its name, and before the text is moved',
    { on: 'job', state: 'publishing', moment: 'after' },
    { on: 'source-end', moment: 'before' },
  ],
  [
    'when the job is done, and after the text was moved',
    { on: 'job', state: 'done', moment: 'after' },
    { on: 'source-end', moment: 'after' },
  ],
];

const texts: Readonly<Record<string, string>> = {
  'renamed.txt': 'The last version was renamed into its place.',
  'rewritten.md': 'The last version was written in its place.',
  'twice.txt': 'The last version was saved right after another.',
};

/** Saves each text as some editor does. None is complete for as long as the gate waits. */
async function saveAsEditors(root: string): Promise<void> {
  const at = (name: string) => join(root, name);
  await writeFile(at('renamed.txt'), 'A draft.');
  await writeFile(at('rewritten.md'), '# A draft, longer than the last version of this text is');
  await writeFile(at('twice.txt'), 'A draft.');
  await writeFile(at('.renamed.txt.swp'), 'A draft.');
  await writeFile(at('renamed.txt.tmp'), texts['renamed.txt'] ?? '');
  await rename(at('renamed.txt.tmp'), at('renamed.txt'));
  await writeFile(at('rewritten.md'), '');
  for (const word of ['The *last* ', 'version was written ', 'in its place.'])
    await appendFile(at('rewritten.md'), word);
  await writeFile(at('twice.txt'), 'The last version');
  await writeFile(at('twice.txt'), texts['twice.txt'] ?? '');
}

async function killTwice(
  context: ScenarioContext,
  engine: EngineProcess,
  [when, first, second]: (typeof kills)[number],
  round: number,
): Promise<void> {
  const name = `${when}, round ${round}`;
  context.note(name);
  const folder = join(context.folder, name.replaceAll(/\W+/g, '-'));
  const root = join(folder, 'in');
  await mkdir(root, { recursive: true });
  const proxy = await context.startProxy({ target: engine.origin });
  const file = join(folder, 'connection.json');
  // One at a time, so that a kill at one text leaves no other one in doubt.
  const document = proxy.document({ unknownOutcome: 'ask' });
  await writeFile(file, JSON.stringify({ ...document, limits: { ...document.limits, maxConcurrent: 1 } }));
  const order: WatchOrder = {
    root,
    dataFolder: join(folder, 'data'),
    outputFolder: join(folder, 'out'),
    file,
    token: engine.token,
    afterwards: 'done',
    speaksTexts: true,
    crash: first,
    recordings: Object.keys(texts).length,
  };
  const run = runWatch(context, order, name);
  await run.untilTold('watching');
  await saveAsEditors(root);
  await run.killed();
  await runWatch(context, { ...order, crash: second }, `${name}, begun again`).killed();
  const last = runWatch(context, { ...order, crash: null }, `${name}, begun a third time`);
  await last.untilTold('ended');
  await last.kill();

  const names = Object.keys(texts);
  const jobs = names.length;
  await checkQueue({ ...order, engineFolder: engine.dataDirectory, jobs, mayBeUncertain: false });
  const outputs = (await readdir(order.outputFolder)).toSorted();
  const expected = names.map((one) => one.replace(/\.\w+$/, '.wav')).toSorted();
  must(outputs.join() === expected.join(), `${name}: the results are ${outputs.join(', ')}`);
  const moved = (await readdir(join(root, 'Done'))).toSorted();
  must(moved.join() === names.toSorted().join(), `${name}: moved were ${moved.join(', ')}`);
  const paid = [...paidCalls(proxy.calls)].map(([key, count]) => `${count} ${key}`).toSorted();
  const once = Object.values(texts).map((text) => `1 text ${text}`);
  must(paid.join('\n') === once.toSorted().join('\n'), `${name}: paid were ${paid.join(', ')}`);
  await proxy.stop();
}

export const scenario: Scenario = {
  id: 'W24',
  title: 'a text is paid for and spoken once, in its last version, however it was saved and after two kills',
  fullDeadlineMs: 1_200_000,
  async run(context) {
    const engine = await context.startEngine();
    const rounds = context.size(1, 8);
    for (let round = 1; round <= rounds; round += 1) {
      for (const each of kills) await killTwice(context, engine, each, round);
    }
    const count = rounds * kills.length;
    return { kills: 2 * count, texts: count * Object.keys(texts).length, 'paid calls a text': 1 };
  },
};
