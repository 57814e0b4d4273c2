import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createContext } from './create-context.ts';
import { killFamily, type Leader } from './processes.ts';
import { Failed } from './scenario.ts';
import { scenariosOf } from '../scenarios.ts';
import type { ScenarioMessage, ScenarioOrder } from './scenario-messages.ts';

/**
 * The process of one scenario: its figures are not those of the ones before it, and whatever it does, the frame can end it. Started by
 * `runScenarios`, which leads it by one message; ends with its answer, or with the frame.
 */

/** They began sessions of their own, and do not end with this one. */
const leaders: Leader[] = [];

const tell = (message: ScenarioMessage) =>
  new Promise<void>((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });

const failure = (error: unknown): ScenarioMessage => {
  if (error instanceof Failed) return { type: 'failed', why: error.message };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { type: 'failed', why: `broke: ${error instanceof Error ? error.message : String(error)}`, stack };
};

async function leave(message: ScenarioMessage): Promise<never> {
  await tell(message);
  process.exit(0);
}

async function run({ module, id, folder, seed, full }: ScenarioOrder): Promise<ScenarioMessage> {
  const scenario = (await scenariosOf(new URL(module))).find((one) => one.id === id);
  if (!scenario) throw new Error(`there is no scenario ${id}`);
  const onLeader = (leader: Leader) => {
    leaders.push(leader);
    void tell({ type: 'leader', leader });
  };
  const { context, cleanUp } = createContext({ id, folder, seed, full }, (message) => void tell(message), onLeader);
  let outcome: ScenarioMessage;
  try {
    outcome = { type: 'passed', figures: await scenario.run(context) };
  } catch (error) {
    outcome = failure(error);
  }
  try {
    await cleanUp();
  } catch (error) {
    if (outcome.type === 'passed') outcome = failure(error);
  }
  return outcome;
}

process.on('uncaughtException', (error) => void leave(failure(error)));
const [order] = (await once(process, 'message')) as [ScenarioOrder];
// Without the frame nobody else ends and removes what was made here.
process.once('disconnect', () => {
  void killFamily(leaders)
    .then(() => rm(order.folder, { recursive: true, force: true }))
    .finally(() => process.kill(-process.pid, 'SIGKILL'));
});
await leave(await run(order).catch(failure));
