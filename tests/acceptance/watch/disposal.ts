// Fails when a source is moved, thrown away or changed although its result is not on the disk as it was finished.
import { readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceDisposal } from '../../../src/shared/schemas/watch.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { openWatch } from '../support/watch/open-watch.ts';
import { recording } from '../support/watch/recordings.ts';

/** What may become of a result between its end and the look at it. */
const damages: readonly (readonly [string, (path: string) => void])[] = [
  ['gone', unlinkSync],
  ['cut', (path) => truncateSync(path, 100)],
  ['empty', (path) => truncateSync(path, 0)],
  [
    'one byte',
    (path) => {
      const bytes = readFileSync(path);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      writeFileSync(path, bytes);
    },
  ],
];

async function damaged(context: ScenarioContext, engine: EngineProcess, afterwards: SourceDisposal): Promise<number> {
  const done: string[] = [];
  const watch = await openWatch(context, engine, {
    name: `${afterwards} after a damage`,
    expects: (error) => afterwards !== 'keep' && String(error).includes('not as it was finished'),
    onDone({ id, output }) {
      if (done.includes(id) || !output) return;
      done.push(id);
      damages[(done.length - 1) % damages.length]?.[1](output.path);
    },
  });
  await watch.begin({ afterwards });
  const count = damages.length * context.size(1, 10);
  const names = Array.from({ length: count }, (_, k) => `day/take ${k}.wav`);
  for (const [k, name] of names.entries()) await watch.put(name, k);
  await watch.until('all were converted', () => done.length === count);
  if (afterwards === 'keep') await watch.until('all rest', () => names.every(watch.isDone));
  else {
    await watch.until('it says of all that they stay', () =>
      names.every((name) => {
        const line = watch.file(name)?.record;
        return (
          line?.disposalState === 'stays' && line.stage === 'attention' && line.problem?.code === 'watch/source-stays'
        );
      }),
    );
  }
  for (const [k, name] of names.entries()) {
    const bytes = await readFile(join(watch.root, name)).catch(() => null);
    must(bytes?.equals(recording(k)) === true, `${afterwards}: the source of a damaged result is not as it was`);
  }
  must((await readdir(watch.trashFolder)).length === 0, `${afterwards}: something was thrown away`);
  must(!(await readdir(watch.root)).includes('Done'), `${afterwards}: something was moved`);
  must(watch.jobs().length === count && watch.paid() === count, `${watch.paid()} paid calls`);
  await watch.close();
  return count;
}

/** Whole results, so that the ways are known to work at all. */
async function whole(context: ScenarioContext, engine: EngineProcess, afterwards: SourceDisposal): Promise<void> {
  const watch = await openWatch(context, engine, { name: `${afterwards} without a damage` });
  await watch.begin({ afterwards });
  await watch.put('day/take.wav', 1);
  const end = { keep: null, done: 'moved', trash: 'trashed' } as const;
  await watch.until('it is over', () => {
    const found = watch.file('day/take.wav');
    return (
      found?.job?.state === 'done' && found.record.stage === 'rest' && found.record.disposalState === end[afterwards]
    );
  });
  const place = {
    keep: join(watch.root, 'day/take.wav'),
    done: join(watch.root, 'Done/day/take.wav'),
    trash: join(watch.trashFolder, 'take.wav'),
  }[afterwards];
  must((await readFile(place)).equals(recording(1)), `${afterwards}: the source is not where it belongs`);
  await watch.close();
}

export const scenario: Scenario = {
  id: 'W15',
  title: 'keep, move to Done and trash leave a source untouched if its result is damaged',
  async run(context) {
    const engine = await context.startEngine();
    let sources = 0;
    for (const afterwards of ['keep', 'done', 'trash'] as const) {
      await whole(context, engine, afterwards);
      sources += await damaged(context, engine, afterwards);
    }
    return { damages: damages.map(([name]) => name).join(', '), sources, touched: 0 };
  },
};
