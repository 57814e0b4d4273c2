import type { Details } from 'electron';

/** What we send to our own processes is SIGTERM; the system that has no memory left sends this. */
const sigkill = 9;

/** The line in the log about a child process that is gone; undefined if it ended in order, by itself or by us. */
export function describeEnd({ type, reason, name, exitCode }: Details): string | undefined {
  const isOurEnd = reason === 'clean-exit' || (reason === 'killed' && type === 'Utility' && exitCode !== sigkill);
  return isOurEnd ? undefined : `${name ?? type} ended: ${reason} (${exitCode})`;
}
