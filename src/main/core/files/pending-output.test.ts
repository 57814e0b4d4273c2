import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../../shared/errors.ts';
import { discardTemporary } from './publish.ts';
import { freeBytes } from './folders.ts';
import { openOutput } from './pending-output.ts';
import type { NameReservation } from './publish.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-outputs-'));
});
afterEach(() => rm(folder, { recursive: true }));

const claimIn = (target: string, onReserve: NameReservation['onReserve'] = () => undefined): NameReservation => ({
  pathFor: (attempt) => join(target, attempt === 1 ? 'out.wav' : `out (${attempt}).wav`),
  onReserve,
});
async function written(id: string, text: string, target = folder) {
  await mkdir(target, { recursive: true });
  const output = await openOutput(target, id);
  await output.write(Buffer.from(text));
  const finished = await output.finish();
  return { output, finished };
}
const failure = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error as AppError,
  );
const textIn = (name: string) => readFile(join(folder, name), 'utf8');

it('can be read once it is flushed, and still be written to', async () => {
  const output = await openOutput(folder, 'a');
  await output.write(Buffer.from('half'));
  await output.flush();
  expect(await readFile(output.temporaryPath, 'utf8')).toBe('half');
  await output.write(Buffer.from(' done'));
  expect((await output.finish()).sizeBytes).toBe(9);
  await output.discard();
});

describe('publishing', () => {
  it('names a finished file, creates missing folders, and leaves no temporary file', async () => {
    const target = join(folder, 'new/deeper');
    const { output, finished } = await written('a', 'sound', target);
    const path = await output.publish(claimIn(target));
    expect(path).toBe(join(target, 'out.wav'));
    expect(await readFile(path, 'utf8')).toBe('sound');
    const { dev, ino } = await stat(path, { bigint: true });
    expect(finished).toEqual({
      sha256: createHash('sha256').update('sound').digest('hex'),
      sizeBytes: 5,
      identity: { device: String(dev), inode: String(ino) },
    });
    expect(await readdir(target)).toEqual(['out.wav']);
  });

  it('never replaces a file, folder or dangling link, but uses the next number', async () => {
    await writeFile(join(folder, 'out.wav'), 'theirs');
    await mkdir(join(folder, 'out (2).wav'));
    await symlink(join(folder, 'nowhere'), join(folder, 'out (3).wav'));
    const { output } = await written('a', 'ours');
    expect(await output.publish(claimIn(folder))).toBe(join(folder, 'out (4).wav'));
    expect(await textIn('out.wav')).toBe('theirs');
    expect(await readdir(folder)).not.toContain('nowhere');
  });

  it('announces each name before it is used, and only free names', async () => {
    await writeFile(join(folder, 'out.wav'), 'theirs');
    const { output } = await written('a', 'ours');
    const reserved: unknown[] = [];
    let before: readonly string[] = [];
    await output.publish(
      claimIn(folder, (path, how) => {
        reserved.push([path, how]);
        before = readdirSync(folder);
      }),
    );
    expect(reserved).toEqual([[join(folder, 'out (2).wav'), 'link']]);
    expect([...before].sort()).toEqual(['.timbre-a.part', 'out.wav']);
  });

  it('gives fifty results of one name fifty files if they finish at once, and leaves a foreign file alone', async () => {
    await writeFile(join(folder, 'out (7).wav'), 'alien');
    const ids = Array.from({ length: 50 }, (_, i) => `job${i}`);
    const paths = await Promise.all(ids.map(async (id) => (await written(id, id)).output.publish(claimIn(folder))));
    expect(new Set(paths).size).toBe(50);
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(ids);
    expect(await textIn('out (7).wav')).toBe('alien');
    expect(await readdir(folder)).toHaveLength(51);
  });

  it('gives up when ten thousand names are taken', async () => {
    await writeFile(join(folder, 'out.wav'), 'theirs');
    const { output } = await written('a', 'ours');
    let tries = 0;
    const pathFor = () => {
      tries += 1;
      return join(folder, 'out.wav');
    };
    expect(await failure(output.publish({ pathFor, onReserve: () => undefined }))).toMatchObject({
      code: 'output/failed',
    });
    expect(tries).toBe(10_000);
    await output.discard();
    expect(await readdir(folder)).toEqual(['out.wav']);
  });

  it('does not leave its folder, whatever the reservation says', async () => {
    for (const name of ['../out.wav', 'sub/out.wav', '..']) {
      const { output } = await written('a', 'x');
      const claim = { pathFor: () => `${folder}/${name}`, onReserve: () => undefined };
      expect(await failure(output.publish(claim))).toMatchObject({ code: 'output/failed' });
      await output.discard();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('uses no name that the job store could not record, and passes that error on', async () => {
    const { output } = await written('a', 'x');
    const broken = new Error('the journal is broken');
    const claim = claimIn(folder, () => {
      throw broken;
    });
    expect(await failure(output.publish(claim))).toBe(broken);
    await output.discard();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a pending output', () => {
  it('has no final name before it is published, and no file after it is discarded', async () => {
    const { output } = await written('a', 'half');
    expect(await readdir(folder)).toEqual(['.timbre-a.part']);
    await output.discard();
    await output.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['writing', 'finished'])(
    'if discarded while %s, leaves what another process writes for the same job',
    async (state) => {
      const output = await openOutput(folder, 'job-1');
      await output.write(Buffer.from('ours'));
      if (state === 'finished') await output.finish();
      const other = await openOutput(folder, 'job-1');
      await other.write(Buffer.from('theirs'));
      await output.discard();
      await other.finish();
      expect(await readFile(other.temporaryPath, 'utf8')).toBe('theirs');
    },
  );

  it('is not removed by `discard` once it is published, nor is a later one of the same job', async () => {
    const { output } = await written('a', 'first');
    await output.publish(claimIn(folder));
    const later = await openOutput(folder, 'a');
    await output.discard();
    expect((await readdir(folder)).sort()).toEqual(['.timbre-a.part', 'out.wav']);
    await later.discard();
  });

  it('can be discarded while it is being written or published', async () => {
    const writing = await openOutput(folder, 'a');
    const write = writing.write(Buffer.alloc(4_000_000));
    await writing.discard();
    await write;
    const { output } = await written('b', 'x');
    const publish = output.publish(claimIn(folder));
    await output.discard();
    expect(await readdir(folder)).toEqual(['out.wav']);
    expect(await publish).toBe(join(folder, 'out.wav'));
  });

  it('accepts its steps only in order', async () => {
    const output = await openOutput(folder, 'a');
    expect(String(await failure(output.publish(claimIn(folder))))).toContain('not finished');
    await output.finish();
    expect(String(await failure(output.write(Buffer.from('late'))))).toContain('not writing');
    await output.discard();
    expect(String(await failure(output.publish(claimIn(folder))))).toContain('not finished');
  });

  it('replaces what a killed run of the same job left', async () => {
    await writeFile(join(folder, '.timbre-a.part'), 'a much longer leftover');
    const { output } = await written('a', 'new');
    await output.publish(claimIn(folder));
    expect(await textIn('out.wav')).toBe('new');
  });

  it('never writes through a link at its temporary name', async () => {
    await writeFile(join(folder, 'precious'), 'precious');
    await symlink(join(folder, 'precious'), join(folder, '.timbre-a.part'));
    await link(join(folder, 'precious'), join(folder, '.timbre-b.part'));
    for (const id of ['a', 'b']) await (await written(id, 'new')).output.publish(claimIn(folder));
    expect(await textIn('precious')).toBe('precious');
    expect(await textIn('out (2).wav')).toBe('new');
  });

  it('leaves a folder at its temporary name alone, and fails', async () => {
    await mkdir(join(folder, '.timbre-a.part'));
    expect((await failure(openOutput(folder, 'a'))).code).toMatch(/^output\//);
    expect(await readdir(folder)).toEqual(['.timbre-a.part']);
  });

  it('rejects an id that would be a path', async () => {
    expect(String(await failure(openOutput(folder, '../a')))).toContain('an id');
  });

  it('reports a folder that cannot be written to', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const target of [file, join(file, 'sub')]) {
      expect((await failure(openOutput(target, 'a'))).problem).toMatchObject({
        code: 'output/not-writable',
        facts: { folder: target },
      });
    }
  });

  it.skipIf(process.getuid?.() === 0)(
    'reports a folder without permission (skipped for root, who may write anywhere)',
    async () => {
      const locked = join(folder, 'locked');
      await mkdir(locked);
      await chmod(locked, 0o500);
      expect(await failure(openOutput(locked, 'a'))).toMatchObject({ code: 'output/not-writable' });
    },
  );
});

describe('removing a temporary file', () => {
  it('removes only the job’s own', async () => {
    for (const name of ['.timbre-a.part', '.timbre-b.part', 'a', 'out.wav']) await writeFile(join(folder, name), '');
    await discardTemporary(folder, 'a');
    await discardTemporary(folder, 'a');
    expect((await readdir(folder)).sort()).toEqual(['.timbre-b.part', 'a', 'out.wav']);
  });

  it('leaves folders of that name alone, and accepts a missing parent', async () => {
    await mkdir(join(folder, '.timbre-a.part'));
    await discardTemporary(folder, 'a');
    expect(await readdir(folder)).toEqual(['.timbre-a.part']);
    await discardTemporary(join(folder, 'nowhere'), 'a');
    await discardTemporary(join(folder, '.timbre-a.part/x/y'), 'a');
  });
});

describe('free space', () => {
  it('is that of the nearest existing folder', async () => {
    const here = await freeBytes(folder);
    expect(here).toBeGreaterThan(0);
    const below = await freeBytes(join(folder, 'not/made/yet'));
    expect(Math.abs(below - here)).toBeLessThan(1e9);
    await writeFile(join(folder, 'file'), '');
    expect(await freeBytes(join(folder, 'file/x'))).toBeGreaterThan(0);
  });
});
