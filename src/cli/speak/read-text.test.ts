import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messagesFor } from '../../shared/messages/index.ts';
import { readText } from './read-text.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'timbre-text-'))));
afterAll(() => rm(folder, { recursive: true }));

const { signal } = new AbortController();
const nothing = Readable.from([]);
async function textOf(bytes: string | Uint8Array): Promise<string> {
  const path = join(folder, 'text.txt');
  await writeFile(path, bytes);
  return readText(path, messagesFor('en'), nothing, signal);
}
const refusal = (work: Promise<string>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code: string }).code,
  );

describe('the text of a file', () => {
  it('is read as UTF-8, without the mark at its beginning', async () => {
    expect(await textOf('Grüße 🌊\n')).toBe('Grüße 🌊\n');
    expect(await textOf('\ufeffHello')).toBe('Hello');
  });

  it('is refused where it is no UTF-8, too long, or cannot be read', async () => {
    expect(await refusal(textOf(Buffer.from('Grüße', 'latin1')))).toBe('input/unreadable');
    expect(await refusal(textOf(Buffer.alloc(16 * 1024 ** 2 + 1, 'a')))).toBe('input/text-too-long');
    expect(await refusal(readText(join(folder, 'nowhere'), messagesFor('en'), nothing, signal))).toBe(
      'input/unreadable',
    );
    expect(await refusal(readText(folder, messagesFor('en'), nothing, signal))).toBe('input/unreadable');
  });

  it('comes from stdin where it is called -, however its characters are cut', async () => {
    const bytes = Buffer.from('Grüße');
    const stdin = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    expect(await readText('-', messagesFor('en'), stdin, signal)).toBe('Grüße');
  });
});
