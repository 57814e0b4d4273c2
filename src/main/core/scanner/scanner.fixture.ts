import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalScanner } from './local-scanner.ts';
import type { Scanner, ScannerEvent, WatchedRoot } from './scanner.ts';
import { placeMarker } from './root-identity.ts';

/** A closed WAV: 16 bits, one channel, 8000 Hz. `fill` makes its sound another one. */
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

/** As a recorder leaves it that is still at work: both sizes are open. */
export function openWavBytes(seconds: number): Buffer {
  const bytes = wavBytes(seconds);
  bytes.writeUInt32LE(0xff_ff_ff_ff, 4);
  bytes.writeUInt32LE(0xff_ff_ff_ff, 40);
  return bytes;
}

/** A folder of its own for the time of a test. */
export async function withTestFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-eyes-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export type NewsOf<K extends ScannerEvent['kind']> = Extract<ScannerEvent, { readonly kind: K }>;

/** What eyes tell, kept, and waited for. */
export interface NewsLog {
  readonly news: readonly ScannerEvent[];
  /** Resolves with the first news, old or new, that fits. */
  waitFor<K extends ScannerEvent['kind']>(kind: K, fits?: (news: NewsOf<K>) => boolean): Promise<NewsOf<K>>;
  of<K extends ScannerEvent['kind']>(kind: K): readonly NewsOf<K>[];
  /** Forgets what was told until now. */
  clear(): void;
}

export function logNews(eyes: Scanner): NewsLog {
  let news: ScannerEvent[] = [];
  const waiting = new Set<() => void>();
  eyes.onEvent((told) => {
    news.push(told);
    for (const look of [...waiting]) look();
  });
  const of = <K extends ScannerEvent['kind']>(kind: K) => news.filter((one): one is NewsOf<K> => one.kind === kind);
  return {
    get news() {
      return news;
    },
    of,
    clear: () => void (news = []),
    waitFor: (kind, fits = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = of(kind).find(fits);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** A root with its marker. */
export async function testRoot(path: string, changes: Partial<WatchedRoot> = {}): Promise<WatchedRoot> {
  await mkdir(path, { recursive: true });
  return {
    id: 'root',
    path,
    identity: await placeMarker(path),
    isRecursive: true,
    endings: ['.wav'],
    excluded: [],
    ...changes,
  };
}

/** Every file that is seen is sent to the gate, as an owner would that wants all of them. */
export function considerAll(eyes: Scanner): void {
  eyes.onEvent((news) => {
    if (news.kind !== 'discovered') return;
    const paths = news.files.filter(({ kind }) => kind === 'file').map(({ path }) => path);
    eyes.awaitStable(news.id, paths);
  });
}

/** Runs with eyes on a new folder `root`, beside which there is room for others. */
export const withEyes = <T>(
  use: (given: {
    readonly eyes: Scanner;
    readonly log: NewsLog;
    readonly folder: string;
    readonly root: string;
  }) => Promise<T>,
): Promise<T> =>
  withTestFolder(async (folder) => {
    const eyes = createLocalScanner();
    try {
      return await use({ eyes, log: logNews(eyes), folder, root: join(folder, 'root') });
    } finally {
      await eyes.stop();
    }
  });
