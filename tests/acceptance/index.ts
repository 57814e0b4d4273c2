import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { chooseScenarios, type Choice } from './support/choose-scenarios.ts';
import { runScenarios } from './support/run-scenarios.ts';
import { allScenarios } from './scenarios.ts';

async function choose(): Promise<Choice> {
  try {
    return chooseScenarios(process.argv.slice(2), await allScenarios());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

const { seed, report, ...choice } = await choose();
const counts = { passed: 0, failed: 0, skipped: 0 };
const passedNames: string[] = [];
const failedNames: string[] = [];
const skippedNames: string[] = [];
const stopping = new AbortController();
// A scenario has a session of its own: Ctrl-C does not reach it from the terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
// Started by the tests, which say when nothing else runs any more.
const quiet = process.send ? once(process, 'message').then(() => process.disconnect()) : Promise.resolve();
process.exitCode = await runScenarios({
  ...choice,
  seed: seed ?? randomInt(2 ** 32 - 1),
  signal: stopping.signal,
  quiet,
  write: (line) => console.log(line),
  onVerdict(outcome, { id, title }) {
    counts[outcome] += 1;
    if (outcome === 'passed') passedNames.push(`${id} ${title}`);
    if (outcome === 'failed') failedNames.push(`${id} ${title}`);
    if (outcome === 'skipped') skippedNames.push(`${id} ${title}`);
  },
  // For the terminal only; the report contains verdicts.
  onNote: (step, id) => process.stderr.isTTY && process.stderr.write(`     ${id}: ${step}\n`),
});
if (report !== null) writeFileSync(report, JSON.stringify({ ...counts, passedNames, failedNames, skippedNames }));
