import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPeakLimiter } from './limit-peaks.ts';
import { joinBlocks } from './pcm-block.ts';
import { buzz } from './sound.fixture.ts';

const limit = (channels: readonly Float32Array[], blockFrames: number, ceiling = 0.9) => {
  const limiter = createPeakLimiter(channels.length, 44_100, ceiling);
  const out: (readonly Float32Array[])[] = [];
  for (let at = 0; at < (channels[0]?.length ?? 0); at += blockFrames) {
    out.push(limiter.push(channels.map((channel) => channel.slice(at, at + blockFrames))));
  }
  out.push(limiter.end());
  return joinBlocks(out);
};

it('lets nothing exceed its ceiling and keeps the length, for any audio in any blocks', () => {
  const samples = fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { maxLength: 2000 });
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 700 }), (values, blockFrames) => {
      const [out = new Float32Array(0)] = limit([Float32Array.from(values)], blockFrames);
      expect(out).toHaveLength(values.length);
      expect(out.every((value) => Math.abs(value) <= Math.fround(0.9) + 1e-7)).toBe(true);
    }),
  );
});

it('passes quiet audio unchanged', () => {
  const sound = buzz(150, 0.3, 44_100);
  expect(limit([sound], 1000)).toEqual([sound]);
});

it('reduces both channels together', () => {
  const [left = new Float32Array(0), right = new Float32Array(0)] = limit(
    [new Float32Array(5000).fill(2), new Float32Array(5000).fill(1)],
    512,
  );
  left.forEach((value, at) => expect((right[at] ?? 0) / value).toBeCloseTo(0.5, 5));
});

it('is back at full gain a quarter of a second after a peak', () => {
  const sound = new Float32Array(22_050).fill(0.4);
  sound[1000] = 3;
  const [out = new Float32Array(0)] = limit([sound], 4096);
  expect(out[1000]).toBeCloseTo(0.9, 5);
  expect(out[500]).toBe(sound[500]);
  expect(out[1000 + 12_000]).toBe(sound[1000 + 12_000]);
});
