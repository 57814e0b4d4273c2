import { expect, it } from 'vitest';
import { textDirection } from './text-direction.ts';

it('follows the script of the language, also where the tag names another script than the usual one', () => {
  expect(['en', 'de-AT', 'zh-Hant', 'ja', 'ks-Deva'].map(textDirection)).toEqual(Array(5).fill('ltr'));
  expect(['ar', 'ar-EG', 'he', 'fa', 'ur', 'ckb', 'az-Arab'].map(textDirection)).toEqual(Array(7).fill('rtl'));
});
