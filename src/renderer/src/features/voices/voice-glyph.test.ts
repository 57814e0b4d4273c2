import { describe, expect, test } from 'vitest';
import { estimateVoice, glyphFamily, glyphBars, type GlyphVoice, strokeOutline } from './voice-glyph.ts';

describe('voice glyph', () => {
  const voice: GlyphVoice = {
    id: 'voice',
    language: 'nb-NO',
    gender: 'female',
    category: 'natural',
    f0Hz: 196,
    brightness: 0.44,
  };

  describe('the voice glyph', () => {
    test('is the same for the same voice', () => {
      expect(glyphBars(voice, 64)).toEqual(glyphBars({ ...voice }, 64));
    });

    test('has many strokes for a deep voice and few for a high one', () => {
      const deep = glyphBars({ ...voice, f0Hz: 65 }, 96).strokes.length;
      const high = glyphBars({ ...voice, f0Hz: 380 }, 96).strokes.length;
      expect([deep, high]).toEqual([15, 5]);
    });

    test('climbs the metal ramp with brightness', () => {
      const mean = (brightness: number) => {
        const { strokes } = glyphBars({ ...voice, brightness }, 64);
        return strokes.reduce((sum, { tone }) => sum + tone, 0) / strokes.length;
      };
      expect(mean(0.1)).toBeLessThan(mean(0.5));
      expect(mean(0.5)).toBeLessThan(mean(0.95));
    });

    test.each([16, 20, 24, 32])('stands on whole pixels at %i px', (size) => {
      for (const f0Hz of [70, 120, 200, 350]) {
        const { box, strokes } = glyphBars({ ...voice, f0Hz }, size);
        expect(box).toBe(size);
        for (const { y, height, width } of strokes) {
          expect([y, height, width / 2].every(Number.isInteger)).toBe(true);
        }
      }
    });

    test.each([16, 24, 32, 48, 112])('stays in its box at %i px, the fundamental lowest', (size) => {
      const { box, strokes } = glyphBars(voice, size);
      for (const { y, height, width } of strokes) {
        expect(y).toBeGreaterThanOrEqual(-1e-9);
        expect(y + height).toBeLessThanOrEqual(box + 1e-9);
        expect(width).toBeLessThanOrEqual(box);
      }
      expect(strokes[0]?.y).toBe(Math.max(...strokes.map(({ y }) => y)));
    });

    test('differs for 500 voices of one language at 64 px', () => {
      const drawn = Array.from({ length: 500 }, (_, k) => glyphBars(estimateVoice({ ...voice, id: `v${k}` }), 64));
      expect(new Set(drawn.map((bell) => JSON.stringify(bell))).size).toBe(500);
    });

    test('ends its strokes by category, round where the word is unknown', () => {
      expect(['Singing', 'synthetic', 'Character', 'Narration', ''].map(glyphFamily)).toEqual([
        'bowed',
        'square',
        'split',
        'round',
        'round',
      ]);
    });

    test('guesses F0 within the range of the gender', () => {
      for (let k = 0; k < 100; k++) {
        const male = estimateVoice({ ...voice, id: `m${k}`, gender: 'male' }).f0Hz ?? 0;
        expect(male).toBeGreaterThanOrEqual(82);
        expect(male).toBeLessThanOrEqual(152);
      }
    });
  });
});

describe('stroke outline', () => {
  const stroke = { y: 4, height: 2, width: 12, tone: 1 } as const;

  describe('the outline of a stroke', () => {
    test('is round at its ends, as far as it is high', () => {
      expect(strokeOutline(stroke, 20, 'round')).toBe(
        'M5 4h10a1 1 0 0 1 1 1v0a1 1 0 0 1 -1 1h-10a1 1 0 0 1 -1 -1v0a1 1 0 0 1 1 -1z',
      );
    });

    test('has corners for a voice of a machine', () => {
      expect(strokeOutline(stroke, 20, 'square')).toBe('M4 4h12v2h-12z');
    });

    test('is parted by whole pixels where it is wide enough', () => {
      expect(strokeOutline(stroke, 20, 'split').match(/M[\d.]+/gu)).toEqual(['M5', 'M12']);
      expect(strokeOutline({ ...stroke, width: 6 }, 20, 'split').match(/M/gu)).toHaveLength(1);
    });
  });
});
