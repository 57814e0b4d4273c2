import { untrack } from 'svelte';

/**
 * Runs `act` at once and whenever something that `sources` reads has changed; what `act` reads does not count. Plain reads in an
 * effect would not do: the build removes properties whose value is not used.
 */
export function watch(sources: () => unknown, act: () => void): void {
  $effect(() => {
    sources();
    untrack(act);
  });
}
