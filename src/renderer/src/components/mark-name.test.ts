import { describe, expect, test } from 'vitest';
import { markName } from './mark-name.ts';

const marked = (name: string, ...terms: readonly string[]): string =>
  markName(name, terms)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('');

describe('a name', () => {
  test.each([
    ['three lamps.wav', ['lamp'], 'three [lamp]s.wav'],
    ['Lamp, LAMP', ['lamp'], '[Lamp], [LAMP]'],
    ['Café crème', ['cafe', 'creme'], '[Café] [crème]'],
    ['Cafe\u0301 x', ['cafe'], '[Cafe\u0301] x'],
    ['第四章、灯台.wav', ['灯台'], '第四章、[灯台].wav'],
    ['ｌａｍｐ', ['lamp'], '[ｌａｍｐ]'],
    ['lampamp', ['lamp', 'amp'], '[lampamp]'],
    ['no match', ['lamp'], 'no match'],
    ['no terms', [], 'no terms'],
    ['empty term', [''], 'empty term'],
    ['', ['a'], ''],
  ])('%s is marked where %s stands in it', (name, terms, expected) => {
    expect(marked(name, ...terms)).toBe(expected);
  });
});
