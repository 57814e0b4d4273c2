// `npm run accept [-- Q1 Q3] [--full] [--seed N] [--keep]`: runs the scenarios of the acceptance tables against the
// real engine. Each ends with `PASS <id> <figures>` or `FAIL <id> <why>`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildBundles } from './build-bundles.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';

if (isStale()) buildBundles();
const frame = spawn(process.execPath, [join(root, 'tests/acceptance/index.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// Forward signals: the frame ends its scenario first. Exiting before it would orphan the scenario.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => frame.kill(signal));
frame.once('close', (code) => (process.exitCode = code ?? 1));
