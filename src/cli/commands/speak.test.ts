import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCliMessages } from '../../shared/messages/cli.ts';
import { matchesTargetExtension, readText, parseOut } from './speak.ts';

const en = await loadCliMessages('en');

describe('readText', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'timbre-text-'))));
  afterAll(() => rm(folder, { recursive: true }));

  const messages = en;
  const { signal } = new AbortController();
  const nothing = Readable.from([]);

  describe('a text from a file', () => {
    it('is rejected with a sentence that names the file', async () => {
      const path = join(folder, 'cyrillic.txt');
      await writeFile(path, Buffer.from('cff0e8e2e5f2', 'hex'));
      await expect(readText(path, messages, nothing, signal)).rejects.toMatchObject({
        code: 'input/not-text',
        message: messages.cli.speak.notUtf8({ path }),
      });
      const nowhere = join(folder, 'nowhere');
      await expect(readText(nowhere, messages, nothing, signal)).rejects.toMatchObject({
        code: 'input/unreadable',
        message: messages.cli.speak.noFile({ path: nowhere }),
      });
    });

    it.each(['utf8', 'utf16le', 'utf16be'] as const)('is read by its mark: %s', async (encoding) => {
      const path = join(folder, 'marked.txt');
      const bytes = Buffer.from('\ufeffGrüße 🌊', encoding === 'utf8' ? 'utf8' : 'utf16le');
      await writeFile(path, encoding === 'utf16be' ? bytes.swap16() : bytes);
      expect(await readText(path, messages, nothing, signal)).toBe('Grüße 🌊');
      expect(await readText('-', messages, Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]), signal)).toBe(
        'Grüße 🌊',
      );
    });

    it('is not awaited from a pipe that nothing writes to, or a device', async () => {
      const path = join(folder, 'pipe.txt');
      execFileSync('mkfifo', [path]);
      expect(await readText(path, messages, nothing, signal)).toBe('');
      await expect(readText('/dev/zero', messages, nothing, signal)).rejects.toMatchObject({
        code: 'input/not-a-file',
        message: messages.cli.speak.notAFile({ path: '/dev/zero' }),
      });
    });

    it('is read from stdin for -, also if a character is split between chunks', async () => {
      const bytes = Buffer.from('Grüße');
      const stdin = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
      expect(await readText('-', messages, stdin, signal)).toBe('Grüße');
    });
  });
});

describe('parseOut', () => {
  describe('the name in --out', () => {
    it.each([
      ['/to/hello.wav', 'hello'],
      ['/to/Hello.WAV', 'Hello'],
      ['/to/hello', 'hello'],
      ['/to/version 1.2', 'version 1.2'],
      ['/to/hello.wav.mp3', 'hello.wav'],
      ['/to/{name }.wav', '{name }'],
    ])('%s gives the stem %s, without an audio extension', (out, stem) => {
      expect(parseOut(out)).toEqual({ path: out, folder: '/to', stem, fields: [] });
    });

    it('is resolved against the current folder', () => {
      expect(parseOut('hello.wav')).toMatchObject({ path: join(process.cwd(), 'hello.wav'), folder: process.cwd() });
    });

    it('matches its own extension, or any if it has none', () => {
      expect(matchesTargetExtension('/to/hello (2).wav', parseOut('/to/hello.WAV'))).toBe(true);
      expect(matchesTargetExtension('/to/hello.ogg', parseOut('/to/hello.wav'))).toBe(false);
      expect(matchesTargetExtension('/to/version 1.2.ogg', parseOut('/to/version 1.2'))).toBe(true);
    });

    it('lists the template fields that it contains', () => {
      expect(parseOut('/to/{voice} {date}.wav').fields).toEqual(['{voice}', '{date}']);
    });
  });
});
