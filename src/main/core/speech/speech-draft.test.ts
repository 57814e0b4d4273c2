import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textParts, unitsInPart } from '../../../shared/text/text-parts.ts';
import { createSpeechDraft, type SpeechDraft } from './speech-draft.ts';

describe('createSpeechDraft', () => {
  let folder = '';
  let retry: PromiseWithResolvers<void>;
  const openDraft = () => createSpeechDraft(path, { sleep: () => retry.promise });
  let path = '';
  beforeEach(async () => {
    retry = Promise.withResolvers();
    folder = await mkdtemp(join(tmpdir(), 'timbre-speech-draft-'));
    path = join(folder, 'speech', 'draft.txt');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function keep(speechDraft: SpeechDraft, text: string): Promise<void> {
    const pieces = textParts(text);
    for (const [part, piece] of pieces.entries()) await speechDraft.save({ part, parts: pieces.length, text: piece });
  }
  async function readAll(speechDraft: SpeechDraft, which: 'draft' | 'opened'): Promise<string> {
    const first = await speechDraft.readPart(which, 0);
    let text = first.text;
    for (let part = 1; part < first.parts; part += 1) text += (await speechDraft.readPart(which, part)).text;
    return text;
  }

  /** Longer than a message, and cut in the middle of a character that takes two units. */
  const text = 'x'.repeat(unitsInPart - 1) + '🌊' + 'Grüße '.repeat(20_000);

  describe('the draft', () => {
    it('is kept in memory if the disk rejects it, and written once that works', async () => {
      await mkdir(path, { recursive: true });
      const speechDraft = openDraft();
      await expect(keep(speechDraft, 'typed')).rejects.toMatchObject({ code: 'data/not-writable' });
      expect(await speechDraft.read()).toBe('typed');
      await rm(path, { recursive: true });
      retry.resolve();
      await expect.poll(() => readFile(path, 'utf8')).toBe('typed');
    });

    it('is empty at first', async () => {
      expect(await openDraft().readPart('draft', 0)).toEqual({ part: 0, parts: 1, text: '' });
    });

    it('survives a restart, whatever its length', async () => {
      await keep(openDraft(), text);
      const speechDraft = openDraft();
      expect(await readAll(speechDraft, 'draft')).toBe(text);
      expect(await speechDraft.read()).toBe(text);
    });

    it('is readable by this user only', async () => {
      await keep(openDraft(), 'private');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(join(folder, 'speech'))).mode & 0o777).toBe(0o700);
    });

    it('is the last saved text, also on disk, if several are saved at once', async () => {
      const speechDraft = openDraft();
      await Promise.all(['one', 'two', 'three'].map((text) => keep(speechDraft, text)));
      expect(await speechDraft.read()).toBe('three');
      expect(await readFile(path, 'utf8')).toBe('three');
    });

    it('keeps its text until the last part of the next one has arrived', async () => {
      const speechDraft = openDraft();
      await keep(speechDraft, 'whole');
      await speechDraft.save({ part: 0, parts: 2, text: 'half' });
      expect(await speechDraft.read()).toBe('whole');
      await expect(speechDraft.save({ part: 2, parts: 3, text: 'gap' })).rejects.toMatchObject({
        code: 'request/invalid',
      });
      expect(await speechDraft.read()).toBe('whole');
    });

    it('can be spoken although it cannot be saved, which is reported', async () => {
      await writeFile(join(folder, 'speech'), 'a file in the way');
      const speechDraft = openDraft();
      await expect(keep(speechDraft, 'text')).rejects.toMatchObject({ code: 'data/not-writable' });
      expect(await speechDraft.read()).toBe('text');
      await rm(join(folder, 'speech'));
      await keep(speechDraft, 'text');
      expect(await readFile(path, 'utf8')).toBe('text');
    });
  });

  describe('a text file that is opened', () => {
    it('is read in parts, and leaves the draft unchanged', async () => {
      const speechDraft = openDraft();
      await keep(speechDraft, 'draft');
      speechDraft.setOpened(text);
      expect(await readAll(speechDraft, 'opened')).toBe(text);
      expect(await readAll(speechDraft, 'draft')).toBe('draft');
    });
  });
});
