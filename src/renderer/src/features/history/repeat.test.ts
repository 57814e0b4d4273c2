import { describe, expect, test } from 'vitest';
import { AppError, type Problem } from '../../../../shared/errors.ts';
import type { HistoryDetail } from '../../../../shared/schemas/history.ts';
import type { ConversionSettings } from '../../../../shared/schemas/settings.ts';
import type { SpeechSettings } from '../../../../shared/schemas/speech.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import type { Api } from '../../lib/api.ts';
import { localInfo, studioInfo } from '../connections/connections.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { detailOf, historyApi, rowOf } from './history-api.fixture.ts';
import { HistoryActions } from './actions.svelte.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';
import { Repeat } from './repeat.svelte.ts';

const { voice } = rowOf('a');
const german: Voice = { ...voice, id: 'german', name: 'German', language: 'de-DE' };
const conversion: ConversionSettings = {
  voiceId: voice.id,
  pitch: 1.2,
  speed: 0.9,
  pitchControl: 'shift-formants',
  autoF0: false,
  engine: 'v5',
  format: '.mp3',
};
const speech: SpeechSettings = {
  voiceId: voice.id,
  language: voice.language,
  speed: 1,
  pitch: 1,
  engine: 'v7',
  platform: 'web',
};
const entry = detailOf('a', { settings: conversion });

/** Until what is under way without anybody waiting for it has come. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

function setUp(
  detail: HistoryDetail = entry,
  change: Partial<Api['history']> = {},
  voices = [voice, german],
  problem: Problem | null = null,
) {
  const folders = ['/elsewhere', null];
  const asked: unknown[] = [];
  const read: string[] = [];
  const api = {
    history: historyApi({
      detail: () => Promise.resolve(detail),
      repeat: (input) => {
        asked.push(input);
        return Promise.resolve({ added: 1, skipped: 0, firstSkipped: null });
      },
      ...change,
    }),
    app: { chooseFolder: () => Promise.resolve(folders.shift() ?? null) } as Partial<Api['app']> as Api['app'],
    voices: {
      list: ({ connectionId }) => {
        read.push(connectionId);
        return Promise.resolve({ page: 0, limit: 100, total: voices.length, voices, readAt: 0, problem });
      },
    } as Partial<Api['voices']> as Api['voices'],
    models: {
      list: () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] }),
    } as Partial<Api['models']> as Api['models'],
  };
  const connections = new Connections({} as Api['connections'], () => undefined);
  connections.list = [localInfo];
  const deeds = new HistoryActions(api.history, createInternalDrag());
  return { asked, read, connections, deeds, again: new Repeat(api, connections, deeds) };
}

async function opened(...args: Parameters<typeof setUp>) {
  const parts = setUp(...args);
  await parts.again.open('a');
  await settle();
  if (!parts.again.draft) throw new Error('No form was opened');
  return { ...parts, draft: parts.again.draft };
}

describe('the same again', () => {
  test('begins as the entry was, and asks for no change', async () => {
    const { again, draft, asked, deeds } = await opened();
    expect([draft.settings, draft.voice, draft.changes]).toEqual([conversion, voice, {}]);
    await again.send();
    expect(asked).toEqual([{ choice: { ids: ['a'] }, changes: {} }]);
    expect([again.draft, deeds.outcome]).toEqual([
      null,
      { kind: 'again', added: 1, skipped: 0, firstSkipped: null, isChanged: false },
    ]);
  });

  test('asks for what was changed and for nothing else', async () => {
    const { again, draft, asked, deeds } = await opened();
    draft.change({ pitch: 1 });
    draft.change({ speed: 2 });
    draft.change({ speed: conversion.speed });
    await draft.chooseFolder();
    // Thought better of.
    await draft.chooseFolder();
    await again.send();
    expect(asked).toEqual([{ choice: { ids: ['a'] }, changes: { pitch: 1, outputFolder: '/elsewhere' } }]);
    expect(deeds.outcome).toMatchObject({ kind: 'again', isChanged: true });
  });

  test('takes one change back and leaves the others', async () => {
    const { draft } = await opened();
    draft.change({ pitch: 1, autoF0: true, outputFolder: '/elsewhere' });
    draft.takeBack('pitch');
    expect(draft.changes).toEqual({ autoF0: true, outputFolder: '/elsewhere' });
    draft.takeBack('outputFolder');
    expect([draft.changes, draft.outputFolder]).toEqual([{ autoF0: true }, null]);
  });

  test('asks for what the sliders show, also where the connection has others now', async () => {
    const { draft } = await opened({ ...entry, settings: { ...conversion, pitch: 4 } });
    expect([draft.settings.pitch, draft.changes]).toEqual([2, { pitch: 2 }]);
    expect([draft.canTakeBack('pitch'), draft.canTakeBack('speed')]).toEqual([false, true]);
  });

  test('a language that was the voice’s own goes with the voice, another one stays', async () => {
    const spoken = { ...entry, row: rowOf('a', 0, { kind: 'speech' }), settings: speech };
    const own = await opened(spoken);
    expect([own.draft.settings, own.draft.changes]).toMatchObject([{ language: '' }, {}]);
    own.draft.change({ voiceId: german.id });
    expect(own.draft.changes).toEqual({ voiceId: german.id, language: 'de-DE' });
    own.draft.takeBack('language');
    expect(own.draft.changes).toEqual({ voiceId: german.id });

    const unnamed = await opened({ ...spoken, settings: { ...speech, language: '' } });
    unnamed.draft.change({ voiceId: german.id });
    expect(unnamed.draft.changes).toEqual({ voiceId: german.id });

    const other = await opened({ ...spoken, settings: { ...speech, language: 'fr-FR' } });
    other.draft.change({ voiceId: german.id });
    expect(other.draft.changes).toEqual({ voiceId: german.id });
  });

  test('tells of a voice that is gone before anybody asks, until another is chosen', async () => {
    const { draft } = await opened(entry, {}, [german]);
    expect([draft.isVoiceGone, draft.voice]).toEqual([true, voice]);
    draft.change({ voiceId: german.id });
    expect([draft.isVoiceGone, draft.voice]).toEqual([false, german]);
  });

  test('takes no voice for gone where the service cannot be asked and the copy of its list lacks it', async () => {
    const { draft } = await opened(entry, {}, [german], { code: 'network/unreachable' });
    expect([draft.isVoiceGone, draft.voice]).toEqual([false, voice]);
  });

  test('tells of a voice that main no longer finds, until another is chosen', async () => {
    const { again, draft } = await opened(entry, {
      repeat: () => Promise.reject(new AppError('voice/not-found', 'no')),
    });
    await again.send();
    expect([draft.isVoiceGone, again.draft]).toEqual([true, draft]);
    draft.change({ voiceId: german.id });
    expect([draft.isVoiceGone, draft.problem]).toEqual([false, null]);
  });

  test('keeps what was chosen where it cannot be made', async () => {
    const { again, draft, deeds } = await opened(entry, {
      repeat: () => Promise.reject(new AppError('input/missing', 'gone')),
      findFile: () => Promise.resolve({ kind: 'found', entries: 1 }),
    });
    draft.change({ pitch: 1 });
    await again.send();
    expect([again.draft, draft.problem?.code, draft.changes, draft.isSending]).toEqual([
      draft,
      'input/missing',
      { pitch: 1 },
      false,
    ]);
    expect([deeds.outcome, deeds.problem]).toEqual([null, null]);
    await draft.findSource();
    expect([draft.problem, draft.searched, draft.changes]).toEqual([null, { kind: 'found', entries: 1 }, { pitch: 1 }]);
  });

  test('goes through the connection of then, by its name where it came from another computer, and through no other', async () => {
    const imported = await opened({ ...entry, connectionId: 'elsewhere' });
    expect(imported.draft.connection).toEqual(localInfo);
    imported.connections.list = [
      { ...localInfo, id: 'namesake' },
      { ...localInfo, id: 'elsewhere', name: 'Renamed' },
    ];
    expect(imported.draft.connection?.name).toBe('Renamed');
    const gone = await opened({ ...entry, connectionId: 'studio', connectionName: 'Studio' });
    expect([gone.draft.connection, gone.draft.isVoiceGone]).toEqual([undefined, false]);
  });

  test('goes through another connection that is chosen, with the voices and as it takes it', async () => {
    const studio = { ...studioInfo, pitch: { min: 0.5, max: 1, default: 1 } };
    const { again, asked, connections, draft } = await opened();
    connections.list = [localInfo, studio];
    draft.change({ connectionId: studio.id });
    expect([draft.connection, draft.settings.pitch]).toEqual([studio, 1]);
    expect([draft.canTakeBack('pitch'), draft.canTakeBack('connectionId')]).toEqual([false, true]);
    await again.send();
    expect(asked).toEqual([{ choice: { ids: ['a'] }, changes: { connectionId: studio.id, pitch: 1 } }]);
  });

  test('reads the voices of the connection that is chosen, and of that of then when it is taken back', async () => {
    const { connections, draft, read } = await opened();
    connections.list = [localInfo, studioInfo];
    draft.change({ connectionId: studioInfo.id });
    draft.takeBack('connectionId');
    expect([read, draft.changes]).toEqual([[localInfo.id, studioInfo.id, localInfo.id], {}]);
  });

  test('finds another way where the connection of then is gone, which cannot be taken back', async () => {
    const { again, asked, draft } = await opened({ ...entry, connectionId: 'attic', connectionName: 'Attic' });
    draft.change({ connectionId: localInfo.id });
    expect([draft.connection, draft.canTakeBack('connectionId')]).toEqual([localInfo, false]);
    await again.send();
    expect(asked).toEqual([{ choice: { ids: ['a'] }, changes: { connectionId: localInfo.id } }]);
  });

  test('is sent once, however often it is asked for', async () => {
    const { again, asked } = await opened();
    await Promise.all([again.send(), again.send()]);
    expect(asked).toHaveLength(1);
  });

  test('tells what came of a form that was closed meanwhile', async () => {
    const told = await opened();
    const sent = told.again.send();
    told.again.close();
    await sent;
    expect(told.deeds.outcome).toMatchObject({ kind: 'again' });

    const failed = await opened(entry, { repeat: () => Promise.reject(new AppError('input/missing', 'gone')) });
    const refused = failed.again.send();
    failed.again.close();
    await refused;
    expect(failed.deeds.problem?.code).toBe('input/missing');
  });

  test('says why an entry cannot be opened, and opens only what was asked for last', async () => {
    const { again, deeds } = setUp(entry, { detail: () => Promise.reject(new AppError('job/not-found', 'no')) });
    await again.open('a');
    expect([again.draft, deeds.problem?.code]).toEqual([null, 'job/not-found']);
    const unwanted = again.open('a');
    again.close();
    await unwanted;
    expect(deeds.problem).toBeNull();
    const second = setUp();
    const opening = second.again.open('a');
    second.again.close();
    await opening;
    expect(second.again.draft).toBeNull();
  });
});
