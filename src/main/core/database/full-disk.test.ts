import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import type { Migration } from './schema.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

const first: Migration = { version: 1, sql: "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept')" };
const second: Migration = { version: 2, sql: 'ALTER TABLE note ADD COLUMN length INTEGER' };

describe.skipIf(!isRoot)('a full disk (needs Linux and root, to mount one)', () => {
  let disk: string;
  let data: string;

  beforeEach(async () => {
    disk = await mkdtemp(join(tmpdir(), 'timbre-full-'));
    data = join(disk, 'data');
    await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
  });
  afterEach(async () => {
    await run('umount', ['-l', disk]);
    await rm(disk, { recursive: true });
  });

  const fill = () => expect(writeFile(join(disk, 'fill'), Buffer.alloc(5 * 1024 ** 2))).rejects.toThrow('ENOSPC');
  const free = () => rm(join(disk, 'fill'));

  it.each([
    ['new data', [first], () => Promise.resolve()],
    ['data', [first], async () => (await openDatabase(data, [first])).close()],
    ['data of an older version', [first, second], async () => (await openDatabase(data, [first])).close()],
  ])('on which %s is opened is told as what it is, and the data opens once it has space', async (_, known, make) => {
    await make();
    await fill();
    await expect(openDatabase(data, known)).rejects.toMatchObject({ code: 'output/disk-full' });
    await free();
    const database = await openDatabase(data, known);
    expect(database.prepare('SELECT text FROM note').all()).toEqual([{ text: 'kept' }]);
    database.close();
  });
});
