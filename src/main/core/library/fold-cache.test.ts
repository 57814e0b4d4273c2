import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bytesPerColumn, foldColumns, type Fold } from '../../../sound/fold-columns.ts';
import { createFoldCache } from './fold-cache.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-folds-'));
});
afterEach(() => rm(folder, { recursive: true }));

const foldOf = (value: number): Fold => ({
  columns: new Uint8Array(foldColumns * bytesPerColumn).fill(value),
  durationSeconds: value,
  levelDb: value === 0 ? null : -value,
});

it('a drawing is there again after a restart, bytes and all', () => {
  const cache = createFoldCache({ folder });
  cache.put('a', foldOf(7));
  cache.put('silence', foldOf(0));
  cache.stop();
  const next = createFoldCache({ folder });
  expect(next.get('a')).toEqual(foldOf(7));
  expect(next.get('silence')).toEqual(foldOf(0));
  expect(next.get('b')).toBeUndefined();
  next.stop();
});

it('keeps so many, and lets go first of what nobody saw for longest', () => {
  const cache = createFoldCache({ folder, most: 150 });
  for (let k = 1; k < 200; k += 1) {
    cache.put(`fold ${k}`, foldOf(k));
    expect(cache.get('fold 1')).toEqual(foldOf(1));
  }
  cache.put('fold 200', foldOf(200));
  const kept = Array.from({ length: 200 }, (_, k) => `fold ${k + 1}`).filter((name) => cache.get(name));
  expect(kept).toHaveLength(150);
  expect(kept).toContain('fold 1');
  expect(kept).not.toContain('fold 2');
  expect(kept).toContain('fold 200');
  cache.stop();
});

it('a file that is no cache is replaced, and a folder that takes none costs only the cache', async () => {
  await writeFile(join(folder, 'folds.db'), 'this is no database at all, whatever its name may say');
  const cache = createFoldCache({ folder });
  cache.put('a', foldOf(1));
  expect(cache.get('a')).toEqual(foldOf(1));
  cache.stop();
  const nowhere = createFoldCache({ folder: join(folder, 'folds.db', 'inside') });
  nowhere.put('a', foldOf(1));
  expect(nowhere.get('a')).toBeUndefined();
  nowhere.stop();
});
