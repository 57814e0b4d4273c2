// Fails when a kill while texts are spoken loses a text, speaks a draft, pays for a text twice, or leaves two results of it.
import { appendFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkQueue } from '../support/queue/check-queue.ts';
import { paidCalls } from '../support/queue/paid-calls.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { runWatch } from '../support/watch/run-watch.ts';
import type { WatchCrash, WatchOrder } from '../support/watch/watch-order.ts';

/** Each text is met by two kills in a row. With one text at a time, none of them leaves in doubt whether the service was paid. */
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

/** How an editor saves a text. It is never complete for as long as the gate waits. */
interface Editor {
  readonly name: string;
  readonly text: string;
  save(root: string): Promise<void>;
}

const editors: readonly Editor[] = [
  {
    name: 'renamed.txt',
    text: 'The last version was renamed into its place.',
    async save(root) {
      await writeFile(join(root, this.name), 'A draft.');
      await writeFile(join(root, `.${this.name}.swp`), 'A draft.');
      await writeFile(join(root, `${this.name}.tmp`), this.text);
      await rename(join(root, `${this.name}.tmp`), join(root, this.name));
    },
  },
  {
    name: 'rewritten.md',
    text: 'The last version was written in its place.',
    async save(root) {
      const path = join(root, this.name);
      await writeFile(path, '# A draft, longer than the last version of this text is');
      await writeFile(path, '');
      for (const words of ['The *last* ', 'version was written ', 'in its place.']) await appendFile(path, words);
    },
  },
  {
    name: 'twice.txt',
    text: 'The last version was saved right after another.',
    async save(root) {
      await writeFile(join(root, this.name), 'The last version');
      await writeFile(join(root, this.name), this.text);
    },
  },
];

async function killTwice(
  context: ScenarioContext,
  engine: EngineProcess,
  [when, first, second]: (typeof kills)[number],
  editor: Editor,
  round: number,
): Promise<void> {
  const name = `${editor.name} ${when}, round ${round}`;
  context.note(name);
  const folder = join(context.folder, name.replaceAll(/\W+/g, '-'));
  const root = join(folder, 'in');
  await mkdir(root, { recursive: true });
  const proxy = await context.startProxy({ target: engine.origin });
  const file = join(folder, 'connection.json');
  await writeFile(file, JSON.stringify(proxy.document({ unknownOutcome: 'ask' })));
  const order: WatchOrder = {
    root,
    dataFolder: join(folder, 'data'),
    outputFolder: join(folder, 'out'),
    file,
    token: engine.token,
    afterwards: 'done',
    speaksTexts: true,
    crash: first,
    recordings: 1,
  };
  const run = runWatch(context, order, name);
  await run.untilTold('watching');
  await editor.save(root);
  await run.killed();
  await runWatch(context, { ...order, crash: second }, `${name}, begun again`).killed();
  const last = runWatch(context, { ...order, crash: null }, `${name}, begun a third time`);
  await last.untilTold('ended');
  await last.kill();

  await checkQueue({ ...order, engineFolder: engine.dataDirectory, jobs: 1, mayBeUncertain: false });
  const outputs = await readdir(order.outputFolder);
  must(outputs.join() === editor.name.replace(/\.\w+$/, '.wav'), `${name}: the results are ${outputs.join(', ')}`);
  const moved = await readdir(join(root, 'Done'));
  must(moved.join() === editor.name, `${name}: moved were ${moved.join(', ')}`);
  const paid = [...paidCalls(proxy.calls)].map(([key, count]) => `${count} ${key}`);
  must(paid.join() === `1 text ${editor.text}`, `${name}: paid were ${paid.join(', ')}`);
  await proxy.stop();
}

export const scenario: Scenario = {
  id: 'W24',
  title: 'a text is paid for and spoken once, in its last version, however it was saved and after two kills',
  fullDeadlineMs: 1_200_000,
  async run(context) {
    const engine = await context.startEngine();
    const rounds = context.size(1, 9);
    for (let round = 1; round <= rounds; round += 1) {
      for (const [k, each] of kills.entries()) {
        const editor = editors[(k + round) % editors.length];
        if (editor) await killTwice(context, engine, each, editor, round);
      }
    }
    const texts = rounds * kills.length;
    return { kills: 2 * texts, texts, 'paid calls a text': 1 };
  },
};
