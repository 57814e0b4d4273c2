import type { ChildProcess, ForkOptions, SpawnOptions } from 'node:child_process';
import type { FaultProxy, ProxyOptions } from '../../faults/start-fault-proxy.ts';
import type { EngineOptions, EngineProcess } from './start-engine.ts';
import type { Random } from '../../../src/main/core/random.fixture.ts';

/** What a scenario measured, as it is printed. */
export type Figures = Readonly<Record<string, number | string | boolean>>;

/** What a scenario has at hand. Everything that is started through it is gone when the scenario is over, however it ended. */
export interface ScenarioContext {
  /** Fresh and empty; removed afterwards. */
  readonly folder: string;
  /** The same draws for the same seed and scenario. */
  readonly random: Random;
  /** Full sizes were asked for. */
  readonly full: boolean;
  /** The size for this run. */
  size(quick: number, full: number): number;
  /** Where it stands now: what a scenario that hangs is reported with. */
  note(step: string): void;
  /** Runs after the scenario, the last one first; not after a deadline, when all of its processes are killed. */
  onEnd(cleanUp: () => Promise<unknown> | undefined): void;
  spawn(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Runs a module under this Node, with a channel for messages. */
  fork(module: URL, args: readonly string[], options?: ForkOptions): ChildProcess;
  /** The real engine in a process of its own. Default data folder: `engine-data` in the scenario's. */
  startEngine(options?: Partial<EngineOptions>): Promise<EngineProcess>;
  startProxy(options: ProxyOptions): Promise<FaultProxy>;
}

/** One row of the acceptance tables. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Default 300,000: a busy machine has others beside it. */
  readonly deadlineMs?: number;
  /** With `--full`. Default 1,200,000. */
  readonly fullDeadlineMs?: number;
  /** It judges times of the clock, so no other runs beside it. */
  readonly alone?: boolean;
  /** Throws `Failed` when something does not hold. */
  run(context: ScenarioContext): Promise<Figures>;
}

/** Something that must hold does not. The message is what is printed. */
export class Failed extends Error {
  override readonly name = 'Failed';
}

/** Throws `Failed` with `why` unless it holds. */
export function must(holds: boolean, why: string): asserts holds {
  if (!holds) throw new Failed(why);
}
