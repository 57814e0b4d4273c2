import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { moveToTrash, userTrash } from './trash.mts';

const place = mkdtempSync(join(tmpdir(), 'host-trash-'));
const directory = join(place, 'Trash');
const deps = { directory, now: () => new Date(2026, 10, 20, 19, 24, 9) };
afterAll(() => rmSync(place, { recursive: true }));

test('a file is moved to files, and its origin is recorded in info', async () => {
  const path = join(place, 'a b%.wav');
  writeFileSync(path, 'sound');
  await moveToTrash(path, deps);
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(join(directory, 'files/a b%.wav'), 'utf8')).toBe('sound');
  expect(readFileSync(join(directory, 'info/a b%.wav.trashinfo'), 'utf8')).toBe(
    `[Trash Info]\nPath=${place}/a%20b%25.wav\nDeletionDate=2026-11-20T19:24:09\n`,
  );
});

test('a second item of the same name keeps the first, and folders are moved as a whole', async () => {
  for (const content of ['first', 'second']) {
    const path = join(place, 'take');
    mkdirSync(path);
    writeFileSync(join(path, 'sound'), content);
    await moveToTrash(path, deps);
  }
  expect(readFileSync(join(directory, 'files/take/sound'), 'utf8')).toBe('first');
  expect(readFileSync(join(directory, 'files/take.2/sound'), 'utf8')).toBe('second');
});

test('a link is moved, and its target remains', async () => {
  const target = join(place, 'target');
  writeFileSync(target, 'kept');
  symlinkSync(target, join(place, 'link'));
  await moveToTrash(join(place, 'link'), deps);
  expect([existsSync(target), existsSync(join(place, 'link'))]).toEqual([true, false]);
});

test('a missing file throws, and leaves nothing in the trash', async () => {
  await expect(moveToTrash(join(place, 'nothing'), deps)).rejects.toThrow('Failed to move item to trash');
  expect(existsSync(join(directory, 'info/nothing.trashinfo'))).toBe(false);
});

test('the user’s trash is in XDG_DATA_HOME', () => {
  expect(userTrash({ XDG_DATA_HOME: '/data' })).toBe('/data/Trash');
});
