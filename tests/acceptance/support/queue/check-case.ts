import { must } from '../scenario.ts';
import type { EngineProcess } from '../start-engine.ts';
import { checkQueue } from './check-queue.ts';
import type { QueueCase } from './open-case.ts';

interface Expected {
  readonly jobs: number;
  /** Calls of one paid step, at most. */
  readonly paid: number;
  /** Sound work in all. Default: as many as jobs. */
  readonly runs?: number;
  readonly mayBeUncertain?: boolean;
}

/** Checks what must hold after any case, and closes it. */
export async function checkCase(queue: QueueCase, engine: EngineProcess, expected: Expected): Promise<void> {
  const { name, dataFolder, outputFolder } = queue;
  const { jobs, paid, runs = jobs, mayBeUncertain = false } = expected;
  must(queue.mostPaid() <= paid, `${name}: a paid call went out ${queue.mostPaid()} times`);
  const counted = await queue.runs();
  const outcomes = queue.store.page(null, -1).map(({ state, problem }) => `${state} ${problem?.code ?? ''}`.trim());
  must(counted === runs, `${name}: ${counted} pieces of sound work, not ${runs}; jobs: ${outcomes.join(', ')}`);
  await queue.close();
  await checkQueue({ dataFolder, outputFolder, engineFolder: engine.dataDirectory, jobs, mayBeUncertain });
}
