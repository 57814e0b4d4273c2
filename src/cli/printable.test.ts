import { describe, expect, it } from 'vitest';
import { columnsOf, cutColumns, padColumns, printable, printableJson, wrapColumns } from './printable.ts';

const acting = ['\u0000', '\u0007', '\b', '\u001b', '\u007f', '\u0080', '\u009b', '\u009f', '\u061c'];
const turning = ['\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'];

describe('a text that is printed', () => {
  it('holds nothing that a terminal would act on, and stays on its line', () => {
    expect(printable(`a${[...acting, ...turning].join('')}b`)).toBe(`a${'\ufffd'.repeat(15)}b`);
    expect(printable('one\r\ntwo\tthree')).toBe('one two three');
    expect(printable('Grüße, 東京 👩‍👩‍👧')).toBe('Grüße, 東京 👩‍👩‍👧');
  });

  it('stands escaped in JSON, where a program reads it unchanged', () => {
    const text = [...acting, ...turning].join('x');
    const json = printableJson({ text });
    expect(json).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(json)).toEqual({ text });
  });
});

describe('columns', () => {
  it.each([
    ['abc', 3],
    ['東京', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤\ufe0f', 2],
    ['ﾊﾝｶｸ', 4],
  ])('counts %s as a terminal does', (text, columns) => expect(columnsOf(text)).toBe(columns));

  it('never cut a sign in two', () => {
    expect(cutColumns('東京x', 3)).toBe('東');
    expect(cutColumns('a👩‍👩‍👧b', 3)).toBe('a👩‍👩‍👧');
  });

  it('are filled to the same width whatever the script', () => {
    expect(columnsOf(padColumns('東京', 6))).toBe(6);
    expect(padColumns('too long', 3)).toBe('too long');
  });

  it('hold every line of a paragraph that has words short enough', () => {
    const lines = wrapColumns('one two three four', 9, 2);
    expect(lines).toEqual(['one two', '  three', '  four']);
  });
});
