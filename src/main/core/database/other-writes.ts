import type { DatabaseSync } from 'node:sqlite';
import { type Clock, idlePollMs, sleepToTick } from '../clock.ts';
import { createVersionReader } from './sqlite.ts';
import { isWriteBlocked } from './write-gate.ts';

interface Dependencies {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  onDefect(error: unknown): void;
}

/**
 * Calls `onWrite` about a second after other processes wrote to the database, or ten while nobody sees it, until `signal` aborts;
 * again if it throws.
 */
export function followOtherWrites(
  { database, clock, onDefect }: Dependencies,
  signal: AbortSignal,
  onWrite: () => void,
): void {
  const readVersion = createVersionReader(database);
  let handled = readVersion();

  async function poll(): Promise<void> {
    for (;;) {
      await sleepToTick(clock, idlePollMs(clock), signal);
      try {
        const version = readVersion();
        if (version === handled) continue;
        onWrite();
        handled = version;
      } catch (error) {
        // The disk may only be busy.
        if (!isWriteBlocked(error)) onDefect(error);
      }
    }
  }
  poll().catch((error: unknown) => {
    if (!signal.aborted) onDefect(error);
  });
}
