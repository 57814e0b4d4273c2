import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../../shared/app-error.ts';
import { openOutput } from './publish.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-publish-'));
});
afterEach(() => rm(folder, { recursive: true }));

const nameFor = (attempt: number) => (attempt === 1 ? 'out.wav' : `out (${attempt}).wav`);
async function written(id: string, text: string, target = folder) {
  const output = await openOutput(target, id);
  await output.write(Buffer.from(text));
  const sha256 = await output.finish();
  return { output, sha256 };
}

describe('publishing', () => {
  it('gives a finished file its name, makes missing folders, and leaves no temporary file', async () => {
    const target = join(folder, 'new/deeper');
    const { output, sha256 } = await written('a', 'sound', target);
    expect(await output.publish(nameFor)).toBe(join(target, 'out.wav'));
    expect(await readFile(join(target, 'out.wav'), 'utf8')).toBe('sound');
    expect(sha256).toBe(createHash('sha256').update('sound').digest('hex'));
    expect(await readdir(target)).toEqual(['out.wav']);
  });

  it('never replaces a file that is there, but takes the next number', async () => {
    await writeFile(join(folder, 'out.wav'), 'theirs');
    const { output } = await written('a', 'ours');
    expect(await output.publish(nameFor)).toBe(join(folder, 'out (2).wav'));
    expect(await readFile(join(folder, 'out.wav'), 'utf8')).toBe('theirs');
  });

  it('gives fifty results of one name fifty files when they finish at once', async () => {
    const ids = Array.from({ length: 50 }, (_, i) => `job${i}`);
    const paths = await Promise.all(ids.map(async (id) => (await written(id, id)).output.publish(nameFor)));
    expect(new Set(paths).size).toBe(50);
    const contents = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    expect(contents).toEqual(ids);
    expect(await readdir(folder)).toHaveLength(50);
  });

  it('shows nothing under the final name before it is published, and nothing at all when discarded', async () => {
    const { output } = await written('a', 'half');
    expect(await readdir(folder)).toEqual(['.timbre-a.part']);
    await output.discard();
    await output.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not leave its folder, whatever the name says', async () => {
    const { output } = await written('a', 'x');
    const error = await output.publish(() => '../out.wav').catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'output/failed' });
    await output.discard();
  });

  it('says that a folder cannot be written to', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const error = (await openOutput(join(file, 'sub'), 'a').catch((e: unknown) => e)) as AppError;
    expect(error.problem).toMatchObject({ code: 'output/not-writable', facts: { folder: join(file, 'sub') } });
  });

  it.skipIf(process.getuid?.() === 0)(
    'says so of a folder without permission (not for root, who may everything)',
    async () => {
      const locked = join(folder, 'locked');
      await mkdir(locked);
      await chmod(locked, 0o500);
      const error: unknown = await openOutput(locked, 'a').catch((e: unknown) => e);
      expect(error).toMatchObject({ code: 'output/not-writable' });
    },
  );
});
