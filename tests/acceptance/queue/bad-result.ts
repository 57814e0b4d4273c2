// Fails when a reply that is cut, mislabelled, empty or an error in disguise counts as a result, leaves a file, or is paid for again.
import { join } from 'node:path';
import { answers } from '../../faults/answers.ts';
import type { Operation } from '../../faults/call.ts';
import type { Fault } from '../../faults/fault.ts';
import { outputFormats } from '../../../src/shared/schemas/settings.ts';
import { checkCase } from '../support/queue/check-case.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type CaseOptions, type QueueCase } from '../support/queue/open-case.ts';
import { someAtOnce } from '../support/queue/some-at-once.ts';
import { hasAddress, speechDeliveries } from '../support/queue/speech-deliveries.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';

const cutAfter = (afterBytes: number, framing: 'length' | 'chunked'): Fault => ({
  kind: 'truncate',
  afterBytes,
  framing,
});

/** What may come in place of sound. */
const spoiltSound: readonly (readonly [string, Fault])[] = [
  ['cut', cutAfter(3000, 'length')],
  ['cut without a length', cutAfter(3000, 'chunked')],
  ['cut to nothing', cutAfter(0, 'chunked')],
  ['shorter than announced', { kind: 'wrong-length', by: 10 }],
  ['longer than announced', { kind: 'wrong-length', by: -10 }],
  ['a page', { kind: 'html' }],
  ['a page that calls itself sound', { kind: 'html', contentType: 'audio/wav' }],
  ['empty', { kind: 'empty' }],
  ['an error with 200', answers.hiddenError],
];
/** What may come in place of JSON. */
const spoiltJson: readonly (readonly [string, Fault])[] = [
  ['cut', cutAfter(10, 'length')],
  ['cut without a length', cutAfter(10, 'chunked')],
  ['shorter than announced', { kind: 'wrong-length', by: 10 }],
  ['longer than announced', { kind: 'wrong-length', by: -10 }],
  ['a page', { kind: 'html' }],
  ['a page that calls itself JSON', { kind: 'html', contentType: 'application/json' }],
  ['empty', { kind: 'empty' }],
  ['an error with 200', answers.hiddenError],
];

interface Setting {
  readonly context: ScenarioContext;
  readonly engine: EngineProcess;
  readonly source: string;
}

interface Spoilt {
  readonly name: string;
  readonly operation: Operation;
  readonly fault: Fault;
  /** Left out: a conversion. */
  readonly speech?: CaseOptions['delivery'];
  readonly format?: (typeof outputFormats)[number];
}

async function begin({ context, engine, source }: Setting, spoilt: Spoilt, times: number | null) {
  const { name, operation, fault, speech, format } = spoilt;
  const queue = await openCase(context, engine, {
    name: `${name} ${times ?? 'for ever'}`,
    ...(speech !== undefined && { delivery: speech }),
  });
  queue.proxy.script([{ operation, ...(times !== null && { times }), fault }]);
  queue.scheduler.start();
  const ids = speech === undefined ? await queue.convert([source], format && { format }) : [queue.speak()];
  return { queue, id: ids[0] ?? '' };
}

async function mustLeaveNothing(queue: QueueCase): Promise<void> {
  const files = await queue.outputs();
  must(files.length === 0, `${queue.name}: ${files[0] ?? ''} stands there`);
}

/** A result is fetched again, and only that; while it stays spoilt the job gives up without leaving anything. */
async function result(setting: Setting, spoilt: Spoilt): Promise<void> {
  const { queue, id } = await begin(setting, spoilt, 2);
  const [job] = await queue.ended([id]);
  must(job?.state === 'done', `${queue.name}: ${job?.state ?? ''} ${job?.problem?.code ?? ''}, and not done by itself`);
  must(
    queue.proxy.count({ operation: 'download' }) === 3,
    `${queue.name}: fetched ${queue.proxy.count({ operation: 'download' })} times`,
  );
  await checkCase(queue, setting.engine, { jobs: 1, paid: 1 });
}

async function spoiltForEver(setting: Setting, spoilt: Spoilt): Promise<void> {
  const { queue, id } = await begin(setting, spoilt, null);
  const [job] = await queue.ended([id]);
  must(job?.state === 'failed', `${queue.name}: ${job?.state ?? ''} instead of failed`);
  await mustLeaveNothing(queue);
  queue.proxy.script([]);
  queue.scheduler.retry(id);
  await queue.ended([id]);
  await checkCase(queue, setting.engine, { jobs: 1, paid: 1 });
}

/** A step before the result: done in the end, at the latest after the user's retry, and charged again only then. */
async function step(setting: Setting, spoilt: Spoilt): Promise<void> {
  const { queue, id } = await begin(setting, spoilt, 1);
  const [job] = await queue.ended([id]);
  await queue.quiet();
  must(queue.mostPaid() <= 1, `${queue.name}: paid again unasked`);
  const isPaid = spoilt.operation === 'convert' || spoilt.operation === 'speech';
  if (job?.state !== 'done') {
    await mustLeaveNothing(queue);
    must(job?.problem !== null, `${queue.name}: it does not say why`);
    queue.scheduler.retry(id);
    await queue.ended([id]);
  }
  must(queue.job(id).state === 'done', `${queue.name}: ${queue.job(id).state} in the end`);
  await checkCase(queue, setting.engine, { jobs: 1, paid: isPaid ? 2 : 1 });
}

export const scenario: Scenario = {
  id: 'Q10',
  title: 'a corrupt reply leaves no file under a final name, and causes no second charge unasked',
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1);
    const setting: Setting = { context, engine, source };
    const spoilt: (readonly [typeof step, Spoilt])[] = [];
    for (const [how, fault] of spoiltSound) {
      const one: Spoilt = { name: `result ${how}`, operation: 'download', fault };
      spoilt.push([result, one], [spoiltForEver, one]);
    }
    // Each format has an end of its own to be missed.
    for (const format of outputFormats.filter((one) => one !== 'same' && one !== '.wav')) {
      for (const [how, fault] of spoiltSound.filter(([, { kind }]) => kind === 'truncate' || kind === 'wrong-length')) {
        spoilt.push([result, { name: `${format} ${how}`, operation: 'download', fault, format }]);
      }
    }
    for (const [how, fault] of spoiltJson) {
      for (const operation of ['create-task', 'upload', 'convert'] as const) {
        spoilt.push([step, { name: `${operation} ${how}`, operation, fault }]);
      }
    }
    const replies = speechDeliveries.filter(([, speech]) => speech !== 'body');
    for (const delivery of speechDeliveries) {
      const [way, speech] = delivery;
      const k = replies.indexOf(delivery);
      // Each fault with one of the ways.
      const some = <T>(all: readonly T[]) =>
        context.full || speech === 'body' ? all : all.filter((_, at) => at % replies.length === k);
      for (const [how, fault] of some(speech === 'body' ? spoiltSound : spoiltJson)) {
        spoilt.push([step, { name: `speech by ${way} ${how}`, operation: 'speech', fault, speech }]);
      }
      if (!hasAddress(speech)) continue;
      for (const [how, fault] of some(spoiltSound)) {
        spoilt.push([result, { name: `fetched speech by ${way} ${how}`, operation: 'download', fault, speech }]);
      }
    }
    await someAtOnce(
      spoilt.map(
        ([run, one]) =>
          () =>
            run(setting, one),
      ),
    );
    return { cases: spoilt.length };
  },
};
