import { describe, expect, test } from 'vitest';
import { joinQuery, readFilter, restStart, splitQuery } from './query-parts.ts';

const parts = (text: string, caret = -1) => {
  const { filters, rest } = splitQuery(text, caret);
  return [filters.map((filter) => filter.text), rest];
};

describe('a search', () => {
  test.each([
    ['lamp', [[], 'lamp']],
    ['voice:anna lamp', [['voice:anna'], 'lamp']],
    ['lamp after:2026-01 oil', [['after:2026-01'], 'lamp oil']],
    ['voice:"Marit Solheim" lamp', [['voice:"Marit Solheim"'], 'lamp']],
    ['-status:failed', [['-status:failed'], '']],
    ['Voice:ANNA', [['Voice:ANNA'], '']],
  ])('shows the filters of %s by themselves', (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  test.each(['voice:', 'colour:red', 'voice:"open', 'https://example.org', '"voice:anna"', 'voice:""'])(
    'leaves %s as it is written',
    (text) => {
      expect(parts(text)).toEqual([[], text]);
    },
  );

  test('leaves a filter in the field while it is being written', () => {
    expect(parts('voice:an', 8)).toEqual([[], 'voice:an']);
    expect(parts('voice:an ', 9)).toEqual([['voice:an'], '']);
    expect(parts('is:favourite voice:an', 21)).toEqual([['is:favourite'], 'voice:an']);
  });

  test('is whole again when its parts are joined', () => {
    const split = splitQuery('lamp voice:anna', -1);
    expect(joinQuery(split)).toBe('voice:anna lamp ');
    expect(restStart(split)).toBe('voice:anna '.length);
    expect(joinQuery(splitQuery('', -1))).toBe('');
  });

  test('knows what a filter says', () => {
    expect(readFilter('-voice:"Marit Solheim"')).toMatchObject({ name: 'voice', value: 'Marit Solheim', isNot: true });
  });
});
