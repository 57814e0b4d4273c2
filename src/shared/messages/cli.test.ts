import { expect, test } from 'vitest';
import { controlCharacters } from '../text/control-characters.ts';
import { loadCliMessages, pageText } from './cli.ts';
import { loadMessages } from './index.ts';
import { problemSentence } from './problem-text.ts';

const now = new Date(2026, 10, 25, 15, 0).getTime();

test('a terminal gets no marks of direction, which it would show, and a window does', async () => {
  const facts = { limitBytes: 2e8, actualBytes: 1.9e9 };
  const terminal = await loadCliMessages('ar', 'ar-EG');
  const texts = [
    terminal.cli.noFile({ path: 'one (2).wav' }),
    terminal.history.count({ n: 1204 }),
    terminal.format.signed(-3),
    terminal.format.dateTime(now),
    terminal.cli.tryingAgain(terminal.format.appointment(now + 48 * 3_600_000, now)),
    problemSentence(terminal, { code: 'service/refused', facts }),
    pageText({ page: 1, pages: 2, shown: 10, total: 12 }, terminal),
  ];
  expect(texts.filter((text) => text.search(controlCharacters) >= 0)).toEqual([]);
  const { app } = await loadMessages('ar');
  expect(app.serviceSaid({ words: 'Busy' })).toContain('\u2068Busy\u2069');
});

test('a mark that a name hides is still there for the terminal to show', async () => {
  const { cli } = await loadCliMessages('ar');
  expect(cli.noFile({ path: 'a\u202eb.wav' })).toContain('\u202e');
});
