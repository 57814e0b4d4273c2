// Fails when files built to be expensive keep other recordings from being converted, or are not reported.
import { rename } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { sampleTurns } from '../support/history/measure-turns.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { hostileSounds } from '../support/sounds/hostile-sounds.ts';
import { openWatch } from '../support/watch/open-watch.ts';

const hostileCount = 12;
const mostWaitMs = 10_000;
const mostLagMs = 20;
/** Those that a look refuses. The others are sound of a kind, or in a container that only its decoder knows. */
const isRefused = (name: string) =>
  !/equal sizes|silen|small frames|sync words.(mp3|aac)|first pages|of packets|elements|frames of sync|years|many times/.test(
    name,
  );

export const scenario: Scenario = {
  id: 'W22',
  title: 'files built to be expensive are rejected with a reason, and the recordings beside them are converted',
  deadlineMs: 900_000,
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'hostile' });
    await watch.begin();
    const hostile = (await hostileSounds()).filter(
      ({ name }) => isRefused(name) && !['.webm', '.aiff', '.caf'].includes(extname(name)),
    );
    const chosen = Array.from(
      { length: hostileCount },
      (_, k) => hostile[Math.floor((k * hostile.length) / hostileCount)],
    );
    const good = context.size(20, 50);
    // Made before, and moved: to make them is work of this process too.
    for (const one of chosen) await one?.write(join(watch.folder, one.name));
    const sampling = sampleTurns();
    let longest = 0;
    for (let k = 0; k < good; k++) {
      const bad = k < hostileCount ? chosen[k] : undefined;
      if (bad) await rename(join(watch.folder, bad.name), join(watch.root, bad.name));
      const path = `take ${k}.wav`;
      await watch.put(path, k);
      const startedMs = performance.now();
      await watch.until(`${path} is done`, () => watch.isDone(path));
      longest = Math.max(longest, performance.now() - startedMs);
    }
    const { p99Ms: lagMs } = sampling.end();
    must(longest <= mostWaitMs, `a recording was done only after ${Math.round(longest)} ms`);
    const names = chosen.flatMap((one) => (one ? [one.name] : []));
    await watch.until('each hostile one is refused', () => names.every((name) => watch.verdict(name) === 'refused'));
    const reasons = new Set(names.map((name) => watch.file(name)?.record.problem?.code ?? 'none'));
    must(!reasons.has('none') && !reasons.has('internal'), `reasons are ${[...reasons].join(' ')}`);
    must(watch.jobs().length === good && watch.paid() === good, `${watch.paid()} paid calls for ${good} recordings`);
    must(lagMs <= mostLagMs, `the queue's process was held up for ${lagMs.toFixed(1)} ms`);
    await watch.close();
    return {
      good,
      hostile: names.length,
      'longest s': (longest / 1000).toFixed(1),
      'turn p99 ms': lagMs.toFixed(1),
      reasons: [...reasons].join(' '),
    };
  },
};
