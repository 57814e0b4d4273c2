// Fails when an error of the queue itself ends the process, or keeps it from stopping.
import { join } from 'node:path';
import { makeSources } from '../support/queue/make-sources.ts';
import { openCase } from '../support/queue/open-case.ts';
import { must, type Scenario } from '../support/scenario.ts';

export const scenario: Scenario = {
  id: 'Q30',
  title: 'errors of the store, the pauses or the clock are handled, and each stop ends',
  async run(context) {
    const engine = await context.startEngine();
    const sources = await makeSources(join(context.folder, 'in'), 3);
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    process.on('uncaughtException', onUnhandled);
    let cases = 0;
    try {
      for (const member of ['due', 'busyConnections', 'jobsToPreflight', 'nextTryAt', 'poll', 'claim'] as const) {
        for (const stops of [1, 2, 3]) {
          cases += 1;
          const queue = await openCase(context, engine, {
            name: `${member} throws, ${stops} stops`,
            toleratesDefects: true,
          });
          const { store, scheduler } = queue;
          const original = store[member];
          let isBroken = true;
          Object.assign(store, {
            [member](...args: readonly never[]) {
              if (isBroken) throw new Error(`${member} is broken`);
              return Reflect.apply(original, store, args) as unknown;
            },
          });
          scheduler.start();
          const ids = await queue.convert(sources);
          isBroken = false;
          scheduler.wake();
          await queue.ended(ids);
          isBroken = true;
          await Promise.all(Array.from({ length: stops }, () => scheduler.stop()));
          await Promise.all(Array.from({ length: stops }, () => queue.stop()));
          await queue.close();
        }
      }
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', onUnhandled);
      process.off('uncaughtException', onUnhandled);
    }
    must(unhandled.length === 0, `unhandled: ${String(unhandled[0])}`);
    return { cases, unhandled: 0 };
  },
};
