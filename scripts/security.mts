// `npm run security`: runs the tests of each security promise, and prints one line for each: PASS, SKIP or FAIL, with the tests that
// were skipped or failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildBundles } from './build-bundles.mts';
import { findHost } from './find-host.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';
import { promises, type TestCase } from './security-promises.mts';

type Outcome = 'passed' | 'skipped' | 'failed';

interface Result {
  readonly file: string;
  readonly name: string;
  readonly outcome: Outcome;
}

const folder = mkdtempSync(join(tmpdir(), 'timbre-security-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
if (isStale()) buildBundles();
const env = { ...process.env, TIMBRE_ELECTRON: findHost().executable };

/** Runs a script of Node whose report is a JSON file. Its own output goes to stderr: stdout belongs to the list. */
function run(script: string, args: readonly string[], report: string, more: NodeJS.ProcessEnv = {}): unknown {
  spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: { ...env, ...more },
    stdio: ['ignore', 2, 2],
  });
  return JSON.parse(readFileSync(join(folder, report), 'utf8'));
}

const tests = promises.flatMap(({ tests: all }) => all);
const cases = tests.filter((test): test is TestCase => 'file' in test);
const filesWith = (end: string): readonly string[] => [
  ...new Set(cases.map(({ file }) => file).filter((file) => file.endsWith(end))),
];
const rows = [...new Set(tests.flatMap((test) => ('row' in test ? test.row : [])))];

function unitResults(): readonly Result[] {
  const { testResults } = run(
    'node_modules/vitest/vitest.mjs',
    [
      'run',
      '--project',
      'files',
      '--reporter=json',
      `--outputFile=${join(folder, 'unit.json')}`,
      ...filesWith('.test.ts'),
    ],
    'unit.json',
  ) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
    }[];
  };
  return testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      file: relative(root, path),
      name: fullName,
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  );
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly { readonly status: string }[];
  }[];
}

function windowResults(): readonly Result[] {
  const report = run(
    'node_modules/playwright/cli.js',
    ['test', '--project=windows', '--reporter=json', ...filesWith('.spec.ts')],
    'e2e.json',
    { PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, 'e2e.json') },
  ) as Suite;
  const outcomeOf = (status: string | undefined): Outcome =>
    status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed';
  const resultsOf = ({ suites = [], specs = [] }: Suite): readonly Result[] => [
    ...specs.map(({ title, file, tests: [first] }) => ({
      file: join('tests/e2e', file),
      name: title,
      outcome: outcomeOf(first?.status),
    })),
    ...suites.flatMap(resultsOf),
  ];
  return resultsOf(report);
}

/** A row that did not come to its end has failed. */
function rowOutcomes(): ReadonlyMap<string, Outcome> {
  const { passedNames, skippedNames } = run(
    'tests/acceptance/index.ts',
    ['--report', join(folder, 'rows.json'), ...rows],
    'rows.json',
  ) as { readonly passedNames: readonly string[]; readonly skippedNames: readonly string[] };
  const isIn = (names: readonly string[], row: string) => names.some((name) => name.startsWith(`${row} `));
  return new Map(
    rows.map((row) => [row, isIn(passedNames, row) ? 'passed' : isIn(skippedNames, row) ? 'skipped' : 'failed']),
  );
}

const results = [...unitResults(), ...windowResults()];
const outcomes = rowOutcomes();

/** What the tests of this name did; a test that was not found has failed. */
function judge({ file, name }: TestCase): { readonly outcome: Outcome; readonly named: string } {
  const found = results.filter((result) => result.file === file && result.name.includes(name));
  const worst = (['failed', 'skipped'] as const).find((outcome) => found.some((result) => result.outcome === outcome));
  return { outcome: found.length === 0 ? 'failed' : (worst ?? 'passed'), named: `${file}: ${name}` };
}

const words: Readonly<Record<Outcome, string>> = { passed: 'PASS', skipped: 'SKIP', failed: 'FAIL' };
const counts: Record<Outcome, number> = { passed: 0, skipped: 0, failed: 0 };
for (const { id, text, tests: all } of promises) {
  const judged = all.map((test) =>
    'row' in test ? { outcome: outcomes.get(test.row) ?? 'failed', named: test.row } : judge(test),
  );
  const outcome =
    (['failed', 'skipped'] as const).find((one) => judged.some((each) => each.outcome === one)) ?? 'passed';
  counts[outcome] += 1;
  console.log(`${words[outcome]}  ${id}: ${text}`);
  for (const each of judged) if (each.outcome !== 'passed') console.log(`      ${each.outcome}: ${each.named}`);
}
console.log(`${counts.passed} of ${promises.length} promises hold, ${counts.skipped} skipped, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
