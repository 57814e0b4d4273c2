import type { Figures, Scenario } from './scenario.ts';
import { runScenario, type RunOptions } from './run-scenario.ts';

interface Options extends RunOptions {
  readonly scenarios: readonly Scenario[];
  /** One line. */
  write(line: string): void;
  /** Hears of each when it is over. */
  onVerdict?(passed: boolean): void;
}

interface Row {
  readonly scenario: Scenario;
  readonly passed: boolean;
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
  return rows.map(({ scenario: { id, title }, passed, seconds }) =>
    [id.padEnd(width), passed ? 'PASS' : 'FAIL', `${seconds.toFixed(1)} s`.padStart(8), title].join('  '),
  );
}

/** Runs them one after the other, because figures are measured, and answers with the exit code: 1 when any failed. */
export async function runScenarios({ scenarios, write, onVerdict, ...options }: Options): Promise<0 | 1> {
  const { seed, full, keep } = options;
  write(`seed ${seed}${full ? ', full sizes' : ''}`);
  const rows: Row[] = [];
  for (const scenario of scenarios) {
    const verdict = await runScenario(scenario, options);
    const { passed, seconds, folder } = verdict;
    rows.push({ scenario, passed, seconds });
    onVerdict?.(passed);
    if (verdict.passed) {
      write(`PASS ${scenario.id} ${figuresLine(verdict.figures)}`.trimEnd());
      continue;
    }
    if (verdict.stack !== undefined) console.error(verdict.stack);
    write(`FAIL ${scenario.id} ${oneLine(verdict.why)}`);
    if (keep) write(`     its folder is ${folder}`);
    if (options.signal.aborted) break;
  }
  if (rows.length > 1) table(rows).forEach(write);
  const failed = rows.filter(({ passed }) => !passed).length;
  write(`${rows.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}
