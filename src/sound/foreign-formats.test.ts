import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeSound } from './decode-sound.ts';
import { readWaveform } from './read-waveform.ts';
import { inspectSound } from './inspect-sound.ts';
import { joinBlocks } from './pcm-block.ts';
import { buzz, encoded, hasFfmpeg, withFolder } from './sound.fixture.ts';

const rate = 48_000;
/**
 * Creates formats that we only read: ffmpeg encodes a stereo WAV whose right channel is silent for
 * two seconds.
 */
const withForeign = <T>(extension: string, use: (path: string) => Promise<T>) =>
  withFolder(async (folder) => {
    const left = buzz(140, 4, rate);
    left.fill(0, 0, 2 * rate);
    const wav = join(folder, 'sound.wav');
    const path = join(folder, `sound.${extension}`);
    await writeFile(wav, await encoded('wav', [left, left.map((value) => value / 8)], rate));
    const coding = extension === '3gp' ? ['-c:a', 'aac'] : [];
    execFileSync('ffmpeg', ['-v', 'error', '-i', wav, ...coding, path]);
    return use(path);
  });

describe.skipIf(!hasFfmpeg)('what ffmpeg writes (skipped if it is not installed)', () => {
  it.each(['m4a', 'aac', 'opus', 'aiff', 'webm', 'caf', 'mka', 'mkv', 'mov', 'mp4', '3gp', 'wma'])(
    'as %s is decoded completely, in stereo from its silent start',
    async (extension) => {
      await withForeign(extension, async (path) => {
        const blocks = [];
        for await (const { channels, sampleRate } of decodeSound(path)) {
          expect(sampleRate).toBe(rate);
          blocks.push(channels);
        }
        const [left = new Float32Array(0), right = new Float32Array(0)] = joinBlocks(blocks);
        expect(Math.abs(left.length / rate - 4)).toBeLessThan(0.05);
        const power = (channel: Float32Array) => channel.reduce((sum, value) => sum + value * value, 0);
        expect(power(left) / power(right)).toBeGreaterThan(30);
      });
    },
  );

  it.each(['pcm_u8', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_f64le', 'pcm_alaw', 'adpcm_ms', 'adpcm_ima_wav'])(
    'as WAV in %s is measured, decoded sample by sample, and drawn',
    async (codec) => {
      await withFolder(async (folder) => {
        const sound = buzz(140, 4, rate);
        const path = join(folder, 'sound.wav');
        await writeFile(join(folder, 'a.wav'), await encoded('wav', [sound, sound], rate));
        execFileSync('ffmpeg', ['-v', 'error', '-i', join(folder, 'a.wav'), '-c:a', codec, path]);
        const blocks = [];
        for await (const { channels } of decodeSound(path)) blocks.push(channels);
        const [decoded = new Float32Array(0)] = joinBlocks(blocks);
        expect(Math.abs(decoded.length - sound.length)).toBeLessThan(3000);
        const found = await inspectSound(path);
        expect(found.kind === 'sound' && found.durationSeconds).toBeCloseTo(decoded.length / rate, 1);
        const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-af', 'pan=mono|c0=c0', '-f', 'f32le', '-'], {
          maxBuffer: 2 ** 26,
        });
        const expected = new Float32Array(new Uint8Array(raw).buffer);
        const wrong = decoded.reduce((most, value, at) => Math.max(most, Math.abs(value - (expected[at] ?? 0))), 0);
        expect(wrong).toBeLessThan(1 / 256);
        expect((await readWaveform(path)).durationSeconds).toBeCloseTo(decoded.length / rate, 6);
      });
    },
  );

  it('as ADTS stays stereo if whole pieces are silent, which the decoder reports as mono', async () => {
    const aac = (channels: readonly Float32Array[]) =>
      withFolder(async (folder) => {
        await writeFile(join(folder, 'a.wav'), await encoded('wav', channels, rate));
        execFileSync('ffmpeg', ['-v', 'error', '-i', join(folder, 'a.wav'), join(folder, 'a.aac')]);
        return readFile(join(folder, 'a.aac'));
      });
    const silence = await aac([new Float32Array(4 * rate), new Float32Array(4 * rate)]);
    const sound = await aac([buzz(140, 2, rate), buzz(220, 2, rate)]);
    await withFolder(async (folder) => {
      const path = join(folder, 'sound.aac');
      // ADTS streams can be concatenated. Decoding reads pieces of 256 KiB.
      const copies = Math.ceil(300_000 / silence.length);
      await writeFile(path, Buffer.concat([...Array.from({ length: copies }, () => silence), sound]));
      const widths = [];
      for await (const { channels } of decodeSound(path)) widths.push(channels.length);
      expect(widths.length).toBeGreaterThan(1);
      expect(new Set(widths)).toEqual(new Set([2]));
    });
  });

  it.each([
    ['m4a', 'm4a'],
    ['opus', 'opus'],
    ['mov', 'm4a'],
    ['3gp', 'm4a'],
    ['mka', 'webm'],
    ['mkv', 'webm'],
    ['wma', 'wma'],
    ['aiff', 'aiff'],
    ['caf', 'caf'],
  ])('as %s is audio of its duration, and cut if its second half is missing', async (extension, format) => {
    await withForeign(extension, async (path) => {
      const whole = await inspectSound(path);
      expect(whole).toMatchObject({ kind: 'sound', format });
      if (whole.kind === 'sound') expect(Math.abs((whole.durationSeconds ?? 0) - 4)).toBeLessThan(0.05);
      const bytes = await readFile(path);
      await writeFile(path, bytes.subarray(0, bytes.length / 2));
      expect(await inspectSound(path)).toMatchObject({ kind: 'problem', code: 'input/cut' });
    });
  });

  it.each(['mp4', 'mov', 'mkv', 'webm'])(
    'of the sound of a %s, its length is not that of the picture',
    async (ending) => {
      await withFolder(async (folder) => {
        const path = join(folder, `film.${ending}`);
        const picture = ['-f', 'lavfi', '-i', 'testsrc=d=9:r=5:s=64x64'];
        const sound = ['-f', 'lavfi', '-i', 'sine=f=220:d=4:r=48000'];
        const codec = ending === 'webm' ? ['-c:v', 'libvpx'] : ['-c:v', 'mpeg4'];
        execFileSync('ffmpeg', ['-v', 'error', ...picture, ...sound, ...codec, path]);
        const blocks = [];
        for await (const { channels } of decodeSound(path)) blocks.push(channels);
        const decoded = (joinBlocks(blocks)[0]?.length ?? 0) / rate;
        expect(Math.abs(decoded - 4)).toBeLessThan(0.06);
        const found = await inspectSound(path);
        const { durationSeconds } = { durationSeconds: undefined, ...found };
        if (durationSeconds !== undefined) expect(Math.abs(durationSeconds - decoded)).toBeLessThan(0.1);
        expect(found.kind).toBe('sound');
      });
    },
  );
});
