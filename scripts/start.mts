// Opens the app: builds it if a source is newer, selects the host, and prints which.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { buildBundles } from './build-bundles.mts';
import { findHost } from './find-host.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';
import { startDisplay, type Display } from './start-display.mts';

const names = { electron: 'Electron', chromium: 'a system Chromium' };

if (isStale()) buildBundles();
const host = findHost();
console.error(`Timbre runs on ${names[host.kind]}: ${host.why}.`);

const hasDisplay = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
let display: Display | undefined;
if (!hasDisplay) {
  try {
    display = await startDisplay();
    console.error(`There is no display here, so the window opens under Xvfb on ${display.name}, where nobody sees it.`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

const app = spawn(host.executable, [root, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, ...(display && { DISPLAY: display.name }) },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.kill(signal));
app.once('error', (error) => {
  console.error(`${host.executable} cannot be started: ${error.message}`);
  display?.stop();
  process.exitCode = 1;
});
app.once('exit', (code, signal) => {
  display?.stop();
  process.exitCode = code ?? (signal ? 128 + constants.signals[signal] : 1);
});
