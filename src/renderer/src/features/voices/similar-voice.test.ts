import { describe, expect, test } from 'vitest';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { findSimilarVoice, findVoicesLike } from './similar-voice.ts';

const voiceOf = (id: string, change: Partial<Voice> = {}): Voice => ({
  id,
  name: id,
  language: 'en-GB',
  gender: 'female',
  category: 'narration',
  ...change,
});
const gone = voiceOf('gone', { name: 'Anna' });

test.each<[string, readonly Voice[], string | null]>([
  ['the same name, although its language differs', [voiceOf('a'), voiceOf('b', { name: 'ANNA', language: 'de' })], 'b'],
  [
    'the same gender before the same region',
    [voiceOf('a', { gender: 'male' }), voiceOf('b', { language: 'en-US' })],
    'b',
  ],
  [
    'the same region before the same category',
    [voiceOf('a', { language: 'en' }), voiceOf('b', { category: 'x' })],
    'b',
  ],
  ['the first of several that are equally like it', [voiceOf('a'), voiceOf('b')], 'a'],
  ['not the voice itself', [voiceOf('gone', { name: 'Anna' }), voiceOf('b')], 'b'],
  ['none of another language', [voiceOf('a', { language: 'de-DE' }), voiceOf('b', { language: '' })], null],
  ['none of an empty catalogue', [], null],
])('the most similar voice is %s', (_rule, voices, id) => {
  expect(findSimilarVoice(gone, voices)?.id ?? null).toBe(id);
});

test('facts that are missing are not alike', () => {
  const unknown = { language: '', gender: '', category: '' };
  const bare = voiceOf('bare', { name: 'Anna', ...unknown });
  expect(findSimilarVoice(bare, [voiceOf('a', unknown)])).toBeNull();
  const namesakes = [voiceOf('a', { name: 'Anna' }), voiceOf('b', { name: 'Anna', ...unknown })];
  expect(findSimilarVoice(bare, namesakes)?.id).toBe('a');
});

describe('voices that sound alike', () => {
  const of = (id: string): Voice => ({ id, name: id, language: 'en-GB', gender: 'female', category: 'natural' });
  const sound = (f0Hz: number | null, brightness: number) => ({ f0Hz, brightness, levelDb: null });
  const all = ['near', 'far', 'self', 'same', 'bright', 'unvoiced', 'unheard'].map(of);
  const heard = new Map([
    ['self', sound(200, 0.4)],
    ['same', sound(202, 0.41)],
    ['near', sound(230, 0.4)],
    ['bright', sound(200, 0.9)],
    ['far', sound(100, 0.4)],
    ['unvoiced', sound(null, 0.4)],
  ]);

  test('are those that are near in pitch and brightness, the nearest first', () => {
    expect(findVoicesLike(of('self'), all, heard).map(({ id }) => id)).toEqual(['same', 'near']);
  });

  test('are none for a voice that was not heard or has no pitch', () => {
    expect(findVoicesLike(of('unheard'), all, heard)).toEqual([]);
    expect(findVoicesLike(of('unvoiced'), all, heard)).toEqual([]);
  });
});
