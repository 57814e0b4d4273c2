import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumPath } from './scripts/chromium-path.mts';
import { compileMessages } from './scripts/compile-messages.mts';

compileMessages();
// As the programs do, before a process of tests starts: a disk that hangs holds threads.
process.env['UV_THREADPOOL_SIZE'] ??= '32';

const hasDisplay = Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);

export default defineConfig({
  plugins: [svelte()],
  test: {
    // Real Chromium, real sound and two cores: a test may wait for a machine that is busy, never for a guess.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'files',
          include: [
            '{src,scripts,build}/**/*.test.{ts,mts}',
            'tests/{static,faults,acceptance,conformance,keyring}/**/*.test.ts',
          ],
          exclude: ['node_modules/**', 'scripts/screens/**', '**/*.component.test.ts'],
          // Most wait for files and processes.
          maxWorkers: 3,
          // One process runs many files, which load each module once: a process per file takes half as much processor time again.
          isolate: false,
          setupFiles: ['tests/restore-timers.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // Found before the first test: a dependency that is found later reloads the page.
        optimizeDeps: { entries: ['src/renderer/src/**/*.{svelte,component.test.ts}'] },
        test: {
          name: 'components',
          include: ['src/renderer/**/*.component.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: chromiumPath(),
                args: ['--no-sandbox'],
                ignoreDefaultArgs: ['--hide-scrollbars'],
              },
            }),
            instances: [{ browser: 'chromium', viewport: { width: 1000, height: 700 } }],
          },
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // Real windows, when all else is done. On one display they would take the focus from each other.
        test: {
          name: 'windows',
          include: ['{host,scripts/screens}/**/*.test.mts'],
          maxWorkers: hasDisplay ? 1 : 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
