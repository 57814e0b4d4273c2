import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTextFile } from './read-text-file.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'timbre-text-'))));
afterAll(() => rm(folder, { recursive: true }));

async function textOf(bytes: string | Uint8Array): Promise<string> {
  const path = join(folder, 'text.txt');
  await writeFile(path, bytes);
  return readTextFile(path);
}

describe('the text of a file', () => {
  it('is read as UTF-8, without the mark at its beginning', async () => {
    expect(await textOf('Grüße 🌊\n')).toBe('Grüße 🌊\n');
    expect(await textOf('\ufeffHello')).toBe('Hello');
  });

  it('is refused by its own name where it is no UTF-8, too long, or cannot be read', async () => {
    await expect(textOf(Buffer.from('Grüße', 'latin1'))).rejects.toMatchObject({ code: 'input/not-text' });
    await expect(textOf(Buffer.alloc(16 * 1024 ** 2 + 1, 'a'))).rejects.toMatchObject({ code: 'input/text-too-long' });
    await expect(readTextFile(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'input/unreadable' });
    await expect(readTextFile(folder)).rejects.toMatchObject({ code: 'input/unreadable' });
  });
});
