import { describe, expect, test } from 'vitest';
import { localInfo } from '../connections/connections.fixture.ts';
import { pitchScale, plainScale, speedScale } from './pitch-speed.ts';

describe('a slider scale', () => {
  test('shows pitch ratios of the local engine in semitones, an octave up and down', () => {
    const scale = pitchScale(localInfo);
    expect([scale.min, scale.origin, scale.max]).toEqual([-12, 0, 12]);
    expect(scale.fromSlider(3)).toBeCloseTo(1.1892);
    for (let half = -24; half <= 24; half++) expect(scale.toSlider(scale.fromSlider(half / 2))).toBe(half / 2);
  });

  test('places half and double speed equally far from the middle, with a new value at each step', () => {
    const scale = speedScale({ min: 0.25, max: 4, default: 1 });
    expect([scale.min, scale.origin, scale.max]).toEqual([-2, 0, 2]);
    expect(scale.toSlider(2)).toBe(-scale.toSlider(0.5));
    for (let position = -2; position < 2; position += scale.step) {
      expect(scale.fromSlider(position + scale.step)).toBeGreaterThan(scale.fromSlider(position));
    }
  });

  test('stays within the range of the connection', () => {
    const scale = pitchScale({ ...localInfo, pitch: { min: 0.51, max: 1.9, default: 1 } });
    expect(scale.fromSlider(scale.min)).toBeGreaterThanOrEqual(0.51);
    expect(scale.fromSlider(scale.max)).toBeLessThanOrEqual(1.9);
  });

  test('shows the plain value if the service defines its meaning', () => {
    const scale = pitchScale({ ...localInfo, kind: 'remote', pitch: { min: -10, max: 10, default: 0 } });
    expect([scale.min, scale.toSlider(3), scale.fromSlider(3.004)]).toEqual([-10, 3, 3]);
    expect(plainScale(localInfo.speed).fromSlider(0.94)).toBe(0.94);
  });
});
