// Fails when new content under an old name is taken for the old, is converted twice, or takes the old result or its history with it.
import { createHash } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';
import { putFile, recording, sha256Of } from '../support/watch/recordings.ts';

const hashOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

export const scenario: Scenario = {
  id: 'W6',
  title: 'new content under an old name makes exactly one new job and keeps the old entry',
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'new content' });
    await watch.begin();
    const rounds = context.size(3, 30);
    let number = 0;
    const outputs = new Map<string, string>();
    for (let round = 0; round < rounds; round += 1) {
      // Written in place, and put in its place by a rename: editors do either.
      if (round % 2 === 0) await watch.put('take.wav', number);
      else {
        await putFile(watch.folder, 'new.wav', recording(number));
        await rename(join(watch.folder, 'new.wav'), join(watch.root, 'take.wav'));
      }
      number += 1;
      await watch.until(`round ${round} is done`, () => watch.jobs().length === number && watch.isDone('take.wav'));
      await watch.putLast();
      number += 1;
      must(watch.jobs().length === number, `${watch.jobs().length} jobs after ${number} recordings`);
      for (const job of watch.jobs()) {
        must(job.state === 'done' && job.output !== null, `a job of before is ${job.state}`);
        const hash = await hashOf(job.output.path);
        must((outputs.get(job.output.path) ?? hash) === hash, 'a result of before is another one now');
        outputs.set(job.output.path, hash);
      }
    }
    must(outputs.size === number, `${outputs.size} results of ${number} jobs`);
    const sent = await watch.uploads();
    must(new Set(sent).size === number && sent.length === number, 'a content was not sent once');
    must(sent.includes(sha256Of(recording(0))), 'the first content was not sent');
    await watch.close();
    return { contents: rounds, 'new jobs a content': 1, results: outputs.size };
  },
};
