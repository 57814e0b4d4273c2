import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  test: {
    include: [
      '{src,host,scripts,build}/**/*.test.{ts,mts}',
      'tests/{static,faults,accept,conformance,keyring}/**/*.test.ts',
    ],
    // Most wait for files and processes: no core has to be left free.
    maxWorkers: '100%',
    // Real Chromium, real sound and two cores: a test may wait for a machine that is busy, never for a guess.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
