// Fails when a job that waits for its next try does not end at once, or when stopping waits for the try.
import { join } from 'node:path';
import { answers, tooManyRequests } from '../../faults/answers.ts';
import type { Rule } from '../../faults/fault-rules.ts';
import { settled } from '../../../src/main/core/jobs/wait-for-jobs.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type CaseOptions, type QueueCase } from '../support/queue/open-case.ts';
import { must, type Scenario } from '../support/scenario.ts';

const longestMs = 100;

interface Wait {
  readonly name: string;
  readonly rule: Rule | 'offline';
  readonly isSpeech?: boolean;
}

const dropped: Rule['fault'] = { kind: 'drop-before', at: 'body' };
const waits: readonly Wait[] = [
  { name: 'before create', rule: { operation: 'create-task', fault: answers.serverError } },
  { name: 'before upload', rule: { operation: 'upload', fault: dropped } },
  { name: 'before convert', rule: { operation: 'convert', fault: dropped } },
  { name: 'before download', rule: { operation: 'download', fault: { kind: 'html' } } },
  { name: 'before speech', rule: { operation: 'speech', fault: dropped }, isSpeech: true },
  { name: 'slowed', rule: { operation: 'create-task', fault: tooManyRequests(600) } },
  { name: 'offline', rule: 'offline' },
];

function isWaiting({ job, breaker, connection }: QueueCase, id: string): boolean {
  const held = breaker.list().some(({ connectionId }) => connectionId === connection.id);
  return held || job(id).nextTryAt !== null;
}

export const scenario: Scenario = {
  id: 'Q7',
  title: 'a job cancelled during its backoff ends at once',
  alone: true,
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1);
    let slowestMs = 0;
    const within = (name: string, ms: number) => {
      must(ms <= longestMs, `${name}: ${ms.toFixed(1)} ms`);
      slowestMs = Math.max(slowestMs, ms);
    };
    for (const { name, rule, isSpeech = false } of waits) {
      // The longest waits that there are.
      const options: CaseOptions = { name, policy: 'repeat', random: () => 1 };
      const queue = await openCase(context, engine, options);
      const { scheduler, proxy, store } = queue;
      if (rule === 'offline') await proxy.goOffline();
      else proxy.script([rule]);
      scheduler.start();
      const [id = ''] = isSpeech ? [queue.speak()] : await queue.convert([source]);
      const [other = ''] = isSpeech ? [queue.speak('again')] : await queue.convert([source]);
      await queue.until('it waits', () => isWaiting(queue, id));
      const cancelledMs = performance.now();
      scheduler.cancel(id);
      await settled(store, [id]);
      within(`${name}, cancelled`, performance.now() - cancelledMs);
      must(queue.job(id).state === 'cancelled', `${name}: ${queue.job(id).state}`);
      await queue.until('the other waits', () => isWaiting(queue, other));
      await queue.quiet();
      const stoppedMs = performance.now();
      await scheduler.stop();
      within(`${name}, stopped`, performance.now() - stoppedMs);
      await queue.close();
    }
    return { waits: waits.length, 'slowest ms': slowestMs };
  },
};
