// Fails when a system limit or an unreadable folder keeps other recordings from being converted, or is not reported.
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { WatchMode } from '../../../src/shared/schemas/watch.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { openWatch, type WatchCase } from '../support/watch/open-watch.ts';
import { scannersBy } from '../support/watch/spawn-scanner.ts';

interface Limit {
  readonly name: string;
  /** The command that starts the scanner. */
  readonly prefix: readonly string[];
  /** One of these is reported while the limit lasts; null if it is temporary and needs no report. */
  readonly codes: readonly string[] | null;
  /** Null: any mode. */
  readonly mode: 'polling' | null;
}

const shell = (script: string) => ['sh', '-c', `${script} && exec "$0" "$@"`];
const limits: readonly Limit[] = [
  {
    name: 'folders that may be watched',
    prefix: ['unshare', '-Ur', ...shell('echo 3 > /proc/sys/user/max_inotify_watches')],
    codes: ['watch/too-many-folders'],
    mode: 'polling',
  },
  {
    name: 'programs that may watch',
    prefix: ['unshare', '-Ur', ...shell('echo 0 > /proc/sys/user/max_inotify_instances')],
    codes: ['system/too-many-files', 'watch/no-hints'],
    mode: 'polling',
  },
  // Few enough to run out of them, with one for the lock of the folder.
  { name: 'open files', prefix: shell('ulimit -n 26'), codes: null, mode: null },
];

/** Whether this machine lets a program run behind the prefix at all. */
async function isPossible({ spawn }: ScenarioContext, prefix: readonly string[]): Promise<boolean> {
  const line: readonly string[] = [...prefix, 'true'];
  const [command = '', ...args] = line;
  const child = spawn(command, args, { stdio: 'ignore' });
  const failed = once(child, 'error').then(() => false);
  const ended = once(child, 'exit').then(([code]) => code === 0);
  return Promise.race([failed, ended]);
}

const placeOf = (k: number) => `day ${k}/take ${k}.wav`;
const codesOf = (watch: WatchCase) => watch.view().problems.map(({ code }) => code);

async function limited(context: ScenarioContext, engine: EngineProcess, limit: Limit): Promise<string> {
  const { name, prefix, codes, mode } = limit;
  const watch = await openWatch(context, engine, { name, scanners: scannersBy(context, prefix) });
  const count = context.size(10, 200);
  const half = count / 2;
  for (let k = 0; k < half; k += 1) await watch.put(placeOf(k), k);
  await watch.save();
  await watch.until('it asks', () => watch.view().baseline?.files === half, 60_000);
  watch.watch.answerBaseline(watch.view().folder.id, 'convert');
  const isSettled = (now: WatchMode) => now === 'polling' || (mode === null && now === 'watching');
  await watch.until(`it is ${mode ?? 'watched'}`, () => isSettled(watch.view().mode), 60_000);
  const told = new Set<string>();
  watch.watch.onFolder(() => codesOf(watch).forEach((code) => told.add(code)));
  codesOf(watch).forEach((code) => told.add(code));
  if (codes) await watch.until('it says why', () => codes.some((code) => told.has(code)));
  for (let k = half; k < count; k += 1) await watch.put(placeOf(k), k);
  await watch.until(
    'all are done',
    () => Array.from({ length: count }, (_, k) => placeOf(k)).every(watch.isDone),
    context.size(60_000, 300_000),
  );
  must(watch.jobs().length === count && watch.mostPaid() === 1, `${name}: ${watch.jobs().length} jobs of ${count}`);
  must(watch.scanners.started() === 1, `${name}: the watcher was started ${watch.scanners.started()} times`);
  await watch.close();
  return `${name}: ${[...told].join(' ') || 'passed unnoticed'}`;
}

/** Without these a chief of the machine is refused like anybody else. */
const powerless = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];

async function unreadable(context: ScenarioContext, engine: EngineProcess, prefix: readonly string[]): Promise<void> {
  const watch = await openWatch(context, engine, {
    name: 'a folder without permission',
    scanners: scannersBy(context, prefix),
  });
  const closed = join(watch.root, 'closed');
  await watch.put('closed/secret.wav', 1);
  await watch.put('open/take.wav', 2);
  await chmod(closed, 0o000);
  try {
    await watch.begin();
    await watch.until('it asks about the one that it sees', () => watch.view().baseline?.files === 1);
    watch.watch.answerBaseline(watch.view().folder.id, 'convert');
    await watch.until('it says which folder', () => codesOf(watch).includes('watch/unreadable-inside'));
    const facts = watch.view().problems.find(({ code }) => code === 'watch/unreadable-inside')?.facts;
    must(facts?.['folder'] === 'closed' && facts['count'] === 1, `it names ${JSON.stringify(facts)}`);
    await watch.until('the other is done', () => watch.isDone('open/take.wav'));
    await watch.putLast();
    must(watch.jobs().length === 2, `${watch.jobs().length} jobs`);
  } finally {
    await chmod(closed, 0o700);
  }
  watch.watch.rescan();
  await watch.until('it is done once it may be read', () => watch.isDone('closed/secret.wav'));
  await watch.until('nothing is wrong any more', () => watch.view().problems.length === 0);
  await watch.close();
}

export const scenario: Scenario = {
  id: 'W16',
  title: 'system limits and a folder without permission are reported, and all readable files are converted',
  async run(context) {
    const engine = await context.startEngine();
    const checked: string[] = [];
    const impossible: string[] = [];
    for (const limit of limits) {
      if (await isPossible(context, limit.prefix)) {
        checked.push(await limited(context, engine, limit));
      } else impossible.push(limit.name);
    }
    const prefix = process.getuid?.() === 0 ? powerless : [];
    if (prefix.length === 0 || (await isPossible(context, prefix))) {
      await unreadable(context, engine, prefix);
      checked.push('permission: watch/unreadable-inside');
    } else impossible.push('permission');
    must(checked.length > 0, `this machine allows none of it: ${impossible.join(', ')}`);
    return { checked: checked.join(', '), 'not possible on this machine': impossible.join(', ') || 'none' };
  },
};
