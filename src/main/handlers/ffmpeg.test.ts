import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings, type Settings } from '../../shared/schemas/settings.ts';
import { createFfmpeg } from '../core/find-ffmpeg.ts';
import { createFfmpegHandlers } from './ffmpeg.ts';

let folder: string;
let settings: Settings;
let chosen: string | null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-ffmpeg-'));
  [settings, chosen] = [defaultSettings, null];
});
afterEach(() => rm(folder, { recursive: true }));

async function program(name: string, says: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\necho '${says}'\n`);
  await chmod(path, 0o755);
  return path;
}
const handlers = () =>
  createFfmpegHandlers({
    ffmpeg: createFfmpeg({ selected: () => settings.ffmpegPath, platform: 'darwin', env: {}, now: () => 0 }),
    settings: () => Promise.resolve({ get: () => settings, update: (patch) => (settings = { ...settings, ...patch }) }),
    chooseProgram: () => Promise.resolve(chosen),
  });

describe('the selection of ffmpeg', () => {
  it('is kept if the program says that it is ffmpeg, and can be undone', async () => {
    chosen = await program('ffmpeg-7', 'ffmpeg version 7.1 Copyright');
    expect(await handlers().choose()).toMatchObject({ path: chosen, version: '7.1', isSelected: true });
    expect(settings.ffmpegPath).toBe(chosen);
    expect(await handlers().reset()).toMatchObject({ isSelected: false });
    expect(settings.ffmpegPath).toBeNull();
  });

  it('changes nothing if the user cancels, or if it is another program', async () => {
    expect(await handlers().choose()).toBeNull();
    chosen = await program('ffplay', 'ffplay version 7.1');
    await expect(handlers().choose()).rejects.toMatchObject({
      problem: { code: 'ffmpeg/wrong-program', facts: { name: 'ffplay' } },
    });
    expect(settings.ffmpegPath).toBeNull();
  });
});
