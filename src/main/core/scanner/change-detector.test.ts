import { truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemMonotonicClock } from '../clock.ts';
import { createChangeDetector } from './change-detector.ts';
import { testRoot, wavBytes, withTestFolder } from './scanner.fixture.ts';
import type { DiscoveredFile } from './scanner.ts';

it('A placeholder is checked by every scan, as its download may make no event', () =>
  withTestFolder(async (folder) => {
    const root = await testRoot(join(folder, 'root'));
    const path = join(root.path, 'a.wav');
    const longAgo = new Date('2020-01-01');
    await writeFile(path, '');
    await truncate(path, 4096);
    await utimes(path, longAgo, longAgo);
    const found: DiscoveredFile['kind'][] = [];
    const detector = createChangeDetector({
      root,
      // Linux has no placeholders.
      platform: 'darwin',
      clock: systemMonotonicClock,
      gate: { has: () => false, recheckSoon: () => undefined, remove: () => undefined },
      isPresent: () => Promise.resolve(true),
      isLocal: () => true,
      emit(event) {
        if (event.kind === 'discovered') found.push(...event.files.map(({ kind }) => kind));
      },
      onFolder: () => undefined,
      onMissingFolders: () => undefined,
      onFound: () => undefined,
      signal: new AbortController().signal,
    });
    await detector.scan('', true);
    await writeFile(path, wavBytes(0.1));
    await utimes(path, longAgo, longAgo);
    await detector.scan('', false);
    expect(found).toEqual(['placeholder', 'file']);
  }));
