import { describe, expect, it } from 'vitest';
import { createJumpWatch } from './steady-clock.ts';

describe('the jump watch', () => {
  it('distrusts the wall clock for a minute after it was set, in either direction', () => {
    let now = 0;
    let wall = 1_000_000;
    const pass = (ms: number) => {
      now += ms;
      wall += ms;
    };
    const isSteady = createJumpWatch({ monotonic: () => now, wallNow: () => wall });
    pass(100);
    expect(isSteady()).toBe(true);
    for (const jumpMs of [3_600_000, -3_600_000]) {
      wall += jumpMs;
      expect(isSteady()).toBe(false);
      pass(59_999);
      expect(isSteady()).toBe(false);
      pass(1);
      expect(isSteady()).toBe(true);
    }
  });
});
