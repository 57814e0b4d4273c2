import { describe, expect, it } from 'vitest';
import type { Voice } from '../../../shared/wire/voice.ts';
import { createWholePasses } from './whole-passes.ts';

const voice = (id: string): Voice => ({ id, name: id, language: 'en-GB', gender: 'male', category: 'c' });
const pages = [['a', 'b'], ['c', 'd'], ['e']].map((ids) => ids.map(voice));

function setUp() {
  const passes = createWholePasses();
  const add = (page: number, { total = 5, voices = pages[page] ?? [], limit = 2, language = '', at = page } = {}) =>
    passes.add('c', { page, limit, language }, { page, limit, total, voices }, at);
  return { add, idsOf: (pass: ReturnType<typeof add>) => pass?.voices.map(({ id }) => id).join('') };
}

describe('a whole pass', () => {
  it('ends with the page that brings the last voice, and is as old as its first', () => {
    const { add, idsOf } = setUp();
    expect(add(0, { at: 10 })).toBeUndefined();
    expect(add(1, { at: 20 })).toBeUndefined();
    const pass = add(2, { at: 30 });
    expect([idsOf(pass), pass?.beganAt]).toEqual(['abcde', 10]);
  });

  it('is one page where all voices stand on it, and none where there are none', () => {
    const { add } = setUp();
    expect(add(0, { total: 2 })?.voices).toHaveLength(2);
    expect(add(0, { total: 0, voices: [] })?.voices).toEqual([]);
  });

  it('ends where the service has no more to show, whatever its total says', () => {
    const { add, idsOf } = setUp();
    for (const page of [0, 1, 2]) expect(add(page, { total: 99 })).toBeUndefined();
    expect(idsOf(add(3, { total: 99 }))).toBe('abcde');
    expect(add(0, { total: 99, voices: [] })).toBeUndefined();
  });

  it.each([
    ['a page is left out', [0, 2]],
    ['it does not begin at the first page', [1, 2]],
    ['a page comes twice', [0, 1, 1, 2]],
  ])('is none where %s', (_case, order) => {
    const { add } = setUp();
    expect(order.map((page) => add(page)).every((pass) => pass === undefined)).toBe(true);
  });

  it('is none where the catalogue grew on the way, and begins again with the next first page', () => {
    const { add, idsOf } = setUp();
    add(0);
    add(1);
    expect(add(2, { total: 6 })).toBeUndefined();
    add(0);
    add(1);
    expect(idsOf(add(2))).toBe('abcde');
  });

  it('is never one of filtered pages, and is not disturbed by them or by another reader', () => {
    const { add, idsOf } = setUp();
    expect(add(0, { language: 'de', total: 2 })).toBeUndefined();
    add(0);
    add(0, { language: 'de', total: 2 });
    add(0, { limit: 3, voices: [voice('a'), voice('b'), voice('c')] });
    add(1);
    expect(idsOf(add(1, { limit: 3, voices: [voice('d'), voice('e')] }))).toBe('abcde');
    expect(idsOf(add(2))).toBe('abcde');
  });
});
