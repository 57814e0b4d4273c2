import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTextSync } from './files/content.ts';

/** A start that did not come to rest ended by a crash, or by a power failure. So many in a row are no coincidence. */
export const maxFailedStarts = 3;

export interface StartRecord {
  /** How many starts before this one failed, without one in between that did not. */
  readonly failed: number;
  /** This start has come to rest, or ended in order. */
  settle(): void;
}

/** Counts a start of the app in its data folder as failed, until it is settled. A file that cannot be written counts none. */
export function recordStart(folder: string): StartRecord {
  const path = join(folder, 'starts.json');
  function write(failed: number): void {
    try {
      writeFileSync(path, JSON.stringify({ failed }), { mode: 0o600 });
    } catch {
      // What else needs the folder reports it.
    }
  }
  function read(): number {
    try {
      const { failed } = JSON.parse(readTextSync(path)) as { readonly failed?: unknown };
      return Number.isSafeInteger(failed) && Number(failed) > 0 ? Number(failed) : 0;
    } catch {
      return 0;
    }
  }
  const failed = read();
  write(failed + 1);
  return { failed, settle: () => write(0) };
}
