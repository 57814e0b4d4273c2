import { fork, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { startFaultProxy } from '../../faults/start-fault-proxy.ts';
import { leaderOf, type Leader } from './processes.ts';
import { createRandom } from '../../../src/main/core/random.fixture.ts';
import type { ScenarioContext } from './scenario.ts';
import type { ScenarioMessage, ScenarioOrder } from './scenario-messages.ts';
import { startEngine } from './start-engine.ts';

/** What a scenario works with, and the way to end what it left. */
export function createContext(
  { id, folder, seed, full }: Omit<ScenarioOrder, 'module'>,
  tell: (message: ScenarioMessage) => void,
  onLeader: (leader: Leader) => void,
): { readonly context: ScenarioContext; cleanUp(): Promise<void> } {
  const cleanUps: (() => Promise<unknown> | undefined)[] = [];

  const tracked = (child: ChildProcess, detached: boolean): ChildProcess => {
    const leader = detached && child.pid !== undefined ? leaderOf(child.pid) : null;
    if (leader) onLeader(leader);
    return child;
  };

  const context: ScenarioContext = {
    folder,
    random: createRandom(seed, id),
    full,
    size: (quick, whole) => (full ? whole : quick),
    note: (step) => tell({ type: 'note', step }),
    onEnd: (cleanUp) => void cleanUps.push(cleanUp),
    spawn: (command, args, options = {}) => tracked(spawn(command, args, options), options.detached === true),
    fork: (module, args, options = {}) => tracked(fork(module, args, options), options.detached === true),
    async startEngine(options = {}) {
      const dataDirectory = options.dataDirectory ?? join(folder, 'engine-data');
      const engine = await startEngine({ ...options, dataDirectory }, (module) => context.fork(module, []));
      context.onEnd(engine.stop);
      return engine;
    },
    async startProxy(options) {
      const proxy = await startFaultProxy(options);
      context.onEnd(proxy.stop);
      return proxy;
    },
  };

  return {
    context,
    async cleanUp() {
      const failures: unknown[] = [];
      for (const cleanUp of cleanUps.reverse()) {
        try {
          await cleanUp();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
