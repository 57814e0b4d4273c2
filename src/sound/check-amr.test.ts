import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkAmr } from './check-amr.ts';
import { bytesSource } from './container-check.ts';
import { decodeSound } from './decode-sound.ts';
import { frameCount } from './pcm-block.ts';
import { withFolder } from './sound.fixture.ts';

/** A frame of this type: its header, then as many bytes as the type has. */
const frame = (type: number, bytes: number): Buffer => {
  const made = Buffer.alloc(bytes);
  made[0] = (type << 3) | 4;
  return made;
};
const repeated = (part: Buffer, count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => part));

/** Ten seconds of the highest rate, and ten of pauses, in which a phone sends a description of the noise at times. */
const narrow = Buffer.concat([
  Buffer.from('#!AMR\n'),
  repeated(frame(7, 32), 500),
  repeated(Buffer.concat([frame(8, 6), repeated(frame(15, 1), 7)]), 62),
  repeated(frame(15, 1), 4),
]);
const wide = Buffer.concat([Buffer.from('#!AMR-WB\n'), repeated(frame(2, 33), 250)]);

describe('a voice memo in AMR', () => {
  it.each([
    ['narrow', narrow, 20, 8000],
    ['wide', wide, 5, 16_000],
  ])('has as many frames of 20 ms as are decoded: %s band', async (_, bytes, seconds, rate) => {
    expect(await checkAmr(bytesSource(bytes))).toEqual({ kind: 'complete', durationSeconds: seconds });
    await withFolder(async (folder) => {
      const path = join(folder, 'memo');
      await writeFile(path, bytes);
      let frames = 0;
      for await (const { channels, sampleRate } of decodeSound(path)) {
        expect(sampleRate).toBe(rate);
        frames += frameCount(channels);
      }
      expect(frames / rate).toBe(seconds);
    });
  });

  it('may still be recorded if its last frame is cut, and is empty without a frame', async () => {
    const cut = await checkAmr(bytesSource(wide.subarray(0, wide.length - 5)));
    expect(cut).toEqual({ kind: 'complete', durationSeconds: 4.98, open: 'length' });
    expect(await checkAmr(bytesSource(Buffer.from('#!AMR\n')))).toEqual({ kind: 'empty' });
    expect(await checkAmr(bytesSource(Buffer.from('#!AMR_MC1.0\n')))).toEqual({ kind: 'foreign' });
  });
});
