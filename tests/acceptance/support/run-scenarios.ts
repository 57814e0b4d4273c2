import type { Figures } from './scenario.ts';
import type { ListedScenario } from '../scenarios.ts';
import { runScenario, type RunOptions } from './run-scenario.ts';

interface Options extends RunOptions {
  readonly scenarios: readonly ListedScenario[];
  /** One line. */
  write(line: string): void;
  /** Scenarios that judge a clock begin when it resolves. */
  readonly quiet: Promise<void>;
  /** Hears of each when it is over. */
  onVerdict?(outcome: Outcome, scenario: ListedScenario): void;
}

/** Skipped: what it needs is not on this machine, as its figure `skipped` says. */
export type Outcome = 'passed' | 'failed' | 'skipped';

const words: Readonly<Record<Outcome, string>> = { passed: 'PASS', failed: 'FAIL', skipped: 'SKIP' };

interface Row {
  readonly scenario: ListedScenario;
  readonly outcome: Outcome;
  readonly seconds: number;
}

const show = (value: Figures[string]): string =>
  typeof value === 'number' && !Number.isInteger(value) ? String(Number(value.toPrecision(4))) : String(value);

const figuresLine = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name}=${show(value)}`)
    .join(' ');

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function table(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(({ scenario }) => scenario.id.length));
  return rows.map(({ scenario: { id, title }, outcome, seconds }) =>
    [id.padEnd(width), words[outcome], `${seconds.toFixed(1)} s`.padStart(8), title].join('  '),
  );
}

/** Beside the unit tests or the end-to-end specs, as many as two cores can keep up with. */
const atOnce = 2;
/** Those that judge a clock leave the processor alone for most of their time. */
const aloneAtOnce = 2;

/**
 * Runs all of them side by side and returns the exit code: 1 if any failed. Those that judge a clock come last, two at a time; in
 * full sizes each runs alone.
 */
export async function runScenarios({ scenarios, write, quiet, onVerdict, ...options }: Options): Promise<0 | 1> {
  const { seed, full, keep, signal } = options;
  write(`seed ${seed}${full ? ', full sizes' : ''}`);
  const rows = new Map<ListedScenario, Row>();

  async function run(scenario: ListedScenario): Promise<void> {
    const verdict = await runScenario(scenario, options);
    const { seconds, folder } = verdict;
    const skipped = verdict.passed && 'skipped' in verdict.figures;
    const outcome = skipped ? 'skipped' : verdict.passed ? 'passed' : 'failed';
    rows.set(scenario, { scenario, outcome, seconds });
    onVerdict?.(outcome, scenario);
    if (verdict.passed) {
      write(`${words[outcome]} ${scenario.id} ${figuresLine(verdict.figures)}`.trimEnd());
      return;
    }
    if (verdict.stack !== undefined) console.error(verdict.stack);
    write(`FAIL ${scenario.id} ${oneLine(verdict.why)}`);
    if (keep) write(`     its folder is ${folder}`);
  }

  async function work(left: ListedScenario[]): Promise<void> {
    for (let next = left.shift(); next && !signal.aborted; next = left.shift()) await run(next);
  }

  const mustWait = ({ alone = false }: ListedScenario) => full || alone;
  const together = scenarios.filter((one) => !mustWait(one));
  await Promise.all(Array.from({ length: atOnce }, () => work(together)));
  const alone = scenarios.filter(mustWait);
  await quiet;
  await Promise.all(Array.from({ length: full ? 1 : aloneAtOnce }, () => work(alone)));

  const ran = scenarios.flatMap((scenario) => rows.get(scenario) ?? []);
  if (ran.length > 1) table(ran).forEach(write);
  const count = (wanted: Outcome) => ran.filter(({ outcome }) => outcome === wanted).length;
  const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
  write(`${count('passed')} passed, ${count('failed')} failed${skipped}`);
  return count('failed') > 0 ? 1 : 0;
}
