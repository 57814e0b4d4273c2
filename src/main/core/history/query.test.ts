import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery, splitQuery } from './query.ts';

/** A Sunday at noon, here. */
const now = new Date(2026, 2, 15, 12).getTime();
const day = (year: number, month: number, date: number) => new Date(year, month - 1, date).getTime();
const wordsOf = (text: string) =>
  parseQuery(text, now).words.map(
    ({ words, isPrefix, isNegated }) => `${isNegated ? '-' : ''}${words.join('+')}${isPrefix ? '*' : ''}`,
  );
const errorsOf = (text: string) => parseQuery(text, now).errors.map(({ kind, from, to }) => [kind, from, to]);

describe('the words of a search', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['   ', []],
    ['Harbour', ['harbour*']],
    ['harbour take', ['harbour', 'take*']],
    ['"harbour take"', ['harbour+take']],
    ['harbour "take one"', ['harbour', 'take+one']],
    ['take12', ['take+12*']],
    ['Café'.normalize('NFD'), ['cafe*']],
    ['ＦＵＬＬ width', ['full', 'width*']],
    ['東京タワー', ['東+京+タ+ワ+ー*']],
    ['-noise take', ['-noise', 'take*']],
    ['take -noise', ['take*', '-noise']],
    ['take -noise one -two', ['take', '-noise', 'one*', '-two']],
    ['take !', ['take*']],
    ['take -', ['take*']],
    ['take "low', ['take', 'low*']],
    ['-"low noise"', ['-low+noise']],
    ['-', []],
    ['take status:done', ['take*']],
    ['C:\\takes', ['c+takes*']],
    ['12:30', ['12+30*']],
    ['https://a.test/b', ['https+a+test+b*']],
    ['Note: this', ['note', 'this*']],
    ['a"b', ['a+b*']],
    ['!!! take', ['take*']],
    ['take🔥', ['take+🔥*']],
    ['🔥', ['🔥*']],
    ['""', []],
    ['NOT AND OR NEAR(', ['not', 'and', 'or', 'near*']],
  ])('in %j are %j', (text, words) => {
    expect(parseQuery(text, now).errors.filter(({ kind }) => kind !== 'open-quote')).toEqual([]);
    expect(wordsOf(text)).toEqual(words);
  });

  it('are highlighted unless they are excluded', () => {
    expect(parseQuery('take "Zoë Müller" -noise take voice:anna', now).highlights).toEqual(['take', 'zoe', 'muller']);
  });
});

describe('a filter', () => {
  it.each([
    ['VOICE:Anna', { name: 'voice', value: 'Anna', isPrefix: true, isNegated: false }],
    ['voice:"Anna B"', { name: 'voice', value: 'Anna B', isPrefix: false, isNegated: false }],
    ['-status:Failed', { name: 'status', value: 'Failed', isPrefix: true, isNegated: true }],
    ['language:en-GB', { name: 'language', value: 'en-GB', isPrefix: true, isNegated: false }],
    ['is:favourite', { name: 'is', value: 'favourite', isPrefix: true, isNegated: false }],
  ])('is parsed from %j', (text, filter) => {
    expect(parseQuery(text, now)).toMatchObject({ words: [], filters: [filter], errors: [] });
  });

  it.each<[string, readonly unknown[]]>([
    ['voice:', [['empty', 0, 6]]],
    ['take voice:"" end', [['empty', 5, 13]]],
    ['colour:red', [['unknown-filter', 0, 10]]],
    ['status:fine', [['bad-value', 0, 11]]],
    ['kind:song', [['bad-value', 0, 9]]],
    ['language:x', [['bad-value', 0, 10]]],
    ['language:_', [['bad-value', 0, 10]]],
    ['voice:!!', [['bad-value', 0, 8]]],
    // Signs alone are no word to look for.
    [' !!!', [['no-word', 1, 4]]],
    ['*** -(', [['no-word', 0, 3]]],
    ['-!', [['no-word', 0, 2]]],
    ['!! status:done', []],
    ['after:tomorrow-ish', [['bad-date', 0, 18]]],
    ['after:2026-02-30', [['bad-date', 0, 16]]],
    ['before:2026-13', [['bad-date', 0, 14]]],
    ['"harbour ta', [['open-quote', 0, 11]]],
    ['voice:"Anna', [['open-quote', 0, 11]]],
  ])('that is invalid is reported: %j', (text, errors) => {
    expect(errorsOf(text)).toEqual(errors);
  });
});

describe('dates', () => {
  it.each<[string, number, number]>([
    ['after:2026', day(2026, 1, 1), Infinity],
    ['after:2026-02', day(2026, 2, 1), Infinity],
    ['after:2026-02-03', day(2026, 2, 3), Infinity],
    ['before:2026-03-01', 0, day(2026, 3, 1)],
    ['after:2026-01 before:2026-02', day(2026, 1, 1), day(2026, 2, 1)],
    ['after:2026-01 after:2026-02', day(2026, 2, 1), Infinity],
    ['-after:2026-02', 0, day(2026, 2, 1)],
    ['after:today', day(2026, 3, 15), Infinity],
    ['AFTER:Yesterday', day(2026, 3, 14), Infinity],
    ['after:7d', day(2026, 3, 8), Infinity],
    ['after:2w', day(2026, 3, 1), Infinity],
    ['before:1m', 0, day(2026, 2, 15)],
    ['after:1y', day(2025, 3, 15), Infinity],
  ])('%s', (text, since, until) => {
    expect(parseQuery(text, now)).toMatchObject({ since, until, errors: [], filters: [], words: [] });
  });
});

it('counts calendar months, and ends on the last day of a shorter month', () => {
  const lastOfMarch = new Date(2026, 2, 31, 12).getTime();
  expect(parseQuery('after:1m', lastOfMarch).since).toBe(day(2026, 2, 28));
});

it('parses any text, into parts that are in the order of the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom('"', '-', ':', 'voice:', 'a', ' ', '東', '*', '(')).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (written) => {
      let end = 0;
      for (const { from, to } of splitQuery(written)) {
        expect(written.slice(end, from).trim()).toBe('');
        expect(to).toBeGreaterThan(from);
        end = to;
      }
      expect(written.slice(end).trim()).toBe('');
      parseQuery(written, now);
    }),
  );
});
