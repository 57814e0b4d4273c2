import { defineConfig } from 'playwright/test';
import { headlessShell } from './scripts/chromium-path.mts';

const hasDisplay = Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
// The programs under test inherit it.
if (!hasDisplay && headlessShell) process.env['HOST_CHROMIUM'] ??= headlessShell;

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  workers: 3,
  timeout: 300_000,
  expect: { timeout: 120_000 },
  forbidOnly: true,
  // Two windows on one display would take the focus from each other; commands have none.
  projects: [
    { name: 'windows', testIgnore: 'command-line*', workers: hasDisplay ? 1 : 3 },
    { name: 'commands', testMatch: 'command-line*', workers: 3 },
    // A package that is installed: .github/workflows/packages.yml.
    ...(process.env['TIMBRE_PROGRAM'] ? [{ name: 'installed', testDir: 'tests/installed', workers: 1 }] : []),
  ],
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
});
