import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxTextBytes, readSpokenText, readTextFileBytes, textSizeProblem } from './text-file.ts';

const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};
const latin1 = (text: string) => Buffer.from(text, 'latin1');

async function read(bytes: Uint8Array | string, path = 'day 1/letter.txt') {
  const spoken = await readSpokenText(path, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return spoken.kind === 'text' ? spoken.text : spoken.problem;
}

describe('the text of a file', () => {
  it('is read as UTF-8 with or without its mark, and as UTF-16 with its mark', async () => {
    const text = 'Grüße, Łódź! 日本';
    expect(await read(text)).toBe(text);
    expect(await read(Buffer.from(`\ufeff${text}`))).toBe(text);
    expect(await read(utf16(text, false))).toBe(text);
    expect(await read(utf16(text, true))).toBe(text);
  });

  it('is read as it was saved by old Windows programs if every encoding of theirs says the same', async () => {
    expect(await read(latin1('Füße über Äcker, süß\x85 \x93ja\x94 \x96 5 \x80'))).toBe(
      'Füße über Äcker, süß… “ja” – 5 €',
    );
    expect(await read(latin1('Un café'))).toBe('Un café');
  });

  it.each([
    ['Central European or Western European letters', latin1('P\xf8\xedli\xb9 \xbelu\xbbou\xe8k\xfd')],
    ['a letter that is another one in Turkish', latin1('a\xfdlar')],
    ['Cyrillic', latin1('\xcf\xf0\xe8\xe2\xe5\xf2')],
    ['a lone Cyrillic letter', latin1('ok \xe4 ok')],
    ['East Asian bytes', latin1('\x93\xfa\x96\x7b')],
    ['UTF-16 without its mark', Buffer.from('hello', 'utf16le')],
    ['half a character at the end', Buffer.from('Grüß').subarray(0, 5)],
    ['a cut UTF-16 file', utf16('hello', false).subarray(0, 9)],
    ['NUL', 'a\0b'],
    ['other control characters', 'a\x1bb'],
    ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])],
  ])('is never guessed: %s', async (_, bytes) => {
    expect(await read(bytes)).toEqual({ code: 'input/not-text', facts: { name: 'letter.txt' } });
  });

  it.each(['', ' \r\n\t\n', '\ufeff', '\u00a0\u3000'])('may be missing: %j', async (text) => {
    expect(await read(text)).toEqual({ code: 'input/text-empty', facts: { name: 'letter.txt' } });
  });

  it.each(['7', '日', '🙂', '€', '→'])('may be as short as %j', async (text) => {
    expect(await read(text)).toBe(text);
  });

  it('may be missing in Markdown that holds only code', async () => {
    expect(await read('```\nls\n```\n', 'a.md')).toEqual({ code: 'input/text-empty', facts: { name: 'a.md' } });
  });

  it('keeps its marks in a .txt file, and loses them in a .md file', async () => {
    expect(await read('# Day *one*')).toBe('# Day *one*');
    expect(await read('# Day *one*', 'A.MD')).toBe('Day one.');
  });

  it('is not read from more bytes than anyone listens to', () => {
    expect(textSizeProblem('a.txt', maxTextBytes)).toBeNull();
    expect(textSizeProblem('b/a.txt', maxTextBytes + 1)).toEqual({
      code: 'input/text-too-long',
      facts: { name: 'a.txt', limitBytes: maxTextBytes, actualBytes: maxTextBytes + 1 },
    });
  });
});

describe('the bytes of a text file', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'timbre-text-'))));
  afterAll(() => rm(folder, { recursive: true }));

  async function readBytes(bytes: string | Uint8Array): Promise<string> {
    const path = join(folder, 'text.txt');
    await writeFile(path, bytes);
    return Buffer.from(await readTextFileBytes(path)).toString();
  }

  it('are read as they are', async () => {
    expect(await readBytes('\ufeffGrüße 🌊\n')).toBe('\ufeffGrüße 🌊\n');
  });

  it('are rejected if there are too many of them, or they cannot be read', async () => {
    await expect(readBytes(Buffer.alloc(16 * 1024 ** 2 + 1, 'a'))).rejects.toMatchObject({
      code: 'input/text-too-long',
    });
    await expect(readTextFileBytes(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'input/unreadable' });
    await expect(readTextFileBytes(folder)).rejects.toMatchObject({ code: 'input/not-a-file' });
  });
});
