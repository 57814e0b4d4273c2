// Fails when files that were there before are converted unasked, when their answer is not what happens, or when looking takes too long.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { openWatch } from '../support/watch/open-watch.ts';
import { recording } from '../support/watch/recordings.ts';

const longestScanMs = 10_000;
const perFolder = 100;

async function answered(context: ScenarioContext, engine: EngineProcess, count: number, answer: 'convert' | 'leave') {
  const watch = await openWatch(context, engine, { name: `${count} files, ${answer}`, converts: answer === 'leave' });
  for (let k = 0; k < count; k += 1) {
    const folder = join(watch.root, `day ${Math.floor(k / perFolder)}`);
    if (k % perFolder === 0) await mkdir(folder);
    await writeFile(join(folder, `take ${k}.wav`), recording(k, 0.1));
  }
  context.note(`${watch.name}: looking`);
  const startedMs = performance.now();
  await watch.save();
  await watch.until('it asks', () => watch.view().baseline !== null, 60_000);
  const scanMs = performance.now() - startedMs;
  must(scanMs <= longestScanMs, `the look over ${count} files took ${scanMs.toFixed()} ms`);
  must(watch.view().baseline?.files === count, `it asks about ${watch.view().baseline?.files ?? 0} of ${count}`);
  await watch.until('they are measured', () => watch.view().isMeasured, 120_000);
  const measuredMs = performance.now() - startedMs;
  must(watch.jobs().length === 0, `${watch.jobs().length} jobs before the answer`);
  watch.watch.answerBaseline(watch.view().folder.id, answer);
  await watch.until('the answer is taken', () => watch.view().baseline === null);
  const answeredMs = performance.now();
  if (answer === 'leave') {
    await watch.restart();
    await watch.until(
      'it was looked over again',
      () => watch.view().checkedAt !== null && watch.view().mode === 'watching',
    );
    await watch.putLast();
    must(watch.jobs().length === 1 && watch.paid() === 1, `${watch.jobs().length - 1} jobs of what was left alone`);
    must(watch.view().baseline === null, 'it asks twice');
  } else {
    await watch.until(
      'all are jobs',
      () => watch.view().counts.incoming === count && watch.jobs().length === count,
      400_000,
    );
  }
  const jobsMs = performance.now() - answeredMs;
  await watch.close();
  return { scanMs, measuredMs, jobsMs };
}

export const scenario: Scenario = {
  id: 'W13',
  title: 'the baseline is asked about once; “only new ones” makes no job, “all” makes one each',
  async run(context) {
    const engine = await context.startEngine();
    const count = context.size(1000, 10_000);
    const left = await answered(context, engine, count, 'leave');
    const all = context.size(200, 10_000);
    const taken = await answered(context, engine, all, 'convert');
    return {
      files: count,
      'asks after ms': left.scanMs,
      'measured after ms': left.measuredMs,
      'jobs where left': 0,
      'all wanted': all,
      'queued after ms': taken.jobsMs,
    };
  },
};
