import { loadMessages } from '../../../../shared/messages/index.ts';
import { expect, test } from 'vitest';
import type { AppInfo } from '../../../../shared/schemas/app.ts';
import { entryMenu, type EntryActions, soundActions } from './entry-menu.ts';
import { rowOf } from './history.fixture.ts';

const en = await loadMessages('en');

const done: string[] = [];
const actions = new Proxy({} as EntryActions, { get: (_, name) => () => done.push(String(name)) });
const t = en.history.actions;

const labels = (fileActions: AppInfo['fileActions'], isOne = true) =>
  entryMenu(
    { only: isOne ? rowOf('a') : undefined, isFavourite: false, hasCopy: false, fileActions },
    actions,
    en,
  ).filter(({ label }) => [t.copyFile, t.copyFiles, t.share].includes(label));

test('copies and shares files only where the system can', () => {
  expect(labels([]).map(({ label }) => label)).toEqual([]);
  expect(labels(['copy']).map(({ label }) => label)).toEqual(['Copy file']);
  expect(labels(['copy', 'share'], false).map(({ label }) => label)).toEqual(['Copy files', 'Share…']);
  labels(['copy', 'share']).forEach(({ onchoose }) => onchoose());
  expect(done).toEqual(['copyFiles', 'share']);
});

test('copies one path, or several paths', () => {
  const copying = (isOne: boolean) =>
    entryMenu(
      { only: isOne ? rowOf('a') : undefined, isFavourite: false, hasCopy: false, fileActions: [] },
      actions,
      en,
    )
      .map(({ label }) => label)
      .filter((label) => label.startsWith('Copy'));
  expect([copying(true), copying(false)]).toEqual([['Copy path'], ['Copy paths']]);
});

test('tries voices on an entry that has an original, and not on a spoken text', () => {
  const offered = (sourceMedia: string | null) =>
    soundActions({ ...rowOf('a'), sourceMedia }, actions, en).some(({ label }) => label === t.tryVoices);
  expect([offered('media'), offered(null)]).toEqual([true, false]);
});

test('speaks a text again, converts a recording again, and creates the results of several entries, which may be both, again', () => {
  const first = (only: ReturnType<typeof rowOf> | undefined) =>
    entryMenu({ only, isFavourite: false, hasCopy: false, fileActions: [] }, actions, en)
      .slice(0, 2)
      .map(({ label }) => label);
  expect(first({ ...rowOf('a'), kind: 'speech' })).toEqual(['Speak again', 'Speak again with changes…']);
  expect(first(rowOf('a'))).toEqual(['Convert again', 'Convert again with changes…']);
  expect(first(undefined)).toEqual(['Create again', 'Create again with another voice…']);
});
