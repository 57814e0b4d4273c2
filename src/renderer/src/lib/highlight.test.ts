import { describe, expect, test } from 'vitest';
import { foldWords } from '../../../shared/text/fold-text.ts';
import { highlight, splitPartsAt } from './highlight.ts';

const marked = (name: string, ...terms: readonly string[]): string =>
  highlight(name, terms)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('');

describe('highlight', () => {
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
  ])('in %s, marks %s', (name, terms, expected) => {
    expect(marked(name, ...terms)).toBe(expected);
  });
});

describe('highlight marks what a search finds (H9)', () => {
  test.each([
    ['Straße 12.wav', 'strasse', '[Straße] 12.wav'],
    ['Søren.wav', 'soren', '[Søren].wav'],
    ['Łódź.wav', 'lodz', '[Łódź].wav'],
    ['Łódź.wav'.normalize('NFD'), 'lodz', `[${'Łódź'.normalize('NFD')}].wav`],
    ['Œuvre Þór', 'oeuvre', '[Œuvre] Þór'],
    ['İstanbul', 'istanbul', '[İstanbul]'],
    ['ΟΔΟΣ', 'οδος', '[ΟΔΟΣ]'],
    ['ガラス.wav'.normalize('NFD'), 'ガラス', `[${'ガラス'.normalize('NFD')}].wav`],
    ['한국.wav'.normalize('NFD'), '한국', `[${'한국'.normalize('NFD')}].wav`],
    ['مُحَمَّد', 'محمد', '[مُحَمَّد]'],
    ['👍🏽 take', '👍', '[👍🏽] take'],
    ['② take', '2', '[②] take'],
  ])('in %s for the query %s', (name, query, expected) => {
    expect(marked(name, ...foldWords(query))).toBe(expected);
  });

  test('in a name that is shown in two parts', () => {
    const [head, tail] = splitPartsAt(highlight('three lamps.wav', ['lamps']), 8);
    const show = (parts: typeof head) => parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('');
    expect([show(head), show(tail)]).toEqual(['three [la]', '[mps].wav']);
  });
});
