import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeLeftovers } from './integrity.ts';

it('removes unfinished copies of killed processes, but not finished ones or those being written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-sweep-'));
  const id = '3b241101-e2bb-4255-8caf-4136c566a962';
  const kept = ['timbre.db', 'timbre.db.before-5', 'timbre.db.damaged-2026-11-21', `timbre.db.before-7.${id}.part`];
  for (const name of [...kept, `timbre.db.before-6.${id}.part`]) await writeFile(join(folder, name), 'x');
  for (const name of ['salvage-old', 'salvage-new']) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'timbre.db'), 'x');
  }
  const now = Date.now();
  const old = now / 1000 - 3600;
  const aged = [
    'timbre.db',
    'timbre.db.before-5',
    `timbre.db.before-6.${id}.part`,
    'salvage-old/timbre.db',
    'salvage-old',
  ];
  for (const name of [...aged, 'salvage-new']) await utimes(join(folder, name), old, old);
  await removeLeftovers(folder, now);
  expect((await readdir(folder)).sort()).toEqual([...kept, 'salvage-new'].sort());
  await rm(folder, { recursive: true });
});
