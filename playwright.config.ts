import { defineConfig } from 'playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  workers: 3,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // Two windows would take the focus from each other; commands have none.
  projects: [
    { name: 'windows', testIgnore: 'command-line*', workers: 1 },
    { name: 'commands', testMatch: 'command-line*', workers: 2 },
  ],
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
});
