import { mkdir, rename, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemMonotonicClock } from '../clock.ts';
import { hasCaselessDisk, withCaselessDisk } from '../files/caseless-disk.fixture.ts';
import { createChangeDetector } from './change-detector.ts';
import { testRoot, wavBytes, withTestFolder } from './scanner.fixture.ts';
import type { ScannerEvent, WatchedRoot } from './scanner.ts';

function createDetector(root: WatchedRoot, platform: NodeJS.Platform) {
  const events: ScannerEvent[] = [];
  const detector = createChangeDetector({
    ...{ root, platform, clock: systemMonotonicClock },
    gate: { has: () => false, recheckSoon: () => undefined, remove: () => undefined },
    isPresent: () => Promise.resolve(true),
    isLocal: () => true,
    emit: (event) => void events.push(event),
    onFolder: () => undefined,
    onMissingFolders: () => undefined,
    onFound: () => undefined,
    signal: new AbortController().signal,
  });
  return { detector, events };
}

const filesOf = (events: readonly ScannerEvent[]) =>
  events.flatMap((event) => (event.kind === 'discovered' ? event.files : []));

it('A placeholder is checked by every scan, as its download may make no event', () =>
  withTestFolder(async (folder) => {
    const root = await testRoot(join(folder, 'root'));
    const path = join(root.path, 'a.wav');
    const longAgo = new Date('2020-01-01');
    await writeFile(path, '');
    await truncate(path, 4096);
    await utimes(path, longAgo, longAgo);
    // Linux has no placeholders.
    const { detector, events } = createDetector(root, 'darwin');
    await detector.scan('', true);
    await writeFile(path, wavBytes(0.1));
    await utimes(path, longAgo, longAgo);
    await detector.scan('', false);
    expect(filesOf(events)).toMatchObject([{ kind: 'placeholder' }, { kind: 'file' }]);
  }));

it.skipIf(!hasCaselessDisk)(
  'A file or folder that is renamed only in case is gone under its former name (skipped without exFAT)',
  () =>
    withCaselessDisk(async (folder) => {
      const root = await testRoot(join(folder, 'root'));
      await mkdir(join(root.path, 'inside'));
      for (const path of ['one.wav', 'two.wav', 'inside/three.wav'])
        await writeFile(join(root.path, path), wavBytes(0.1));
      const { detector, events } = createDetector(root, process.platform);
      await detector.scan('', true);
      await rename(join(root.path, 'one.wav'), join(root.path, 'ONE.wav'));
      await rename(join(root.path, 'inside'), join(root.path, 'Inside'));
      events.length = 0;
      await detector.scan('', false);
      const [renamed, moved] = ['inside', 'Inside'].map((name) => join(name, 'three.wav'));
      expect(filesOf(events).map(({ path }) => path)).toEqual(expect.arrayContaining(['ONE.wav', moved]));
      expect(events.flatMap((event) => (event.kind === 'deleted' ? event.paths : [])).sort()).toEqual([
        renamed,
        'one.wav',
      ]);
    }),
);
