import { describe, expect, it } from 'vitest';
import { clockSkewSeconds } from './clock-skew.ts';

const at = Date.parse('2026-03-01T12:00:00Z');
const header = 'Sun, 01 Mar 2026 12:00:00 GMT';

describe('the skew of a clock', () => {
  it.each([
    [0, 0, 0],
    [900, 950, 0],
    [-500, 10, 0],
    [10_999, 11_050, 10],
    [-300_500, -300_000, 300],
  ])(
    'is counted from the nearest moment at which the header may have been written (%i, %i)',
    (sent, received, skew) => {
      expect(clockSkewSeconds(header, at + sent, at + received)).toBe(skew);
    },
  );

  it('is not known without a date', () => {
    expect(clockSkewSeconds('', at, at)).toBeNull();
    expect(clockSkewSeconds('soon', at, at)).toBeNull();
  });
});
