import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../shared/messages/en.ts';
import { readText } from './read-text.ts';

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
