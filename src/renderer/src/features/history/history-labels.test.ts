import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, test } from 'vitest';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { RepeatChanges, HistoryDetail } from '../../../../shared/schemas/history.ts';
import { localInfo, studioInfo } from '../connections/connections.fixture.ts';
import { detailOf, rowOf } from './history.fixture.ts';
import { changesText, entryDetails, refusedText } from './history-labels.ts';

const en = await loadMessages('en');

const conversion = detailOf('a');
const speech = detailOf('a', {
  row: rowOf('a', 0, { kind: 'speech' }),
  settings: { voiceId: 'clear-fjord', language: 'nb-NO', speed: 1, pitch: 1, engine: 'v7', platform: 'web' },
  outputFolder: '/music',
});

const lines = (
  detail: HistoryDetail,
  changes: RepeatChanges,
  connection: ConnectionInfo | undefined = localInfo,
  originalConnection: ConnectionInfo | undefined = localInfo,
) =>
  changesText(
    { detail, changes, connection, originalConnection, voice: { ...detail.row.voice, id: 'other', name: 'Other' } },
    en,
  ).map(({ label, from, to }) => en.history.repeat.fromTo({ word: label, from, to }));

test('the details of an entry have its length, of a text too, if it is known', () => {
  const lengthOf = (durationSeconds: number | null) =>
    entryDetails({ ...speech, row: rowOf('a', 0, { kind: 'speech', durationSeconds }) }, localInfo, en)
      .flat()
      .find(({ label }) => label === 'Length')?.value;
  expect([lengthOf(75), lengthOf(null)]).toEqual(['1:15', undefined]);
});

describe('the text of changes', () => {
  test.each<[RepeatChanges, string]>([
    [{ voiceId: 'other' }, 'Voice: Clear fjord → Other'],
    [{ pitch: 1.1892 }, 'Pitch: 0 semitones → +3 semitones'],
    [{ speed: 1.5 }, 'Speed: 1.00 → 1.50'],
    [{ pitchControl: 'shift-formants' }, 'Formants: Keep → Shift with pitch'],
    [{ autoF0: true }, 'Auto F0: off → on'],
    [{ engine: 'v5' }, 'Engine: v7 → v5'],
    [{ format: '.mp3' }, 'Save as: same as original → mp3'],
    [{ outputFolder: '/elsewhere' }, 'Save to: next to the original → /elsewhere'],
  ])('of a conversion %j', (changes, line) => {
    expect(lines(conversion, changes)).toEqual([line]);
  });

  test.each<[RepeatChanges, string]>([
    [{ language: 'de-DE' }, 'Language: Norwegian Bokmål → German'],
    [{ engine: 'v1' }, 'Engine: v7 → v1'],
    [{ platform: 'phone' }, 'Platform: Web → Phone'],
    [{ outputFolder: '/elsewhere' }, 'Save to: /music → /elsewhere'],
  ])('of speech %j', (changes, line) => {
    expect(lines(speech, changes)).toEqual([line]);
  });

  test('has the values of the service where it defines its own', () => {
    expect(lines(conversion, { pitch: 1.5, pitchControl: 'soft' }, studioInfo)).toEqual([
      'Pitch: 1.00 → 1.50',
      'Pitch control: none → soft',
    ]);
  });

  test('names connections, also a removed one', () => {
    const studio = { connectionId: studioInfo.id };
    expect(lines(conversion, studio, studioInfo)).toEqual(['Connection: This computer → Studio']);
    const removed = { ...conversion, connectionId: 'removed', connectionName: 'Attic' };
    expect(
      changesText(
        { detail: removed, changes: studio, connection: studioInfo, originalConnection: undefined, voice: undefined },
        en,
      ),
    ).toMatchObject([{ from: 'Attic', to: 'Studio' }]);
  });
});

test('the lines that an import refused are listed with their reasons, and the rest is counted', () => {
  const refusedLines = [
    { line: 3, reason: 'no-object', field: '' },
    { line: 1204, reason: 'missing', field: 'endedAt' },
  ] as const;
  expect(refusedText({ refused: 2, refusedLines }, en)).toBe(
    'Line 3: not a JSON object\nLine 1204: “endedAt” is missing',
  );
  expect(refusedText({ refused: 5, refusedLines }, en)).toContain('\n3 more lines aren’t listed.');
});
