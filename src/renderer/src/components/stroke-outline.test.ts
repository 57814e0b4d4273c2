import { describe, expect, test } from 'vitest';
import { strokeOutline } from './stroke-outline.ts';

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
