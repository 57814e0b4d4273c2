import { describe, expect, it } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';

const at = 'Fri, 20 Nov 2026 10:00:00 GMT';
const now = Date.parse(at);

describe('Retry-After', () => {
  it.each([
    ['12', 12],
    [' 12 ', 12],
    ['0', 0],
    ['3601', 3600],
    ['99999999999999999999', 3600],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30],
    ['Friday, 20-Nov-26 10:00:30 GMT', 30],
    ['Fri Nov 20 10:00:30 2026', 30],
    ['Fri, 20 Nov 2026 23:00:00 GMT', 3600],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ])('%j is a pause of %i seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, at, 0)).toBe(seconds);
    expect(retryAfterSeconds(header, '', now)).toBe(seconds);
  });

  it.each(['', 'soon', '-5', '1.5', '1e3', '12 s', 'Fri, 99 Nov 2026 10:00:00 GMT', '2026-11-20T10:00:30Z', 'Friday'])(
    '%j is no pause at all',
    (header) => {
      expect(retryAfterSeconds(header, at, now)).toBeUndefined();
    },
  );

  it('is counted from the reply’s own Date, so that a wrong clock on either side does no harm', () => {
    const anHourAhead = now + 3_600_000;
    expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', at, anHourAhead)).toBe(30);
    expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', 'no date', now)).toBe(30);
  });

  it('is rounded up, because a moment too early is refused again', () => {
    expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', '', now + 1)).toBe(30);
    expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', '', now + 999)).toBe(30);
    expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', '', now + 1000)).toBe(29);
  });
});
