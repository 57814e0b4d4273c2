import { expect, test } from 'vitest';
import { placeholderColumns } from './placeholder.ts';

test('placeholder columns are the same for the same seed, and within 0..1', () => {
  const sketch = placeholderColumns(500, 7);
  expect(placeholderColumns(500, 7)).toEqual(sketch);
  expect(placeholderColumns(500, 8)).not.toEqual(sketch);
  for (const series of [sketch.peak, sketch.rms, sketch.bright]) {
    expect(series.every((value) => value >= 0 && value <= 1)).toBe(true);
  }
});
