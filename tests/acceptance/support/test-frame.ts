import { runScenarios } from './run-scenarios.ts';
import { scenariosOf } from '../scenarios.ts';

// The frame in a process of its own, for a test that kills it: runs the scenario that is named and passes its notes on.
await runScenarios({
  scenarios: (await scenariosOf(new URL('./test-scenarios.ts', import.meta.url))).filter(
    ({ id }) => id === process.argv[2],
  ),
  seed: 7,
  full: false,
  keep: false,
  quiet: Promise.resolve(),
  signal: new AbortController().signal,
  write: () => undefined,
  onNote: (step) => process.send?.(step),
});
