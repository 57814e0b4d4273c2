import { expect, test } from 'vitest';
import { withinRanges } from './within-ranges.ts';

const ratio = { min: 0.5, max: 2, default: 1 };
const connection = { pitch: { min: -10, max: 10, default: 0 }, speed: ratio };

test('what was set for another connection becomes the nearest that this one takes, and the rest stays', () => {
  expect(withinRanges({ pitch: 24, speed: 0.25, voiceId: 'v' }, connection)).toEqual({
    pitch: 10,
    speed: 0.5,
    voiceId: 'v',
  });
  expect(withinRanges({ pitch: -10, speed: 2 }, connection)).toEqual({ pitch: -10, speed: 2 });
});
