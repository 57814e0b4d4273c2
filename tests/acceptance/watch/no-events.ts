// Fails when a disk without events goes unnoticed: Timbre must detect it, say so, and poll.
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';
import { scannersBy } from '../support/watch/spawn-scanner.ts';

const longestMs = 5000;
/** How long the scanner waits for the canary. */
const canaryMs = 2000;
/** inotify reports success but no events, like a network drive. */
const deaf = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=inotify_add_watch'];
const inject = ['-e', 'inject=inotify_add_watch:retval=1'];

export const scenario: Scenario = {
  id: 'W9',
  title: 'a root without events is polled, says so, and finds new files',
  alone: true,
  async run(context) {
    const engine = await context.startEngine();
    const scanners = scannersBy(context, [...deaf, ...inject]);
    const watch = await openWatch(context, engine, { name: 'deaf', scanners });
    await watch.put('before.wav', 0);
    const startedMs = performance.now();
    await watch.save();
    await watch.until('it was looked over', () => watch.view().baseline !== null);
    const scannedMs = performance.now();
    await watch.until('it looks by itself', () => watch.view().mode === 'polling');
    const switchedMs = performance.now() - scannedMs;
    must(switchedMs <= canaryMs + longestMs, `it went over to polling after ${switchedMs.toFixed()} ms`);
    const problem = watch.view().problems[0];
    must(problem?.code === 'watch/no-hints', `it says ${problem?.code ?? 'nothing'}`);
    watch.watch.answerBaseline(watch.view().folder.id, 'leave');
    await watch.until('the answer is taken', () => watch.view().baseline === null);

    let slowestMs = 0;
    const rounds = context.size(2, 20);
    for (let k = 0; k < rounds; k += 1) {
      const name = k % 2 === 0 ? `take ${k}.wav` : `day ${k}/deep/take ${k}.wav`;
      await watch.put(name, k + 1);
      const putMs = performance.now();
      await watch.until(`${name} is seen`, () => watch.file(name) !== undefined);
      slowestMs = Math.max(slowestMs, performance.now() - putMs);
    }
    must(slowestMs <= longestMs, `what is new was seen after ${slowestMs.toFixed()} ms`);
    await watch.until(
      'all are done',
      () => watch.jobs().length === rounds && watch.jobs().every(({ state }) => state === 'done'),
    );
    must(scanners.started() === 1, `the watcher was started ${scanners.started()} times`);
    await watch.close();
    return {
      'looked over after ms': scannedMs - startedMs,
      'polling after ms': switchedMs,
      'canary waits ms': canaryMs,
      'slowest find ms': slowestMs,
      'every seconds': Number(problem.facts?.['seconds']),
    };
  },
};
