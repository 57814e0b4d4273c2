import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { SpeechSettings, TextPart } from '../../../../shared/schemas/speech.ts';
import { textParts, unitsInPart } from '../../../../shared/text/text-parts.ts';
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
  let saved = draft;
  let pieces: string[] = [];
  const api: Api['speech'] = {
    saveDraft: ({ part, parts, text }) => {
      if (part === 0) pieces = [];
      pieces.push(text);
      calls.push(`save ${part + 1}/${parts}`);
      if (pieces.length === parts) saved = pieces.join('');
      return Promise.resolve();
    },
    readText: ({ which, part }): Promise<TextPart> => {
      const parts = textParts(which === 'draft' ? saved : file);
      return Promise.resolve({ part, parts: parts.length, text: parts[part] ?? '' });
    },
    outline: () => Promise.reject(new Error('not asked for here')),
    listPassages: () => Promise.reject(new Error('not asked for here')),
    chooseTake: () => Promise.reject(new Error('not asked for here')),
    takeUsage: () => Promise.reject(new Error('not asked for here')),
    removeTakes: () => Promise.reject(new Error('not asked for here')),
    openFiles: () => Promise.resolve(null),
    openDraft: () => Promise.reject(new Error('not asked for here')),
    listBatch: () => Promise.reject(new Error('not asked for here')),
    speakBatch: () => Promise.reject(new Error('not asked for here')),
    speak: ({ length }) => {
      calls.push(`speak ${length} of ${saved.length}`);
      return Promise.resolve({ id: 'job' });
    },
    ...change,
  };
  return { speech: new Speech(api), calls, saved: () => saved };
}

describe('the draft', () => {
  test('is saved when the user pauses, not on each letter', async () => {
    const { speech, calls, saved } = setUp();
    await speech.load();
    'Hello'.split('').forEach((_, k, all) => speech.write(all.slice(0, k + 1).join('')));
    await vi.runAllTimersAsync();
    expect(saved()).toBe('Hello');
    expect(calls).toEqual(['save 1/1']);
  });

  test('is saved within a second while the user keeps typing (U2)', async () => {
    const { speech, saved } = setUp();
    await speech.load();
    for (let k = 1; k <= 100; k += 1) {
      speech.write('a'.repeat(k));
      await vi.advanceTimersByTimeAsync(100);
      // Ten letters a second: at most one second of them is unsaved.
      expect(k - saved().length).toBeLessThanOrEqual(10);
    }
  });

  test('is saved at once before the window closes (U2)', async () => {
    const { speech, saved } = setUp();
    await speech.flush();
    expect(saved()).toBe('');
    await speech.load();
    speech.write('last words');
    await speech.flush();
    expect(saved()).toBe('last words');
  });

  test('is loaded in full, whatever its length', async () => {
    const { speech } = setUp({ draft: book });
    await speech.load();
    expect(speech.text).toBe(book);
    expect(speech.isLoaded).toBe(true);
  });

  test('that was loaded twice at once keeps what was typed after the first answer', async () => {
    const late = Promise.withResolvers<TextPart>();
    const answers = [Promise.resolve({ part: 0, parts: 1, text: 'old' }), late.promise];
    const { speech } = setUp({
      change: { readText: () => answers.shift() ?? Promise.reject(new Error('read again')) },
    });
    const loads = [speech.load(), speech.load()];
    await loads[0];
    speech.write('old and new');
    late.resolve({ part: 0, parts: 1, text: 'old' });
    await loads[1];
    expect(speech.text).toBe('old and new');
  });

  test('is not overwritten before it is loaded, or if it cannot be read', async () => {
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

  test('shows why it could not be saved until the next change is saved', async () => {
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

  test('that could not be saved has no length in main, which still has the one before', async () => {
    const { speech } = setUp({
      draft: 'old',
      change: { saveDraft: () => Promise.reject(new AppError('output/not-writable', '')) },
    });
    await speech.load();
    expect(await speech.flush()).toBe(3);
    speech.write('old and new');
    expect([await speech.flush(), speech.isSaveFailed]).toEqual([null, true]);
    speech.write('old');
    expect([await speech.flush(), speech.isSaveFailed]).toEqual([3, false]);
  });

  test('keeps showing why a file could not be opened while it is saved', async () => {
    const { speech } = setUp({
      change: {
        readText: ({ which, part }) =>
          which === 'opened'
            ? Promise.reject(new AppError('input/not-text', 'not UTF-8'))
            : Promise.resolve({ part, parts: 1, text: '' }),
      },
    });
    await speech.load();
    speech.write('My own words.');
    await speech.readOpened();
    await vi.runAllTimersAsync();
    await speech.flush();
    expect(speech.problem?.code).toBe('input/not-text');
    speech.dismissProblem();
    expect(speech.problem).toBeNull();
  });

  test('is counted in characters, as services count them', async () => {
    const { speech } = setUp();
    await speech.load();
    speech.write('Grüße 🌊');
    expect(speech.length).toBe(7);
    speech.write('  \n');
    expect(speech.isEmpty).toBe(true);
  });
});

describe('speaking', () => {
  test('speaks the text on screen, even if it is not saved yet', async () => {
    const { speech, calls } = setUp();
    await speech.load();
    speech.write('Good evening.');
    await speech.speak(settings);
    expect(calls).toEqual(['save 1/1', 'speak 13 of 13']);
  });

  test('adds one job for two presses', async () => {
    const { speech, calls } = setUp({ draft: 'once' });
    await speech.load();
    await Promise.all([speech.speak(settings), speech.speak(settings)]);
    expect(calls).toEqual(['speak 4 of 4']);
  });

  test('knows what was submitted until text or settings change', async () => {
    const { speech } = setUp({ draft: 'once' });
    await speech.load();
    expect(speech.isSubmitted(settings)).toBe(false);
    await speech.speak(settings);
    expect(speech.isSubmitted(settings)).toBe(true);
    expect(speech.isSubmitted({ ...settings, speed: 2 })).toBe(false);
    speech.write('twice');
    expect(speech.isSubmitted(settings)).toBe(false);
  });

  test('that is refused shows why, and does not count as submitted', async () => {
    const refused = () => Promise.reject(new AppError('input/text-too-long', '', { facts: { limitCharacters: 3 } }));
    const { speech } = setUp({ draft: 'text', change: { speak: refused } });
    await speech.load();
    await speech.speak(settings);
    expect(speech.problem).toEqual({ code: 'input/text-too-long', facts: { limitCharacters: 3 } });
    expect([speech.isSubmitted(settings), speech.isSubmitting]).toEqual([false, false]);
  });
});

test('a text file is read in full, and a cancelled dialog changes nothing', async () => {
  const { speech } = setUp({ file: book });
  expect(await speech.readOpened()).toBe(book);
});
