// Fails when a converted recording is converted again because its name, its place, its times, its rights or its links changed.
import { chmod, link, mkdir, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';

export const scenario: Scenario = {
  id: 'W5',
  title: 'rename, move, touch, chmod and hard link after a conversion start nothing',
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'changes of name' });
    await watch.begin();
    const count = context.size(8, 100);
    const at = (name: string) => join(watch.root, name);
    const names = (folder: string, word: string) =>
      Array.from({ length: count }, (_, k) => join(folder, `${word} ${k}.wav`));
    const first = names('', 'take');
    for (const [k, name] of first.entries()) await watch.put(name, k);
    await watch.until('all are done', () => first.every(watch.isDone), 120_000);
    const isKnown = (name: string) => watch.isDone(name) || watch.verdict(name) === 'same-sound';

    const second = names('', 'renamed');
    for (const [k, name] of first.entries()) await rename(at(name), at(second[k] ?? ''));
    await watch.until('the new names are known', () => second.every(isKnown));
    const third = names('sub/deeper', 'moved');
    await mkdir(at('sub/deeper'), { recursive: true });
    for (const [k, name] of second.entries()) await rename(at(name), at(third[k] ?? ''));
    await watch.until('the new places are known', () => third.every(isKnown));
    await rename(at('sub'), at('other'));
    const fourth = names('other/deeper', 'moved');
    await watch.until('the moved folder is known', () => fourth.every(isKnown));
    for (const name of fourth) {
      await utimes(at(name), 1_600_000_000, 1_600_000_000);
      await chmod(at(name), 0o640);
    }
    const links = names('', 'link');
    for (const [k, name] of fourth.entries()) await link(at(name), at(links[k] ?? ''));
    await watch.until('the links are known', () => links.every(isKnown));
    await watch.putLast();

    context.note('and after a restart');
    await watch.restart();
    await watch.until(
      'it was looked over again',
      () => watch.view().checkedAt !== null && watch.view().mode === 'watching',
    );
    await watch.putLast();
    const jobs = watch.jobs().length - count - 2;
    must(jobs === 0, `${jobs} new jobs`);
    must(watch.paid() === count + 2, `${watch.paid()} paid calls for ${count + 2} recordings`);
    await watch.close();
    return { files: count, changes: 6 * count, 'new jobs': jobs };
  },
};
