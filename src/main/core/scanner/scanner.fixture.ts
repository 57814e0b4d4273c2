import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalScanner } from './local-scanner.ts';
import type { Scanner, ScannerEvent, WatchedRoot } from './scanner.ts';
import { placeMarker } from './root-identity.ts';

/** A finished WAV: 16 bits, one channel, 8000 Hz. `fill` varies its content. */
export function wavBytes(seconds: number, fill = 1): Buffer {
  const data = Buffer.alloc(Math.round(seconds * 8000) * 2, fill);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** A WAV as a recorder writes it while it records: both sizes are open. */
export function openWavBytes(seconds: number): Buffer {
  const bytes = wavBytes(seconds);
  bytes.writeUInt32LE(0xff_ff_ff_ff, 4);
  bytes.writeUInt32LE(0xff_ff_ff_ff, 40);
  return bytes;
}

/** Runs with a temporary folder. */
export async function withTestFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-scanner-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type EventOf<K extends ScannerEvent['kind']> = Extract<ScannerEvent, { readonly kind: K }>;

/** Records the events of a scanner. */
export interface EventLog {
  readonly events: readonly ScannerEvent[];
  /** Resolves with the first recorded or future event that matches. */
  waitFor<K extends ScannerEvent['kind']>(kind: K, matches?: (event: EventOf<K>) => boolean): Promise<EventOf<K>>;
  of<K extends ScannerEvent['kind']>(kind: K): readonly EventOf<K>[];
  clear(): void;
}

export function logEvents(scanner: Scanner): EventLog {
  let events: ScannerEvent[] = [];
  const waiting = new Set<() => void>();
  scanner.onEvent((event) => {
    events.push(event);
    for (const check of [...waiting]) check();
  });
  const of = <K extends ScannerEvent['kind']>(kind: K) =>
    events.filter((event): event is EventOf<K> => event.kind === kind);
  return {
    get events() {
      return events;
    },
    of,
    clear: () => void (events = []),
    waitFor: (kind, matches = () => true) =>
      new Promise((resolve) => {
        const check = () => {
          const found = of(kind).find(matches);
          if (!found) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}

/** Creates a root with its marker. */
export async function testRoot(path: string, changes: Partial<WatchedRoot> = {}): Promise<WatchedRoot> {
  await mkdir(path, { recursive: true });
  return {
    id: 'root',
    path,
    identity: await placeMarker(path),
    isRecursive: true,
    endings: ['.wav'],
    excluded: [],
    isExclusive: true,
    ...changes,
  };
}

/** Adds every discovered file to the gate. */
export function awaitAllStable(scanner: Scanner): void {
  scanner.onEvent((event) => {
    if (event.kind !== 'discovered') return;
    const paths = event.files.filter(({ kind }) => kind === 'file').map(({ path }) => path);
    scanner.awaitStable(event.id, paths);
  });
}

/** Runs with a scanner and the path of a root to be created in the temporary `folder`. */
export const withScanner = <T>(
  use: (given: {
    readonly scanner: Scanner;
    readonly log: EventLog;
    readonly folder: string;
    readonly root: string;
  }) => Promise<T>,
): Promise<T> =>
  withTestFolder(async (folder) => {
    const scanner = createLocalScanner();
    try {
      return await use({ scanner, log: logEvents(scanner), folder, root: join(folder, 'root') });
    } finally {
      await scanner.stop();
    }
  });
