import { describe, expect, test } from 'vitest';
import type { HistorySuggestions } from '../../../shared/wire/history.ts';
import { HistoryQuery } from './history-query.svelte.ts';

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
