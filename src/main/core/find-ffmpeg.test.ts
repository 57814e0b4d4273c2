import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFfmpeg, ffmpegVersion } from './find-ffmpeg.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'timbre-ffmpeg-'))));
afterEach(() => rm(folder, { recursive: true }));

async function program(path: string, says = 'ffmpeg version 7.1 Copyright'): Promise<string> {
  const full = join(folder, path);
  await mkdir(join(full, '..'), { recursive: true });
  await writeFile(full, `#!/bin/sh\necho '${says}'\n`);
  await chmod(full, 0o755);
  return full;
}

/** ffmpeg as found with this selection and a PATH of `a` and `b`, at a time that the test sets. */
function open(selected: string | null = null) {
  const state = { selected, now: 0 };
  const env = { PATH: ['relative', join(folder, 'a'), join(folder, 'b')].join(delimiter) };
  return {
    state,
    ffmpeg: createFfmpeg({ selected: () => state.selected, platform: 'linux', env, now: () => state.now }),
  };
}

describe('ffmpeg', () => {
  it('is the first one on the PATH that can be run, and the selected one goes before it', async () => {
    await mkdir(join(folder, 'a'));
    await writeFile(join(folder, 'a', 'ffmpeg'), 'not executable');
    const onPath = await program('b/ffmpeg');
    const selected = await program('mine/ffmpeg-7');
    const { state, ffmpeg } = open();
    expect(await ffmpeg.find()).toBe(onPath);
    state.selected = selected;
    expect(await ffmpeg.status()).toEqual({ path: selected, version: '7.1', isSelected: true, system: 'linux' });
    state.selected = join(folder, 'gone');
    expect(await ffmpeg.status()).toEqual({ path: onPath, version: '7.1', isSelected: false, system: 'linux' });
  });

  it('is found a few seconds after it was installed, and at once if it is selected', async () => {
    const { state, ffmpeg } = open();
    expect(await ffmpeg.status()).toEqual({ path: null, version: null, isSelected: false, system: 'linux' });
    const onPath = await program('a/ffmpeg');
    expect(await ffmpeg.find()).toBeNull();
    state.now = 3001;
    expect(await ffmpeg.find()).toBe(onPath);
    await rm(onPath);
    state.selected = await program('mine/ffmpeg');
    expect(await ffmpeg.find()).toBe(state.selected);
  });

  it('says its version; another program, and one that does not start, has none', async () => {
    expect(await ffmpegVersion(await program('n', 'ffmpeg version n8.0-3-g1 Copyright'))).toBe('n8.0-3-g1');
    expect(await ffmpegVersion(await program('other', 'ffprobe version 7'))).toBeNull();
    expect(await ffmpegVersion(join(folder, 'none'))).toBeNull();
  });
});
