import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { en } from '../../../../shared/messages/en.ts';
import { type ConversionSettings, defaultSettings } from '../../../../shared/schemas/settings.ts';
import { jobsApi } from '../jobs/jobs-api.fixture.ts';
import { addedText, AddFiles } from './add-files.svelte.ts';

const settings = { ...defaultSettings.conversion, voiceId: 'clear-fjord' };

function setUp(paths: readonly string[] = [], conversion: ConversionSettings | null = settings) {
  const chunks: number[] = [];
  let settingsReads = 0;
  const faults: AppError[] = [];
  const api = {
    app: {
      chooseFiles: () => Promise.resolve(paths),
      chooseFolder: () => Promise.resolve(null),
    },
    jobs: jobsApi({
      add: ({ paths: added }) => {
        const fault = faults.shift();
        if (fault) return Promise.reject(fault);
        chunks.push(added.length);
        const withoutPath = added.filter((path) => path === '').length;
        return Promise.resolve({ added: added.length - withoutPath, refused: 0, ignored: 1, withoutPath });
      },
    }),
  };
  return {
    adding: new AddFiles(
      api,
      ({ name }) => (name === 'no path' ? '' : name),
      () => {
        settingsReads++;
        return Promise.resolve(conversion);
      },
    ),
    chunks,
    faults,
    settingsReads: () => settingsReads,
  };
}
const files = (...names: readonly string[]): readonly File[] => names.map((name) => new File([], name));

describe('adding recordings', () => {
  test('sends at most 1,000 paths per call and adds up the replies', async () => {
    const { adding, chunks } = setUp(Array.from({ length: 2001 }, (_, k) => `${k}.wav`));
    await adding.chooseFiles();
    expect(chunks).toEqual([1000, 1000, 1]);
    expect(adding.report).toEqual({ added: 2001, refused: 0, ignored: 3, withoutPath: 0 });
    expect(adding.pending).toBe(0);
  });

  test('counts items without a path', async () => {
    const { adding, chunks } = setUp();
    await adding.addFiles(files('a.wav', 'no path'));
    expect(chunks).toEqual([2]);
    expect(adding.report).toMatchObject({ added: 1, withoutPath: 1 });
  });

  test('does nothing when the user cancels the dialog', async () => {
    const { adding, chunks, settingsReads } = setUp();
    await adding.chooseFiles();
    await adding.chooseFolder();
    expect([chunks, adding.report, settingsReads()]).toEqual([[], null, 0]);
  });

  test('shows why it failed, and can be repeated', async () => {
    const { adding, faults } = setUp(['a.wav']);
    faults.push(new AppError('engine/not-started', 'no'));
    await adding.chooseFiles();
    expect([adding.problem?.code, adding.pending]).toEqual(['engine/not-started', 0]);
    await adding.chooseFiles();
    expect([adding.problem, adding.report?.added]).toEqual([null, 1]);
  });
});

describe('the text of a report', () => {
  const nothing = { added: 0, refused: 0, ignored: 0, withoutPath: 0 };

  test('says what was added and what was not', () => {
    expect(addedText(null, 0, en)).toBe('');
    expect(addedText(null, 3, en)).toBe('Adding 3 items');
    expect(addedText({ ...nothing, added: 12, ignored: 3 }, 0, en)).toBe(
      'Added 12 recordings. 3 other files were skipped: they aren’t audio, or Timbre made them.',
    );
    expect(addedText({ ...nothing, withoutPath: 1 }, 0, en)).toBe(
      '1 item isn’t a file on this computer. Save it first, then add it.',
    );
  });
});
