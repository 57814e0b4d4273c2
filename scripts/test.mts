// `npm test`: unit and static tests, then the end-to-end specs on the bundles. The acceptance scenarios run beside both in their
// short form; those that judge a clock come last. Leaves no file and no process behind; one that a test left counts as a failure.
// Ends with one line that counts them all.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildBundles } from './build-bundles.mts';
import { findHost } from './find-host.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';
import { createRunFolder } from './run-folder.mts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const results = join(root, 'test-results');
const host = findHost();

// Printed last, so that the end of a long log says what to look for in it.
const failedNames: string[] = [];
const skippedNames: string[] = [];
const temporary = createRunFolder();
process.once('exit', remove);
const running = new Set<ChildProcess>();
let signalled: NodeJS.Signals | undefined;

/**
 * Runs one runner and reads its report. No report means that the runner itself broke: one failure. With `quiet` it runs beside
 * another: it is told when that has ended, and its output is printed last.
 */
async function run(
  script: string,
  args: readonly string[],
  report: string,
  read: (json: unknown) => Counts,
  quiet?: Promise<unknown>,
): Promise<Counts> {
  if (signalled) return { passed: 0, failed: 1, skipped: 0 };
  const begunMs = performance.now();
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: quiet ? ['inherit', 'pipe', 'pipe', 'ipc'] : 'inherit',
    env: { ...temporary.env, TIMBRE_ELECTRON: host.executable },
  });
  running.add(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => void output.push(chunk));
  void quiet?.then(() => child.connected && child.send('quiet'));
  const [status] = await closed;
  running.delete(child);
  process.stdout.write(Buffer.concat(output));
  console.log(`${script} took ${Math.round((performance.now() - begunMs) / 1000)} s`);
  try {
    const counts = read(JSON.parse(readFileSync(join(results, report), 'utf8')));
    return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** False if something in the temporary folder cannot be removed, such as a disk that a test has left mounted. */
function remove(): boolean {
  try {
    temporary.remove();
    return true;
  } catch (error) {
    console.error(`The temporary folder cannot be removed: ${String(error)}`);
    return false;
  }
}

/** What killed programs start may need a moment to follow them. */
const followMs = 10_000;

/** Ends and removes what the tests left; each kind of it is a failure, and is named. */
async function cleanUp(): Promise<Counts> {
  let left = temporary.leftProcesses();
  for (const untilMs = performance.now() + followMs; left.length > 0 && performance.now() < untilMs;) {
    await sleep(100);
    left = temporary.leftProcesses();
  }
  for (const { pid, command } of left) {
    console.error(`A test left a program running: ${pid} ${command}`);
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended since.
    }
  }
  const folders = temporary.leftFolders();
  if (folders.length > 0) console.error(`Tests left in the temporary folder: ${folders.join(', ')}`);
  return { passed: 0, failed: Number(left.length > 0) + Number(folders.length > 0) + Number(!remove()), skipped: 0 };
}

interface VitestReport {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numPendingTests?: number;
  readonly numTodoTests?: number;
  readonly testResults?: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function vitestCounts(json: unknown): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = json as VitestReport;
  for (const { fullName, status } of (testResults ?? []).flatMap(({ assertionResults }) => assertionResults)) {
    if (status === 'failed') failedNames.push(fullName);
    else if (status !== 'passed') skippedNames.push(fullName);
  }
  return {
    passed: numPassedTests ?? 0,
    failed: numFailedTests ?? 0,
    skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0),
  };
}

function acceptCounts(json: unknown): Counts {
  const {
    failedNames: failed,
    skippedNames: skipped,
    ...counts
  } = json as Counts & {
    readonly failedNames: readonly string[];
    readonly skippedNames: readonly string[];
  };
  failedNames.push(...failed);
  skippedNames.push(...skipped);
  return counts;
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly { readonly title: string; readonly tests: readonly { readonly status: string }[] }[];
}

/** The titles of the specs of which some test ended so. */
const specsThat = (ended: readonly string[], { suites = [], specs = [] }: Suite): readonly string[] => [
  ...specs.filter(({ tests }) => tests.some(({ status }) => ended.includes(status))).map(({ title }) => title),
  ...suites.flatMap((inner) => specsThat(ended, inner)),
];

function playwrightCounts(json: unknown): Counts {
  const { stats, ...suite } = json as Suite & {
    readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>;
  };
  failedNames.push(...specsThat(['unexpected', 'flaky'], suite));
  skippedNames.push(...specsThat(['skipped'], suite));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    signalled = signal;
    for (const child of running) child.kill(signal);
  });
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
if (isStale()) buildBundles();

const unitRun = run(
  'node_modules/vitest/vitest.mjs',
  ['run', '--reporter=default', '--reporter=json', '--outputFile.json=test-results/unit.json'],
  'unit.json',
  vitestCounts,
);
// Not beside the unit tests: on one display their windows would take the focus from each other.
const e2eRun = unitRun.then(() => run('node_modules/playwright/cli.js', ['test'], 'e2e.json', playwrightCounts));
// They know processes by /proc and break calls with strace.
const acceptRun =
  process.platform === 'linux'
    ? run('tests/acceptance/index.ts', ['--report', join(results, 'accept.json')], 'accept.json', acceptCounts, e2eRun)
    : { passed: 0, failed: 0, skipped: 1 };
if (process.platform !== 'linux') skippedNames.push('the acceptance rows, which need Linux');
const [unit, e2e, accept] = await Promise.all([unitRun, e2eRun, acceptRun]);

const left = await cleanUp();

const total = (key: keyof Counts) => unit[key] + accept[key] + e2e[key] + left[key];
for (const name of failedNames) console.log(`failed: ${name}`);
for (const name of skippedNames) console.log(`skipped: ${name}`);
const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
console.log(`${total('passed')} passed, ${total('failed')} failed${skipped}`);
const code = total('failed') > 0 ? 1 : 0;
process.exitCode = signalled ? 128 + constants.signals[signalled] : code;
