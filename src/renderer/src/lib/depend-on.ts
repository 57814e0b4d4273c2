import { untrack } from 'svelte';

/** Runs the effect again when one of the values changes that it does not use: the build drops reads without a use, such as `void a.b`. */
export function dependOn(...values: readonly unknown[]): void {
  untrack(() => values.length);
}
