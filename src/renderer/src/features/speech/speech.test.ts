import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { type SpeechSettings, type TextPart, textParts, unitsInPart } from '../../../../shared/schemas/speech.ts';
import type { Api } from '../../lib/api.ts';
import { Speech } from './speech.svelte.ts';

const settings: SpeechSettings = {
  voiceId: 'low-bronze',
  language: '',
  speed: 1,
  pitch: 1,
  engine: 'v7',
  platform: 'web',
};
const book = 'word '.repeat(unitsInPart / 2);

beforeEach(() => void vi.useFakeTimers());

interface Main {
  readonly draft?: string;
  readonly file?: string;
  readonly change?: Partial<Api['speech']>;
}

function setUp({ draft = '', file = '', change = {} }: Main = {}) {
  const calls: string[] = [];
  let kept = draft;
  let pieces: string[] = [];
  const api: Api['speech'] = {
    saveDraft: ({ part, parts, text }) => {
      if (part === 0) pieces = [];
      pieces.push(text);
      calls.push(`keep ${part + 1}/${parts}`);
      if (pieces.length === parts) kept = pieces.join('');
      return Promise.resolve();
    },
    readText: ({ which, part }): Promise<TextPart> => {
      const parts = textParts(which === 'draft' ? kept : file);
      return Promise.resolve({ part, parts: parts.length, text: parts[part] ?? '' });
    },
    openFile: () => Promise.resolve(file === '' ? null : { name: 'book.txt' }),
    speak: ({ length }) => {
      calls.push(`speak ${length} of ${kept.length}`);
      return Promise.resolve({ id: 'job' });
    },
    ...change,
  };
  return { speech: new Speech(api), calls, kept: () => kept };
}

describe('what is written', () => {
  test('is kept when the person pauses, and not at each letter', async () => {
    const { speech, calls, kept } = setUp();
    await speech.load();
    'Hello'.split('').forEach((_, k, all) => speech.write(all.slice(0, k + 1).join('')));
    await vi.runAllTimersAsync();
    expect(kept()).toBe('Hello');
    expect(calls).toEqual(['keep 1/1']);
  });

  test('is kept within a second, however steadily somebody types (U2)', async () => {
    const { speech, kept } = setUp();
    await speech.load();
    for (let k = 1; k <= 100; k += 1) {
      speech.write('a'.repeat(k));
      await vi.advanceTimersByTimeAsync(100);
      // Ten letters a second: never more than a second of them is missing.
      expect(k - kept().length).toBeLessThanOrEqual(10);
    }
  });

  test('is kept at once where the window is about to go (U2)', async () => {
    const { speech, kept } = setUp();
    await speech.flush();
    expect(kept()).toBe('');
    await speech.load();
    speech.write('last words');
    await speech.flush();
    expect(kept()).toBe('last words');
  });

  test('is there again next time, however long it is', async () => {
    const { speech } = setUp({ draft: book });
    await speech.load();
    expect(speech.text).toBe(book);
    expect(speech.isLoaded).toBe(true);
  });

  test('last time is not written over before it has arrived, nor where it could not be read', async () => {
    const faults = [new AppError('input/unreadable', '')];
    const { speech, calls } = setUp({
      change: {
        readText: () => {
          const fault = faults.shift();
          return fault ? Promise.reject(fault) : Promise.resolve({ part: 0, parts: 1, text: 'old' });
        },
      },
    });
    await speech.load();
    speech.write('new');
    await vi.runAllTimersAsync();
    expect([speech.text, speech.problem?.code, calls]).toEqual(['', 'input/unreadable', []]);
    await speech.load();
    expect([speech.text, speech.problem, speech.isLoaded]).toEqual(['old', null, true]);
  });

  test('says why it could not be kept, and is kept by the next change', async () => {
    const faults = [new AppError('output/not-writable', '')];
    const { speech } = setUp({
      change: {
        saveDraft: () => {
          const fault = faults.shift();
          return fault ? Promise.reject(fault) : Promise.resolve();
        },
      },
    });
    await speech.load();
    speech.write('a');
    await vi.runAllTimersAsync();
    expect(speech.problem?.code).toBe('output/not-writable');
    speech.write('ab');
    await vi.runAllTimersAsync();
    expect(speech.problem).toBeNull();
  });

  test('says nothing about a file that cannot be opened: what is wrong with that stays', async () => {
    const { speech } = setUp({
      change: { openFile: () => Promise.reject(new AppError('input/not-text', 'not UTF-8')) },
    });
    await speech.load();
    speech.write('My own words.');
    await speech.open();
    await vi.runAllTimersAsync();
    await speech.flush();
    expect(speech.problem?.code).toBe('input/not-text');
    speech.dismissProblem();
    expect(speech.problem).toBeNull();
  });

  test('is counted in characters, as services do', async () => {
    const { speech } = setUp();
    await speech.load();
    speech.write('Grüße 🌊');
    expect(speech.length).toBe(7);
    speech.write('  \n');
    expect(speech.isEmpty).toBe(true);
  });
});

describe('speaking', () => {
  test('speaks just what the person sees, also while it is still to be kept', async () => {
    const { speech, calls } = setUp();
    await speech.load();
    speech.write('Good evening.');
    await speech.speak(settings);
    expect(calls).toEqual(['keep 1/1', 'speak 13 of 13']);
  });

  test('makes one job of two presses', async () => {
    const { speech, calls } = setUp({ draft: 'once' });
    await speech.load();
    await Promise.all([speech.speak(settings), speech.speak(settings)]);
    expect(calls).toEqual(['speak 4 of 4']);
  });

  test('knows what was handed over until text or settings change', async () => {
    const { speech } = setUp({ draft: 'once' });
    await speech.load();
    expect(speech.isHandedOver(settings)).toBe(false);
    await speech.speak(settings);
    expect(speech.isHandedOver(settings)).toBe(true);
    expect(speech.isHandedOver({ ...settings, speed: 2 })).toBe(false);
    speech.write('twice');
    expect(speech.isHandedOver(settings)).toBe(false);
  });

  test('that is refused says why, and nothing counts as handed over', async () => {
    const refused = () => Promise.reject(new AppError('input/text-too-long', '', { facts: { limitCharacters: 3 } }));
    const { speech } = setUp({ draft: 'text', change: { speak: refused } });
    await speech.load();
    await speech.speak(settings);
    expect(speech.problem).toEqual({ code: 'input/text-too-long', facts: { limitCharacters: 3 } });
    expect([speech.isHandedOver(settings), speech.isBusy]).toEqual([false, false]);
  });
});

test('a text file is handed over whole, and a closed dialog changes nothing', async () => {
  const { speech } = setUp({ file: book });
  expect(await speech.open()).toBe(book);
  expect(await setUp().speech.open()).toBeNull();
});
