// Fails when an error after the paid reply makes a success a failure, or lets a second try pay without a question.
import { join } from 'node:path';
import type { JobChange, JobStore } from '../../../src/main/core/jobs/job-store.ts';
import { AppError, errorCodes } from '../../../src/shared/errors.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase, type QueueCase } from '../support/queue/open-case.ts';
import { must, type Scenario } from '../support/scenario.ts';

/** An error as SQLite throws it. */
const sqliteError = (errcode: number) => Object.assign(new Error(`SQLite said ${errcode}`), { errcode });

interface Fault {
  readonly name: string;
  make(): Error;
  /** The write is tried again, so that the job is done in the end. */
  readonly passes: boolean;
}

const passing: readonly Fault[] = [5, 8, 10, 13, 266, 1034, 4874].map((errcode) => ({
  name: `SQLite ${errcode}`,
  make: () => sqliteError(errcode),
  passes: true,
}));
const others: readonly Fault[] = [
  { name: 'a TypeError', make: () => new TypeError('a defect'), passes: false },
  { name: 'a constraint', make: () => sqliteError(19), passes: false },
  ...errorCodes
    .filter((code) => code !== 'job/cancelled' && code !== 'data/not-writable')
    .map((code) => ({ name: code, make: () => new AppError(code, 'thrown by a step'), passes: false })),
];

/** Lets the next write of what a paid call answered fail once. */
function failOnce(store: JobStore, fault: Fault): void {
  const { change } = store;
  let isOver = false;
  Object.assign(store, {
    change(id: string, wanted: JobChange) {
      if (isOver || wanted.state !== 'converted') return change(id, wanted);
      isOver = true;
      throw fault.make();
    },
  });
}

/** What says for certain that nothing was carried out may not be said of a reply that came. */
const mustNotFail = (queue: QueueCase, state: string) =>
  must(state === 'done' || state === 'uncertain', `${queue.name}: an answered paid call is ${state}`);

export const scenario: Scenario = {
  id: 'Q22',
  title: 'a failed write after the paid reply neither fails the job nor causes a second charge unasked',
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1);
    const faults = [...passing, ...(context.full ? others : others.slice(0, 12))];
    for (const fault of faults) {
      const isKnown = (code: string) => code === fault.name;
      const queue = await openCase(context, engine, {
        name: `one write fails with ${fault.name}`,
        toleratesDefects: true,
      });
      failOnce(queue.store, fault);
      queue.scheduler.start();
      const ids = await queue.convert([source]);
      const [job] = await queue.ended(ids);
      const paid = queue.proxy.count({ operation: 'convert' });
      must(paid === 1, `${queue.name}: paid ${paid} times`);
      must(!fault.passes || job?.state === 'done', `${queue.name}: ${job?.state ?? ''} although it passed`);
      // A refusal in these words is one: a step throws it for what the service said.
      if (!errorCodes.some(isKnown) || fault.name === 'internal') mustNotFail(queue, job?.state ?? '');
      await queue.close();
    }
    return { faults: faults.length, 'second paid calls': 0 };
  },
};
