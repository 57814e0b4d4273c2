import { describe, expect, test } from 'vitest';
import { estimateVoice, glyphFamily, glyphBars, type GlyphVoice, barOutline, withFeatures } from './voice-glyph.ts';

describe('voice glyph', () => {
  const voice: GlyphVoice = {
    id: 'voice',
    language: 'nb-NO',
    gender: 'female',
    category: 'natural',
    f0Hz: 196,
    brightness: 0.44,
  };

  test('is the same for the same voice', () => {
    expect(glyphBars(voice, 64)).toEqual(glyphBars({ ...voice }, 64));
  });

  test('has many bars for a deep voice and few for a high one', () => {
    const deep = glyphBars({ ...voice, f0Hz: 65 }, 96).bars.length;
    const high = glyphBars({ ...voice, f0Hz: 380 }, 96).bars.length;
    expect([deep, high]).toEqual([15, 5]);
  });

  test('has brighter tones for a brighter voice', () => {
    const mean = (brightness: number) => {
      const { bars } = glyphBars({ ...voice, brightness }, 64);
      return bars.reduce((sum, { tone }) => sum + tone, 0) / bars.length;
    };
    expect(mean(0.1)).toBeLessThan(mean(0.5));
    expect(mean(0.5)).toBeLessThan(mean(0.95));
  });

  test.each([16, 20, 24, 32])('is aligned to whole pixels at %i px', (size) => {
    for (const f0Hz of [70, 120, 200, 350]) {
      const { box, bars } = glyphBars({ ...voice, f0Hz }, size);
      expect(box).toBe(size);
      for (const { y, height, width } of bars) {
        expect([y, height, width / 2].every(Number.isInteger)).toBe(true);
      }
    }
  });

  test.each([16, 24, 32, 48, 112])('stays within its box at %i px, with the fundamental at the bottom', (size) => {
    const { box, bars } = glyphBars(voice, size);
    for (const { y, height, width } of bars) {
      expect(y).toBeGreaterThanOrEqual(-1e-9);
      expect(y + height).toBeLessThanOrEqual(box + 1e-9);
      expect(width).toBeLessThanOrEqual(box);
    }
    expect(bars[0]?.y).toBe(Math.max(...bars.map(({ y }) => y)));
  });

  test('differs for 500 voices of one language at 64 px', () => {
    const drawn = Array.from({ length: 500 }, (_, k) => glyphBars(estimateVoice({ ...voice, id: `v${k}` }), 64));
    expect(new Set(drawn.map((glyph) => JSON.stringify(glyph))).size).toBe(500);
  });

  test('shapes its bars by category, round if the category is unknown', () => {
    expect(['Singing', 'synthetic', 'Character', 'Narration', ''].map(glyphFamily)).toEqual([
      'curved',
      'square',
      'split',
      'round',
      'round',
    ]);
  });

  test('estimates F0 within the range of the gender', () => {
    for (let k = 0; k < 100; k++) {
      const male = estimateVoice({ id: `m${k}`, language: 'en', gender: 'male', category: '' }).f0Hz ?? 0;
      expect(male).toBeGreaterThanOrEqual(82);
      expect(male).toBeLessThanOrEqual(152);
    }
  });
});

test('a voice that was measured is drawn as it sounds', () => {
  const heard = { id: 'm', language: 'en', name: 'M', gender: 'male', category: '' };
  const drawn = estimateVoice(withFeatures(heard, { f0Hz: 201, brightness: 0.9, levelDb: null }));
  expect([drawn.f0Hz, drawn.brightness]).toEqual([201, 0.9]);
  const noise = withFeatures(heard, { f0Hz: null, brightness: 0.9, levelDb: null });
  expect(estimateVoice(noise)).toEqual(estimateVoice(heard));
});

describe('bar outline', () => {
  const bar = { y: 4, height: 2, width: 12, tone: 1 } as const;

  test('has round ends', () => {
    expect(barOutline(bar, 20, 'round')).toBe(
      'M5 4h10a1 1 0 0 1 1 1v0a1 1 0 0 1 -1 1h-10a1 1 0 0 1 -1 -1v0a1 1 0 0 1 1 -1z',
    );
  });

  test('has square ends for a robot voice', () => {
    expect(barOutline(bar, 20, 'square')).toBe('M4 4h12v2h-12z');
  });

  test('is split at whole pixels if it is wide enough', () => {
    expect(barOutline(bar, 20, 'split').match(/M[\d.]+/gu)).toEqual(['M5', 'M12']);
    expect(barOutline({ ...bar, width: 6 }, 20, 'split').match(/M/gu)).toHaveLength(1);
  });
});
