import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decodeSound } from './decode-sound.ts';
import { measureF0, medianF0 } from './median-f0.ts';
import { joinBlocks } from './pcm-block.ts';
import { buzz, hiss } from './sound.fixture.ts';

it.each([
  [80, 44_100],
  [121, 48_000],
  [205, 22_050],
  [300, 16_000],
  [260, 8000],
])('measures a buzz of %d Hz at a sample rate of %d Hz within one percent', (hz, rate) => {
  expect(Math.abs((medianF0(buzz(hz, 1.5, rate), rate) ?? 0) / hz - 1)).toBeLessThan(0.01);
});

it('finds no F0 in silence, in noise and in a very short sound', () => {
  expect(medianF0(new Float32Array(44_100), 44_100)).toBeNull();
  expect(medianF0(hiss(2, 44_100), 44_100)).toBeNull();
  expect(medianF0(buzz(120, 0.08, 44_100), 44_100)).toBeNull();
});

it('finds little of many voices at once voiced, and most of one with noise', () => {
  const rate = 44_100;
  const mixed = (...parts: readonly Float32Array[]) =>
    new Float32Array(3 * rate).map((_, at) => parts.reduce((sum, part) => sum + (part[at] ?? 0), 0));
  const voices = [107, 113, 121, 135, 151, 160].map((hz) => buzz(hz, 3, rate));
  expect(measureF0(mixed(...voices), rate)?.voicedShare).toBeLessThan(0.4);
  const noise = hiss(3, rate).map((sample) => 0.1 * sample);
  expect(measureF0(mixed(buzz(113, 3, rate), noise), rate)?.voicedShare).toBeGreaterThan(0.9);
});

// Praat 6.3, To Pitch (ac) 10 ms, 60 to 600 Hz, median.
const measured = { Rear_Left: 195.7, Rear_Center: 188.8, Front_Right: 198.4, Side_Right: 173.5 } as const;
const folder = '/usr/share/sounds/alsa';

it.skipIf(!existsSync(folder)).each(Object.entries(measured))(
  'agrees with Praat within 3.5 percent on a real voice, %s (skipped without alsa-utils)',
  async (name, praatHz) => {
    const blocks = [];
    let rate = 0;
    for await (const { channels, sampleRate } of decodeSound(`${folder}/${name}.wav`)) {
      blocks.push(channels);
      rate = sampleRate;
    }
    const [samples = new Float32Array(0)] = joinBlocks(blocks);
    const { hz = 0, voicedShare = 0 } = measureF0(samples, rate) ?? {};
    expect(Math.abs(hz / praatHz - 1)).toBeLessThan(0.035);
    expect(voicedShare).toBeGreaterThan(0.85);
  },
);
