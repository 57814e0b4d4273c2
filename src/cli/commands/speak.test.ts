import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../shared/messages/en.ts';
import { endingFits, readText, targetName } from './speak.ts';

describe('read text', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'timbre-text-'))));
  afterAll(() => rm(folder, { recursive: true }));

  const messages = en;
  const { signal } = new AbortController();
  const nothing = Readable.from([]);

  describe('a text that is named on the command line', () => {
    it('is refused in words that name the file', async () => {
      const path = join(folder, 'latin.txt');
      await writeFile(path, Buffer.from('Grüße', 'latin1'));
      await expect(readText(path, messages, nothing, signal)).rejects.toMatchObject({
        code: 'input/not-text',
        message: messages.cli.speak.notUtf8(path),
      });
      const nowhere = join(folder, 'nowhere');
      await expect(readText(nowhere, messages, nothing, signal)).rejects.toMatchObject({
        code: 'input/unreadable',
        message: messages.cli.speak.noFile(nowhere),
      });
    });

    it('comes from stdin where it is called -, however its characters are cut', async () => {
      const bytes = Buffer.from('Grüße');
      const stdin = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
      expect(await readText('-', messages, stdin, signal)).toBe('Grüße');
    });
  });
});

describe('wished name', () => {
  describe('the name that --out asks for', () => {
    it.each([
      ['/to/hello.wav', 'hello'],
      ['/to/Hello.WAV', 'Hello'],
      ['/to/hello', 'hello'],
      ['/to/version 1.2', 'version 1.2'],
      ['/to/hello.wav.mp3', 'hello.wav'],
      ['/to/{name }.wav', '{name }'],
    ])('of %s is %s, without the ending of a sound', (out, stem) => {
      expect(targetName(out)).toEqual({ path: out, folder: '/to', stem, fields: [] });
    });

    it('is looked for in the current folder', () => {
      expect(targetName('hello.wav')).toMatchObject({ path: join(process.cwd(), 'hello.wav'), folder: process.cwd() });
    });

    it('fits a sound of its ending, or of any where it has none', () => {
      expect(endingFits('/to/hello (2).wav', targetName('/to/hello.WAV'))).toBe(true);
      expect(endingFits('/to/hello.ogg', targetName('/to/hello.wav'))).toBe(false);
      expect(endingFits('/to/version 1.2.ogg', targetName('/to/version 1.2'))).toBe(true);
    });

    it('tells of fields that would be filled in', () => {
      expect(targetName('/to/{voice} {date}.wav').fields).toEqual(['{voice}', '{date}']);
    });
  });
});
