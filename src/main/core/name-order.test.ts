import { expect, it } from 'vitest';
import type { Language } from '../../shared/schemas/settings.ts';
import { createNameOrder } from './name-order.ts';

it('orders names as the selected language does, also after it is changed, and numbers by their value', () => {
  let language: Language = 'es';
  const compare = createNameOrder(() => language);
  const sorted = (names: readonly string[]) => names.toSorted(compare).join(' ');
  expect(sorted(['nz', 'ña', 'o'])).toBe('nz ña o');
  language = 'de';
  expect(sorted(['nz', 'ña', 'o'])).toBe('ña nz o');
  language = 'pl';
  expect(sorted(['lz', 'ła', 'm'])).toBe('lz ła m');
  language = 'system';
  expect(sorted(['Take 10', 'Take 9'])).toBe('Take 9 Take 10');
});
