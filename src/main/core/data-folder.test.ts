import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepPrivate } from './data-folder.ts';

let folder: string;
const modeOf = (path: string) => statSync(path).mode & 0o1777;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'timbre-data-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it.each([0o000, 0o022, 0o077])('a new data folder is private with the umask %i, before anything is in it', (mask) => {
  const before = process.umask(mask);
  try {
    const path = join(folder, 'a', 'Timbre');
    keepPrivate(path);
    expect(modeOf(path)).toBe(0o700);
  } finally {
    process.umask(before);
  }
});

it.each([0o755, 0o777, 0o750])('one of mode %i that an older Timbre made becomes private', (mode) => {
  const path = join(folder, 'Timbre');
  mkdirSync(path);
  chmodSync(path, mode);
  keepPrivate(path);
  expect(modeOf(path)).toBe(0o700);
});

it('a folder that others share on purpose stays as it is', () => {
  chmodSync(folder, 0o1777);
  keepPrivate(folder);
  expect(modeOf(folder)).toBe(0o1777);
});
