import { expect, it } from 'vitest';
import { createResampler } from './resample-sound.ts';
import { joinBlocks } from './pcm-block.ts';

const sine = (hz: number, rate: number, frames: number) =>
  Float32Array.from({ length: frames }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hz * at) / rate));

function resample(sound: Float32Array, from: number, to: number, blockFrames = 1000): Float32Array {
  const resampler = createResampler(1, from, to);
  const out: (readonly Float32Array[])[] = [];
  for (let at = 0; at < sound.length; at += blockFrames)
    out.push(resampler.push([sound.subarray(at, at + blockFrames)]));
  out.push(resampler.end());
  return joinBlocks(out)[0] ?? new Float32Array(0);
}

it.each([
  [96_000, 48_000],
  [88_200, 44_100],
  [192_000, 48_000],
  [6000, 8000],
  [50_000, 48_000],
])('resamples %d Hz to %d Hz: same tone, same position, same length', (from, to) => {
  const out = resample(sine(440, from, from), from, to);
  expect(out).toHaveLength(to);
  const wanted = sine(440, to, to);
  // Skips the ends, where the filter lacks neighbouring samples.
  for (let at = 200; at < to - 200; at++) expect(Math.abs((out[at] ?? 0) - (wanted[at] ?? 0))).toBeLessThan(2e-3);
});

it('removes what the lower sample rate cannot represent instead of aliasing it', () => {
  const out = resample(sine(30_000, 96_000, 96_000), 96_000, 48_000);
  expect(out.subarray(200, -200).every((value) => Math.abs(value) < 1e-3)).toBe(true);
});

it('gives the same result for any block size', () => {
  const sound = sine(440, 96_000, 20_000);
  expect(resample(sound, 96_000, 44_100, 77)).toEqual(resample(sound, 96_000, 44_100, 100_000));
});

it.each([0, 1, 5, 47])('keeps the length of %d frames', (frames) => {
  expect(resample(sine(440, 96_000, frames), 96_000, 48_000)).toHaveLength(Math.round(frames / 2));
});
