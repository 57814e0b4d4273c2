// Fails when a result that is gone is made again unasked, made again without end, or not explained.
import { join } from 'node:path';
import { checkQueue } from '../support/queue/check-queue.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type CaseOptions } from '../support/queue/open-case.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

type Status = 403 | 404 | 410;

const statuses: readonly Status[] = [403, 404, 410];
/** How often a result that is gone each time is made again where that is allowed. */
const mostRemakes = 6;
/** How often each is asked for: a 403 or a 404 may mean that the storage does not have it yet. */
const downloads: Readonly<Record<Status, number>> = { 403: 7, 404: 7, 410: 1 };

interface Setting {
  readonly context: ScenarioContext;
  readonly engine: EngineProcess;
  readonly sources: readonly string[];
  readonly isSpeech: boolean;
}

async function begin(
  { context, engine, sources, isSpeech }: Setting,
  status: Status,
  policy: NonNullable<CaseOptions['policy']>,
  { times, jobs = 1 }: { /** Results that are gone. */ readonly times?: number; readonly jobs?: number },
) {
  const what = isSpeech ? 'speech' : 'conversion';
  const name = `${what} ${status} ${policy} ${times ?? 'for ever'}`;
  const queue = await openCase(context, engine, { name, policy });
  queue.proxy.script([
    {
      operation: 'download',
      ...(times !== undefined && { times: times * downloads[status] }),
      fault: { kind: 'gone', status },
    },
  ]);
  queue.scheduler.start();
  const ids = isSpeech
    ? Array.from({ length: jobs }, (_, k) => queue.speak(String(k)))
    : await queue.convert(sources.slice(0, jobs));
  const finish = async (mayBeUncertain = false) => {
    await queue.close();
    await checkQueue({ ...queue, engineFolder: engine.dataDirectory, jobs, mayBeUncertain });
  };
  return { queue, ids, finish };
}

async function asks(setting: Setting, status: Status): Promise<void> {
  const { queue, ids, finish } = await begin(setting, status, 'ask', { times: 1 });
  const [job] = await queue.ended(ids);
  must(job?.state === 'uncertain', `${queue.name}: ${job?.state ?? ''} instead of uncertain`);
  must(job.problem?.code === 'service/result-gone', `${queue.name}: explained as ${job.problem?.code ?? 'nothing'}`);
  must(job.problem.facts?.['status'] === status, `${queue.name}: it does not say ${status}`);
  await queue.quiet();
  must(queue.mostPaid() === 1, `${queue.name}: made again unasked`);
  const asked = queue.proxy.calls.filter(({ operation }) => operation === 'download').length;
  must(asked === downloads[status], `${queue.name}: asked for ${asked} times`);
  ids.forEach(queue.scheduler.retry);
  const [again] = await queue.ended(ids);
  must(again?.state === 'done', `${queue.name}: ${again?.state ?? ''} after a person said so`);
  must(queue.mostPaid() <= 2, `${queue.name}: ${queue.mostPaid()} paid calls for one word of a person`);
  await finish();
}

async function repeats(setting: Setting, status: Status): Promise<void> {
  const { queue, ids, finish } = await begin(setting, status, 'repeat', { times: 2 });
  await queue.ended(ids);
  must(queue.mostPaid() === 3, `${queue.name}: ${queue.mostPaid()} paid calls for two results that were gone`);
  await finish();
}

/** Permission to repeat is no permission to pay without end. */
async function givesUp(setting: Setting, status: Status): Promise<number> {
  const { queue, ids } = await begin(setting, status, 'repeat', {});
  await queue.until(
    'it gives up',
    () => queue.job(ids[0] ?? '').state === 'failed' || queue.mostPaid() > 2 * mostRemakes,
  );
  must(queue.mostPaid() <= 1 + mostRemakes, `${queue.name}: made again ${queue.mostPaid() - 1} times and counting`);
  const [job] = await queue.ended(ids);
  must(job?.problem?.code === 'service/result-gone', `${queue.name}: explained as ${job?.problem?.code ?? 'nothing'}`);
  must((await queue.outputs()).length === 0, `${queue.name}: a file is left`);
  await queue.close();
  return queue.mostPaid() - 1;
}

async function stops(setting: Setting, status: Status): Promise<void> {
  const { queue, ids, finish } = await begin(setting, status, 'stop', { times: 1, jobs: 3 });
  const { breaker, connection, scheduler } = queue;
  await queue.until('the queue stops', () => breaker.find(connection.id, 'uncertain') !== undefined);
  await queue.quiet();
  const waiting = ids.filter((id) => queue.job(id).state === 'queued');
  must(waiting.length === 2, `${queue.name}: others went on`);
  must(breaker.find(connection.id, 'uncertain')?.problem?.code === 'service/result-gone', `${queue.name}: unexplained`);
  scheduler.resume(connection.id);
  await queue.ended(ids);
  must(queue.mostPaid() === 1, `${queue.name}: made again unasked`);
  await finish(true);
}

export const scenario: Scenario = {
  id: 'Q9',
  title: 'an expired result is explained, and converted again only if the connection allows it',
  async run(context) {
    const engine = await context.startEngine();
    const sources = await makeSources(join(context.folder, 'in'), 3);
    let cases = 0;
    let remakes = 0;
    for (const isSpeech of [false, true]) {
      const setting: Setting = { context, engine, sources, isSpeech };
      for (const status of statuses) {
        await asks(setting, status);
        await repeats(setting, status);
        remakes = Math.max(remakes, await givesUp(setting, status));
        await stops(setting, status);
        cases += 4;
      }
    }
    return { cases, 'remakes before giving up': remakes };
  },
};
