import { expect, it } from 'vitest';
import type { HistoryEntry } from '../../main/core/history/entries.ts';
import { loadCliMessages } from '../../shared/messages/cli.ts';
import { createEntryLines, toEntryEvent } from './list.ts';

const en = await loadCliMessages('en');

const entry = (change: Partial<HistoryEntry>): HistoryEntry => ({
  id: '0123456789ab',
  kind: 'conversion',
  state: 'done',
  endedAt: new Date(2026, 2, 5, 7, 9).getTime(),
  name: 'a.wav',
  voice: { id: 'v', name: 'Low', language: 'en', gender: 'male', category: 'natural' },
  durationSeconds: 1,
  sourcePath: '/a.wav',
  isExamined: true,
  resultPath: null,
  isWatched: false,
  isFavourite: false,
  tags: [],
  problem: null,
  ...change,
});
const voice = (name: string) => ({ voice: { ...entry({}).voice, name } });

it('keeps columns aligned if a later voice is longer', () => {
  const linesOf = createEntryLines(en);
  expect(linesOf([entry({}), entry({ ...voice('Longer'), state: 'cancelled' })])).toEqual([
    '01234567  2026-03-05 07:09  Done       Low     a.wav',
    '01234567  2026-03-05 07:09  Cancelled  Longer  a.wav',
  ]);
  expect(linesOf([entry({})])).toEqual(['01234567  2026-03-05 07:09  Done       Low     a.wav']);
});

it('escapes control characters and line breaks in names from other computers', () => {
  const name = 'a\u001b[2J\nb\u009bc.wav';
  expect(createEntryLines(en)([entry({ ...voice('L\r\now'), name })])).toEqual([
    '01234567  2026-03-05 07:09  Done       L ow  a\ufffd[2J b\ufffdc.wav',
  ]);
});

it('leaves the address out of a problem, because it may be signed', () => {
  const problem = { code: 'service/refused', words: 'No: https://a.test/r?signature=secret gone' } as const;
  const event = toEntryEvent(entry({ state: 'failed', problem }), en);
  expect(event).toMatchObject({ state: 'failed', code: 'service/refused' });
  expect(event['message']).toMatch(/No: … gone$/);
  expect(JSON.stringify(event)).not.toContain('secret');
});
