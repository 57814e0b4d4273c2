// `npm test`: unit and static tests, the acceptance scenarios in their short form, then the end-to-end specs on the bundles. Ends with one line that counts them all.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundles } from './build-bundles.mts';
import { findHost } from './find-host.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const results = join(root, 'test-results');
const host = findHost();

/** Runs one runner and reads its report. No report means that the runner itself broke: one failure. */
function run(script: string, args: readonly string[], report: string, read: (json: unknown) => Counts): Counts {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TIMBRE_ELECTRON: host.executable },
  });
  try {
    const counts = read(JSON.parse(readFileSync(join(results, report), 'utf8')));
    return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function vitestCounts(json: unknown): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = json as Record<string, number>;
  return {
    passed: numPassedTests ?? 0,
    failed: numFailedTests ?? 0,
    skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0),
  };
}

const acceptCounts = (json: unknown): Counts => ({ skipped: 0, ...(json as Omit<Counts, 'skipped'>) });

function playwrightCounts(json: unknown): Counts {
  const { stats } = json as { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
if (isStale()) buildBundles();

const unit = run(
  'node_modules/vitest/vitest.mjs',
  ['run', '--reporter=default', '--reporter=json', '--outputFile.json=test-results/unit.json'],
  'unit.json',
  vitestCounts,
);
// They know processes by /proc and break calls with strace.
const accept =
  process.platform === 'linux'
    ? run('tests/accept/index.ts', ['--report', join(results, 'accept.json')], 'accept.json', acceptCounts)
    : { passed: 0, failed: 0, skipped: 1 };
const e2e = run('node_modules/playwright/cli.js', ['test'], 'e2e.json', playwrightCounts);

const total = (key: keyof Counts) => unit[key] + accept[key] + e2e[key];
const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
console.log(`${total('passed')} passed, ${total('failed')} failed${skipped}`);
process.exitCode = total('failed') > 0 ? 1 : 0;
