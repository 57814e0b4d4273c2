// Fails when a result of Timbre's becomes a recording: beside its source, in a folder inside the root, moved or renamed.
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { openWatch, type WatchCase } from '../support/watch/open-watch.ts';

/** Renames each result, and copies it too: neither is a recording. */
async function disguise(watch: WatchCase, results: readonly string[]): Promise<readonly string[]> {
  await mkdir(join(watch.root, 'mine'));
  const names: string[] = [];
  for (const [k, path] of results.entries()) {
    const [copied, renamed] = [join('mine', `copy ${k}.wav`), join('mine', `renamed ${k}.wav`)];
    await copyFile(path, join(watch.root, copied));
    await rename(path, join(watch.root, renamed));
    names.push(copied, renamed);
  }
  return names;
}

async function converted(
  context: ScenarioContext,
  engine: EngineProcess,
  count: number,
  way: 'beside' | 'below',
): Promise<number> {
  const watch = await openWatch(context, engine, { name: `results ${way}` });
  const below = join(watch.root, 'results');
  await watch.begin({ outputFolder: way === 'below' ? below : null });
  const names = Array.from({ length: count }, (_, k) => `take ${k}.wav`);
  for (const [k, name] of names.entries()) await watch.put(name, k);
  await watch.until('all are done', () => names.every(watch.isDone), 120_000);
  const results = watch.jobs().map(({ output }) => output?.path ?? '');
  const inside = results.map((path) => path.slice(watch.root.length + 1));
  if (way === 'beside') {
    await watch.until('the results are known', () => inside.every((path) => watch.verdict(path) === 'own-output'));
  } else {
    must((await readdir(below)).length === count, 'the results are elsewhere');
    must(
      inside.every((path) => watch.verdict(path) === 'unseen'),
      'the folder of results was looked into',
    );
  }
  const disguised = await disguise(watch, results);
  await watch.until('they are known for what they are', () =>
    disguised.every((path) => watch.verdict(path) === 'own-output'),
  );
  await watch.restart();
  await watch.until(
    'it was looked over again',
    () => watch.view().checkedAt !== null && watch.view().mode === 'watching',
  );
  await watch.putLast();
  const jobs = watch.jobs().length - count - 1;
  must(jobs === 0, `${way}: ${jobs} jobs of results, the first of ${basename(disguised[0] ?? '')}`);
  must(watch.paid() === count + 1, `${watch.paid()} paid calls`);
  await watch.close();
  return 3 * count;
}

export const scenario: Scenario = {
  id: 'W10',
  title: 'results inside the root become no jobs, not even renamed or copied ones',
  async run(context) {
    const engine = await context.startEngine();
    const count = context.size(5, 100);
    const beside = await converted(context, engine, count, 'beside');
    const below = await converted(context, engine, count, 'below');
    return { results: 2 * count, 'names of results': beside + below, jobs: 0 };
  },
};
