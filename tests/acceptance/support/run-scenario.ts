import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killFamily, leaderOf } from './processes.ts';
import type { Figures, Scenario } from './scenario.ts';
import type { ListedScenario } from '../scenarios.ts';
import type { ScenarioMessage, ScenarioOrder } from './scenario-messages.ts';

export type Verdict =
  | { readonly passed: true; readonly figures: Figures }
  | { readonly passed: false; readonly why: string; readonly stack?: string };

export interface RunOptions {
  readonly seed: number;
  readonly full: boolean;
  /** Leaves the folder of a scenario that failed. */
  readonly keep: boolean;
  /** Ends the scenario as its deadline does. */
  readonly signal: AbortSignal;
  /** Hears of each step that the scenario notes. */
  readonly onNote?: (step: string, id: string) => void;
}

const entry = new URL('./scenario-process.ts', import.meta.url);
const usualDeadlineMs = { quick: 900_000, full: 1_200_000 };

const deadlineOf = ({ deadlineMs, fullDeadlineMs }: Scenario, full: boolean): number =>
  full ? (fullDeadlineMs ?? usualDeadlineMs.full) : (deadlineMs ?? usualDeadlineMs.quick);

const isLast = (message: ScenarioMessage) => message.type === 'passed' || message.type === 'failed';

/** Runs one scenario in a process and a session of its own, and resolves when nothing of it is left but its verdict. */
export async function runScenario(
  scenario: ListedScenario,
  { seed, full, keep, signal, onNote }: RunOptions,
): Promise<Verdict & { readonly folder: string; readonly seconds: number }> {
  const { id, module } = scenario;
  const folder = await mkdtemp(join(tmpdir(), `timbre-accept-${id}-`));
  const deadlineMs = deadlineOf(scenario, full);
  const startedMs = performance.now();
  // Its stdout would stand between the verdicts.
  const child = fork(entry, [], { detached: true, execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
  const own = child.pid === undefined ? null : leaderOf(child.pid);
  const leaders = own ? [own] : [];
  const order: ScenarioOrder = { module: module.href, id, folder, seed, full };
  let step = '';
  let deadline: NodeJS.Timeout | undefined;

  const verdict = await new Promise<Verdict>((resolve) => {
    const fail = (why: string, stack?: string) => {
      const where = step === '' ? '' : `; last: ${step}`;
      resolve({ passed: false, why: why + where, ...(stack !== undefined && { stack }) });
    };
    child.on('message', (message: ScenarioMessage) => {
      if (message.type === 'note') {
        ({ step } = message);
        onNote?.(step, id);
      }
      if (message.type === 'leader') leaders.push(message.leader);
      if (message.type === 'passed') resolve({ passed: true, figures: message.figures });
      if (message.type === 'failed') fail(message.why, message.stack);
      if (isLast(message)) clearTimeout(deadline);
    });
    // What it said last may arrive after its end; only the end of the channel is behind it.
    const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    void ended.then(([[code, killer]]) =>
      fail(`its process ended by itself (${String(killer ?? `exit ${String(code)}`)})`),
    );
    child.once('error', (error) => fail(`its process did not start: ${error.message}`));
    deadline = setTimeout(() => fail(`not over after ${deadlineMs / 1000} s`), deadlineMs);
    signal.addEventListener('abort', () => fail('was ended from outside'));
    if (signal.aborted) fail('was ended from outside');
    else child.send(order, () => undefined);
  });

  clearTimeout(deadline);
  const seconds = (performance.now() - startedMs) / 1000;
  await killFamily(leaders);
  if (verdict.passed || !keep) await rm(folder, { recursive: true, force: true });
  return { ...verdict, folder, seconds };
}
