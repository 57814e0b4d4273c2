import { describe, expect, test } from 'vitest';
import type { HistorySuggestions } from '../../../../shared/schemas/history.ts';
import { spanOf, spans, startOf } from './query-dates.ts';
import { HistoryQuery, joinQuery, readFilter, restStart, splitQuery } from './query.svelte.ts';

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
        query.write(rest, rest.length);
      }
    };
    return { query, changes, type, chips: () => query.filters.map(({ text }) => text) };
  }

  describe('what is searched for', () => {
    test('makes a filter of what is written, once a space follows', () => {
      const { type, chips, query } = setUp();
      type('voice:anna lamp');
      expect([chips(), query.rest, query.text]).toEqual([['voice:anna'], 'lamp', 'voice:anna lamp']);
    });

    test('does not ask for a filter whose value is about to be written', () => {
      const { type, changes, query } = setUp();
      type('lamp voice:');
      expect(changes.at(-1)).toBe('lamp');
      expect(query.text).toBe('lamp');
      query.leave();
      expect(changes.at(-1)).toBe('lamp voice:');
    });

    test('goes on as was suggested', async () => {
      const { type, query, chips } = setUp((text, caret) => ({
        from: text.lastIndexOf(' ', caret - 1) + 1,
        to: caret,
        items: [{ insert: 'voice:"Marit Solheim"', label: 'Marit Solheim' }],
      }));
      type('is:favourite voice:ma');
      await expect.poll(() => query.suggestions.length).toBe(1);
      const [first] = query.suggestions;
      if (first) query.take(first);
      expect([chips(), query.rest]).toEqual([['is:favourite', 'voice:"Marit Solheim"'], '']);
    });

    test('gives a filter back to be changed', () => {
      const { type, query, chips } = setUp();
      type('voice:anna tag:x lamp');
      query.unfold();
      expect([chips(), query.rest]).toEqual([['voice:anna'], 'tag:x lamp']);
    });

    test('has one span of time, and a filter once', () => {
      const { query, chips } = setUp();
      query.toggle('is', 'favourite');
      query.since('2026-01-01');
      query.since('2026-11-01');
      expect(chips()).toEqual(['is:favourite', 'after:2026-11-01']);
      query.toggle('is', 'favourite');
      query.since(null);
      expect(chips()).toEqual([]);
    });

    test('tells of changes only', () => {
      const { query, changes, type } = setUp();
      type('a ');
      query.write('a  ', 3);
      expect(changes).toEqual(['a']);
    });
  });
});

describe('query parts', () => {
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
      expect(readFilter('-voice:"Marit Solheim"')).toMatchObject({
        name: 'voice',
        value: 'Marit Solheim',
        isNot: true,
      });
    });
  });
});

describe('filter dates', () => {
  const now = new Date(2026, 2, 3, 0, 30).getTime();
  const filters = (...texts: readonly string[]) => texts.map(readFilter).filter((filter) => filter !== null);

  describe('a span of time', () => {
    test('begins so many days before today, by the calendar', () => {
      expect(spans.map((span) => startOf(span, now))).toEqual([
        null,
        '2026-03-03',
        '2026-02-25',
        '2026-02-02',
        '2026-01-01',
      ]);
    });

    test('is known again from its filter', () => {
      for (const span of spans) {
        const start = startOf(span, now);
        expect(spanOf(start === null ? [] : filters(`after:${start}`), now)).toBe(span);
      }
    });

    test('is another where the filters say more, or something else', () => {
      expect(spanOf(filters('after:2026'), now)).toBe('other');
      expect(spanOf(filters('after:2026-03-03', 'before:2026-03-04'), now)).toBe('other');
      expect(spanOf(filters('-after:2026-03-03'), now)).toBe('other');
    });
  });
});
