// Fails when cancelling a paid call hides that it may be charged for, or when trying it again pays before anybody was asked.
import { join } from 'node:path';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase } from '../support/queue/open-case.ts';
import { must, type Scenario } from '../support/scenario.ts';

export const scenario: Scenario = {
  id: 'Q27',
  title: 'a cancelled paid call says that it may be charged, and is not paid again before the user decides',
  async run(context) {
    const engine = await context.startEngine();
    const [source = ''] = await makeSources(join(context.folder, 'in'), 1);
    let cases = 0;
    for (const policy of ['ask', 'repeat', 'stop'] as const) {
      for (const kind of ['conversion', 'speech'] as const) {
        cases += 1;
        const queue = await openCase(context, engine, { name: `${kind}, ${policy}`, policy });
        const { proxy, scheduler } = queue;
        const operation = kind === 'speech' ? 'speech' : 'convert';
        const released = Promise.withResolvers<void>();
        proxy.script([{ operation, times: 1, fault: { kind: 'hold', at: 'reply', until: released.promise } }]);
        scheduler.start();
        const [id = ''] = kind === 'speech' ? [queue.speak()] : await queue.convert([source]);
        await queue.until('it is paid for', () => proxy.count({ operation }) === 1);
        scheduler.cancel(id);
        const [job] = await queue.ended([id]);
        must(job?.state === 'cancelled', `${queue.name}: ${job?.state ?? ''}`);
        must(job.problem?.code === 'service/may-charge', `${queue.name}: says ${job.problem?.code ?? 'nothing'}`);
        released.resolve();
        await queue.quiet();
        must(proxy.count({ operation }) === 1, `${queue.name}: paid again without a question`);
        // The row offers to convert again, with these words beside it: pressing it is the answer.
        scheduler.retry(id);
        const [again] = await queue.ended([id]);
        must(again?.state === 'done', `${queue.name}: ${again?.state ?? ''} ${again?.problem?.code ?? ''}`);
        must(proxy.count({ operation }) === 2, `${queue.name}: paid ${proxy.count({ operation })} times`);
        must(proxy.count({ operation: 'upload' }) <= 1, `${queue.name}: uploaded again`);
        await queue.close();
      }
    }
    return { cases, 'paid without a question': 0 };
  },
};
