import { describe, expect, test } from 'vitest';
import type { HistorySuggestions } from '../../../../shared/schemas/history.ts';
import {
  HistoryQuery,
  joinQuery,
  parseFilter,
  restStart,
  spanOf,
  spans,
  spanStart,
  splitQuery,
} from './query.svelte.ts';

describe('history query', () => {
  function setUp(answer: (text: string, caret: number) => HistorySuggestions = () => ({ from: 0, to: 0, items: [] })) {
    const changes: string[] = [];
    const query: HistoryQuery = new HistoryQuery(
      ({ text, caret }) => Promise.resolve(answer(text, caret)),
      () => changes.push(query.text),
    );
    const type = (text: string) => {
      for (let end = 1; end <= text.length; end++) {
        const rest = query.rest + text.slice(end - 1, end);
        query.edit(rest, rest.length);
      }
    };
    return { query, changes, type, chips: () => query.filters.map(({ text }) => text) };
  }

  test('turns a word into a filter once a space follows', () => {
    const { type, chips, query } = setUp();
    type('voice:anna lamp');
    expect([chips(), query.rest, query.text]).toEqual([['voice:anna'], 'lamp', 'voice:anna lamp']);
  });

  test('does not search for a filter without a value', () => {
    const { type, changes, query } = setUp();
    type('lamp voice:');
    expect(changes.at(-1)).toBe('lamp');
    expect(query.text).toBe('lamp');
    query.endEditing();
    expect(changes.at(-1)).toBe('lamp voice:');
  });

  test('inserts a suggestion', async () => {
    const { type, query, chips } = setUp((text, caret) => ({
      from: text.lastIndexOf(' ', caret - 1) + 1,
      to: caret,
      items: [{ insert: 'voice:"Marit Solheim"', label: 'Marit Solheim' }],
    }));
    type('is:favourite voice:ma');
    await expect.poll(() => query.suggestions.length).toBe(1);
    const [first] = query.suggestions;
    if (first) query.acceptSuggestion(first);
    expect([chips(), query.rest]).toEqual([['is:favourite', 'voice:"Marit Solheim"'], '']);
  });

  test('moves the last filter back into the field', () => {
    const { type, query, chips } = setUp();
    type('voice:anna tag:x lamp');
    query.editLastFilter();
    expect([chips(), query.rest]).toEqual([['voice:anna'], 'tag:x lamp']);
  });

  test('has at most one date filter, and each filter once', () => {
    const { query, chips } = setUp();
    query.toggle('is', 'favourite');
    query.setStartDate('2026-01-01');
    query.setStartDate('2026-11-01');
    expect(chips()).toEqual(['is:favourite', 'after:2026-11-01']);
    query.toggle('is', 'favourite');
    query.setStartDate(null);
    expect(chips()).toEqual([]);
  });

  test('reports only changes', () => {
    const { query, changes, type } = setUp();
    type('a ');
    query.edit('a  ', 3);
    expect(changes).toEqual(['a']);
  });
});

describe('a split query', () => {
  const parts = (text: string, caret = -1) => {
    const { filters, rest } = splitQuery(text, caret);
    return [filters.map((filter) => filter.text), rest];
  };

  test.each([
    ['lamp', [[], 'lamp']],
    ['voice:anna lamp', [['voice:anna'], 'lamp']],
    ['lamp after:2026-01 oil', [['after:2026-01'], 'lamp oil']],
    ['voice:"Marit Solheim" lamp', [['voice:"Marit Solheim"'], 'lamp']],
    ['-status:failed', [['-status:failed'], '']],
    ['Voice:ANNA', [['Voice:ANNA'], '']],
  ])('has the filters of %s as chips', (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  test.each(['voice:', 'colour:red', 'voice:"open', 'https://example.org', '"voice:anna"', 'voice:""'])(
    'keeps %s as text',
    (text) => {
      expect(parts(text)).toEqual([[], text]);
    },
  );

  test('keeps a filter in the field while it is being typed', () => {
    expect(parts('voice:an', 8)).toEqual([[], 'voice:an']);
    expect(parts('voice:an ', 9)).toEqual([['voice:an'], '']);
    expect(parts('is:favourite voice:an', 21)).toEqual([['is:favourite'], 'voice:an']);
  });

  test('is joined again from its parts', () => {
    const split = splitQuery('lamp voice:anna', -1);
    expect(joinQuery(split)).toBe('voice:anna lamp ');
    expect(restStart(split)).toBe('voice:anna '.length);
    expect(joinQuery(splitQuery('', -1))).toBe('');
  });

  test('has filters with a name, a value and a negation', () => {
    expect(parseFilter('-voice:"Marit Solheim"')).toMatchObject({
      name: 'voice',
      value: 'Marit Solheim',
      isNegated: true,
    });
  });
});

describe('a date span', () => {
  const now = new Date(2026, 2, 3, 0, 30).getTime();
  const filters = (...texts: readonly string[]) => texts.map(parseFilter).filter((filter) => filter !== null);

  test('starts on a calendar day', () => {
    expect(spans.map((span) => spanStart(span, now))).toEqual([
      null,
      '2026-03-03',
      '2026-02-25',
      '2026-02-02',
      '2026-01-01',
    ]);
  });

  test('is recognized from its filter', () => {
    for (const span of spans) {
      const start = spanStart(span, now);
      expect(spanOf(start === null ? [] : filters(`after:${start}`), now)).toBe(span);
    }
  });

  test('is `other` for any other date filters', () => {
    expect(spanOf(filters('after:2026'), now)).toBe('other');
    expect(spanOf(filters('after:2026-03-03', 'before:2026-03-04'), now)).toBe('other');
    expect(spanOf(filters('-after:2026-03-03'), now)).toBe('other');
  });
});
