import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from './shell-word.ts';

const names = ['Studio', 'Çınar-2', 'My Studio', "Ann's", 'a"b', '$HOME `id` \\', '*', ''];

it('is a word as the user would type it', () => {
  expect(names.map((name) => shellWord(name, 'linux')).slice(0, 4)).toEqual([
    'Studio',
    'Çınar-2',
    "'My Studio'",
    "'Ann'\\''s'",
  ]);
  expect(shellWord('My Studio', 'win32')).toBe('"My Studio"');
});

it.skipIf(process.platform === 'win32')('is read by a shell as it was', () => {
  const words = names.map((name) => shellWord(name, 'linux')).join(' ');
  expect(execFileSync('sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' })).toBe(`${names.join('\n')}\n`);
});
