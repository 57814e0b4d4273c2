import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../../shared/errors.ts';
import { jobStates } from '../../../../shared/schemas/job.ts';
import type {
  WatchExplanation,
  WatchedFile,
  WatchedFileState,
  WatchMode,
  WatchWait,
} from '../../../../shared/schemas/watch.ts';
import { jobOf } from '../jobs/job.fixture.ts';
import { fileOf, folderOf } from './watch.fixture.ts';
import { answerView, folderView, outputFolderText } from './watch-labels.ts';
import { truncateMiddle } from '../../lib/truncate.ts';
import { fileView } from './file-view.ts';

const en = await loadMessages('en');
const de = await loadMessages('de');

const languages = [en, de] as const;
const now = new Date(2026, 10, 20, 14, 31).getTime();
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

const view = (file: Partial<WatchedFile>, messages = en) => {
  const watched = fileOf('a.wav', 1, { stateChangedAt: now - 41_000, ...file });
  return fileView(watched, watched.job, { progress: undefined, pauseReason: null, now: () => now, messages });
};
const waits: Readonly<Record<WatchWait['kind'], WatchWait>> = {
  quiet: { kind: 'quiet', sizeBytes: 212e6, quietSeconds: 3.4, neededSeconds: 5 },
  writer: { kind: 'writer', sizeBytes: 1e6, program: null },
  reading: { kind: 'reading' },
  budget: { kind: 'budget', usedMinutes: 112, limitMinutes: 120 },
  hours: { kind: 'hours', hours: { from: 22 * 60, to: 6 * 60 } },
  turn: { kind: 'turn' },
};
const problem = { code: 'input/cut', facts: { promisedSeconds: 552, actualSeconds: 400 } } as const;
const states: Readonly<Record<WatchedFileState['kind'], WatchedFileState>> = {
  waiting: { kind: 'waiting', wait: waits.turn },
  job: { kind: 'job' },
  retrying: { kind: 'retrying', failures: 2, at: now + 60_000, problem },
  quarantined: { kind: 'quarantined', failures: 3, problem },
  'source-stays': { kind: 'source-stays', problem: { code: 'watch/source-stays', facts: { name: 'a.wav' } } },
  baseline: { kind: 'baseline' },
  'same-sound': { kind: 'same-sound', as: 'b.wav' },
  'other-settings': { kind: 'other-settings' },
  'own-output': { kind: 'own-output' },
  refused: { kind: 'refused', problem },
  link: { kind: 'link' },
  placeholder: { kind: 'placeholder' },
};
const isSentence = (text: string): boolean => text.length > 4 && !/undefined|NaN|null|\[object/.test(text);

describe('a file', () => {
  test.each(languages)('has a text for every state, wait, job and problem', (messages) => {
    const files: readonly Partial<WatchedFile>[] = [
      ...Object.values(states).map((state) => ({ state })),
      ...Object.values(waits).map((wait) => ({ state: { kind: 'waiting', wait } as const })),
      ...jobStates.map((state) => ({ state: states.job, job: jobOf('a', { state, stateChangedAt: now }) })),
      ...errorCodes.map((code) => ({ state: { kind: 'refused', problem: { code } } as const })),
    ];
    for (const file of files) {
      const { title, detail, actions } = view(file, messages);
      expect(isSentence(title), `${JSON.stringify(file)}: ${title}`).toBe(true);
      expect(`${title} ${detail}`).not.toMatch(/undefined|NaN|please|bitte\b|!/i);
      for (const action of actions) expect(messages.watch.actions[action].length).toBeGreaterThan(3);
    }
  });

  test('says how long it has been unchanged, and for how long it must be', () => {
    expect(plain(view({ state: { kind: 'waiting', wait: waits.quiet } }).title)).toBe(
      'Still being written, 212 MB so far: unchanged for 3 of 5 s.',
    );
  });

  test('that is a text is spoken, not converted, in one step', () => {
    const path = 'day 1/Letter.TXT';
    const speech = (change: Parameters<typeof jobOf>[1]) =>
      jobOf('a', { kind: 'speech', stateChangedAt: now, ...change });
    expect(plain(view({ path, state: states.job, job: speech({ state: 'done' }) }).title)).toBe('Spoken in 41 s');
    expect(view({ path, state: states.job, job: speech({ state: 'converting' }) }).title).toMatch(/^Speaking/);
    expect(view({ path, state: states['same-sound'] }).title).toBe('Not spoken: same text as b.wav');
    for (const state of Object.values(states).filter(({ kind }) => kind !== 'own-output')) {
      expect(view({ path, state }).title).not.toMatch(/convert/i);
      expect(view({ path, state }, de).title).not.toMatch(/konvertier/i);
    }
  });

  test('that is a text and is too long says both numbers and what to do', () => {
    const refused = (facts: Readonly<Record<string, number>>) => {
      const { title, detail, actions } = view({
        path: 'a.md',
        state: { kind: 'refused', problem: { code: 'input/text-too-long', facts } },
      });
      return [title, plain(detail), actions];
    };
    expect(refused({ limitBytes: 1_048_576, actualBytes: 3_200_000 })).toEqual([
      'The text is too long.',
      'The limit is 1 MB, and this has 3.2 MB. Split it into several files.',
      ['show-file'],
    ]);
  });

  test('shows its step, and how long it took', () => {
    const job = jobOf('a', { state: 'converting', stateChangedAt: now - 9000 });
    expect(plain(view({ state: states.job, job }).title)).toBe('Converting, step 3 of 4, 9 s so far');
    const done = view({
      state: states.job,
      job: { ...job, state: 'done', stateChangedAt: now },
      movedTo: 'Done/a.wav',
    });
    expect([plain(done.title), done.detail, done.at]).toEqual([
      'Converted in 41 s.',
      'The original is now Done/a.wav.',
      now,
    ]);
  });

  test('offers suitable actions, best first', () => {
    const actionsOf = (state: WatchedFileState) => view({ state }).actions;
    expect(actionsOf(states.baseline)).toEqual(['convert']);
    expect(actionsOf(states.quarantined)).toEqual(['retry', 'show-file']);
    expect(actionsOf(states.refused)).toEqual(['show-file']);
    expect(actionsOf({ kind: 'refused', problem: { code: 'watch/length-open' } })).toEqual(['convert-anyway']);
    expect(actionsOf({ kind: 'refused', problem: { code: 'watch/too-long' } })).toEqual(['convert', 'edit']);
    expect(actionsOf({ kind: 'refused', problem: { code: 'input/empty' } })).toEqual(['show-file']);
    for (const code of ['watch/no-voice', 'watch/several-voices', 'watch/another-voice'] as const) {
      expect(actionsOf({ kind: 'refused', problem: { code } })).toEqual(['convert', 'show-file']);
    }
    expect(actionsOf({ kind: 'refused', problem: { code: 'network/unreachable' } })).toEqual(['retry']);
    expect(actionsOf({ kind: 'quarantined', failures: 1, problem: { code: 'voice/not-found' } })).toEqual([
      'retry',
      'edit',
    ]);
    const gone = jobOf('a', { state: 'failed', problem: { code: 'voice/speaker-not-found' } });
    expect(view({ state: states.job, job: gone }).actions).toEqual(['edit']);
    const uncertain = { state: states.job, job: jobOf('a', { state: 'uncertain' }) };
    expect(view(uncertain).actions).toEqual(['convert-again', 'leave']);
  });

  test('never suggests to add the file again', () => {
    for (const code of errorCodes.filter((one) => /^(input|voice|connection\/not-found)/.test(one))) {
      if (/text|folder/.test(code)) continue;
      expect(view({ state: { kind: 'refused', problem: { code } } }).detail, code).not.toMatch(
        /add (it|the recording)/,
      );
    }
  });
});

describe('a folder', () => {
  const modes: readonly WatchMode[] = ['paused', 'starting', 'watching', 'polling', 'offline', 'elsewhere'];

  test.each(languages)('has a text for every mode, with and without arriving files', (messages) => {
    for (const mode of modes) {
      for (const incoming of [0, 2]) {
        const { text } = folderView(folderOf('f', { mode, incoming }), messages, now, true);
        expect(isSentence(text), `${mode}: ${text}`).toBe(true);
      }
    }
  });

  test('says since when it is unavailable, and that nothing is lost', () => {
    const modeChangedAt = new Date(2026, 10, 20, 9, 41).getTime();
    expect(folderView(folderOf('f', { mode: 'offline', modeChangedAt }), en, now, true).text).toBe(
      'Unavailable since 09:41. Nothing is lost; watching resumes when the disk is back.',
    );
  });

  test('says why it is polled, and how often', () => {
    const folder = folderOf('f', { mode: 'polling', problems: [{ code: 'watch/no-hints' }] });
    expect(plain(folderView(folder, en, now, true).text)).toBe('Checked every 30 s: this disk doesn’t report changes');
    const full = { ...folder, incoming: 1, problems: [{ code: 'watch/too-many-folders' }] } as const;
    expect(plain(folderView(full, en, now, true).text)).toBe(
      'Checked every 30 s: the system can’t watch more folders; 1 file in progress',
    );
  });

  test('says that its connection was removed, unless it is unavailable', () => {
    const view = folderView(folderOf('f', { incoming: 1, attention: 2 }), en, now, false);
    expect(view).toMatchObject({ icon: 'warning', severity: 'warning', text: 'This connection no longer exists' });
    expect(view.attention).not.toBe('');
    expect(folderView(folderOf('f', { mode: 'offline' }), en, now, false).text).toContain('Unavailable');
  });

  test('shows its question before its activity, but not while it is offline', () => {
    const baseline = { files: 412, texts: 0, seconds: 11_400, isMeasured: true };
    const view = folderView(folderOf('f', { baseline, incoming: 1 }), en, now, true);
    expect([view.icon, view.text]).toEqual(['question', '412 recordings were already here: convert them?']);
    const withTexts = (files: number, texts: number, messages = en) =>
      folderView(folderOf('f', { baseline: { ...baseline, files, texts } }), messages, now, true).text;
    expect(withTexts(5, 2)).toBe('3 recordings, 2 texts were already here: process them?');
    expect(withTexts(1, 1)).toBe('1 text was already here: speak it?');
    expect(withTexts(2, 1, de)).toBe('1 Aufnahme, 1 Text waren schon hier: verarbeiten?');
    expect(folderView(folderOf('f', { baseline, mode: 'offline' }), en, now, true).icon).toBe('warning');
  });

  test('shows an output folder inside it by its relative path', () => {
    const { settings } = folderOf('f');
    const text = (outputFolder: string | null, path = settings.path) =>
      outputFolderText({ ...settings, path, outputFolder });
    expect([text(null), text('/recordings/f/Converted'), text('/recordings/f2/Out'), text('/recordings/f')]).toEqual([
      null,
      'Converted/',
      '/recordings/f2/Out',
      '/recordings/f',
    ]);
    expect(text('C:\\a\\Converted', 'C:\\a\\')).toBe('Converted\\');
  });
});

test.each(languages)('every explanation has a text', (messages) => {
  const folder = 'Sessions';
  const answers: readonly Exclude<WatchExplanation, { readonly kind: 'file' }>[] = [
    { kind: 'outside' },
    { kind: 'missing' },
    ...(['paused', 'offline', 'subfolder', 'excluded', 'hidden', 'link', 'unseen'] as const).map((kind) => ({
      kind,
      folder,
    })),
    { kind: 'temporary', folder, pattern: '*.part' },
    { kind: 'ending', folder, ending: '.amr' },
    { kind: 'ending', folder, ending: '' },
  ];
  for (const answer of answers) {
    const { text } = answerView(answer, folder, messages);
    expect(isSentence(text), text).toBe(true);
    if ('folder' in answer) expect(text).toContain(folder);
  }
});

test('a long name is truncated in its middle, by grapheme', () => {
  expect(truncateMiddle('short.wav', 10)).toBe('short.wav');
  expect(truncateMiddle('abcdefghijkl.wav', 10)).toBe('abcdef…wav');
  expect(Array.from(truncateMiddle('😀'.repeat(50), 10))).toHaveLength(10);
});
