import { describe, expect, test } from 'vitest';
import { AppError, type Problem } from '../../../../shared/errors.ts';
import type { HistoryDetail } from '../../../../shared/schemas/history.ts';
import type { ConversionSettings } from '../../../../shared/schemas/settings.ts';
import type { SpeechSettings } from '../../../../shared/schemas/speech.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import type { Api } from '../../lib/api.ts';
import { localInfo, studioInfo } from '../connections/connections.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { agree, detailOf, historyApi, rowOf } from './history.fixture.ts';
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

/** Waits for the form's catalogue, which nothing awaits. */
const loaded = () => new Promise((resolve) => setTimeout(resolve));

function setUp(
  detail: HistoryDetail = entry,
  change: Partial<Api['history']> = {},
  voices = [voice, german],
  problem: Problem | null = null,
) {
  const folders = ['/elsewhere', null];
  const requests: unknown[] = [];
  const catalogues: string[] = [];
  const api = {
    history: historyApi({
      detail: () => Promise.resolve(detail),
      repeat: (input) => {
        requests.push(input);
        return Promise.resolve({ added: 1, skipped: 0, firstSkipped: null });
      },
      ...change,
    }),
    app: { chooseFolder: () => Promise.resolve(folders.shift() ?? null) } as Partial<Api['app']> as Api['app'],
    voices: {
      list: ({ connectionId }) => {
        catalogues.push(connectionId);
        return Promise.resolve({ page: 0, limit: 100, total: voices.length, voices, readAt: 0, problem });
      },
    } as Partial<Api['voices']> as Api['voices'],
    models: {
      list: () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] }),
    } as Partial<Api['models']> as Api['models'],
  };
  const connections = new Connections({} as Api['connections'], () => undefined);
  connections.list = [localInfo];
  const actions = new HistoryActions(api.history, createInternalDrag(), agree);
  return { requests, catalogues, connections, actions, repeat: new Repeat(api, connections, actions) };
}

async function openForm(...args: Parameters<typeof setUp>) {
  const parts = setUp(...args);
  await parts.repeat.open('a');
  await loaded();
  if (!parts.repeat.form) throw new Error('No form was opened');
  return { ...parts, form: parts.repeat.form };
}

describe('repeating an entry', () => {
  test('starts with the settings of the entry and no changes', async () => {
    const { repeat, form, requests, actions } = await openForm();
    expect([form.settings, form.voice, form.changes]).toEqual([conversion, voice, {}]);
    await repeat.send();
    expect(requests).toEqual([{ choice: { ids: ['a'] }, changes: {} }]);
    expect([repeat.form, actions.result]).toEqual([
      null,
      { kind: 'repeated', added: 1, skipped: 0, firstSkipped: null, isChanged: false },
    ]);
  });

  test('sends only the changed fields', async () => {
    const { repeat, form, requests, actions } = await openForm();
    form.change({ pitch: 1 });
    form.change({ speed: 2 });
    form.change({ speed: conversion.speed });
    await form.chooseFolder();
    // The user cancels the second dialog.
    await form.chooseFolder();
    await repeat.send();
    expect(requests).toEqual([{ choice: { ids: ['a'] }, changes: { pitch: 1, outputFolder: '/elsewhere' } }]);
    expect(actions.result).toMatchObject({ kind: 'repeated', isChanged: true });
  });

  test('resets one field and keeps the other changes', async () => {
    const { form } = await openForm();
    form.change({ pitch: 1, autoF0: true, outputFolder: '/elsewhere' });
    form.reset('pitch');
    expect(form.changes).toEqual({ autoF0: true, outputFolder: '/elsewhere' });
    form.reset('outputFolder');
    expect([form.changes, form.outputFolder]).toEqual([{ autoF0: true }, null]);
  });

  test('sends the values of the sliders, within the ranges of the connection', async () => {
    const { form } = await openForm({ ...entry, settings: { ...conversion, pitch: 4 } });
    expect([form.settings.pitch, form.changes]).toEqual([2, { pitch: 2 }]);
    expect([form.canReset('pitch'), form.canReset('speed')]).toEqual([false, true]);
  });

  test('follows the voice with its language, unless the entry had another', async () => {
    const spoken = { ...entry, row: rowOf('a', 0, { kind: 'speech' }), settings: speech };
    const own = await openForm(spoken);
    expect([own.form.settings, own.form.changes]).toMatchObject([{ language: '' }, {}]);
    own.form.change({ voiceId: german.id });
    expect(own.form.changes).toEqual({ voiceId: german.id, language: 'de-DE' });
    own.form.reset('language');
    expect(own.form.changes).toEqual({ voiceId: german.id });

    const unnamed = await openForm({ ...spoken, settings: { ...speech, language: '' } });
    unnamed.form.change({ voiceId: german.id });
    expect(unnamed.form.changes).toEqual({ voiceId: german.id });

    const other = await openForm({ ...spoken, settings: { ...speech, language: 'fr-FR' } });
    other.form.change({ voiceId: german.id });
    expect(other.form.changes).toEqual({ voiceId: german.id });
  });

  test('shows that the voice is missing until another is selected', async () => {
    const { form } = await openForm(entry, {}, [german]);
    expect([form.isVoiceMissing, form.voice]).toEqual([true, voice]);
    form.change({ voiceId: german.id });
    expect([form.isVoiceMissing, form.voice]).toEqual([false, german]);
  });

  test('does not call a voice missing while the service is unreachable', async () => {
    const { form } = await openForm(entry, {}, [german], { code: 'network/unreachable' });
    expect([form.isVoiceMissing, form.voice]).toEqual([false, voice]);
  });

  test('shows that main does not find the voice until another is selected', async () => {
    const { repeat, form } = await openForm(entry, {
      repeat: () => Promise.reject(new AppError('voice/not-found', 'no')),
    });
    await repeat.send();
    expect([form.isVoiceMissing, repeat.form]).toEqual([true, form]);
    form.change({ voiceId: german.id });
    expect([form.isVoiceMissing, form.problem]).toEqual([false, null]);
  });

  test('keeps the changes if sending fails', async () => {
    const { repeat, form, actions } = await openForm(entry, {
      repeat: () => Promise.reject(new AppError('input/missing', 'gone')),
      findFile: () => Promise.resolve({ kind: 'found', entries: 1 }),
    });
    form.change({ pitch: 1 });
    await repeat.send();
    expect([repeat.form, form.problem?.code, form.changes, form.isSending]).toEqual([
      form,
      'input/missing',
      { pitch: 1 },
      false,
    ]);
    expect([actions.result, actions.problem]).toEqual([null, null]);
    await form.findSource();
    expect([form.problem, form.searchResult, form.changes]).toEqual([
      null,
      { kind: 'found', entries: 1 },
      { pitch: 1 },
    ]);
  });

  test('uses the connection of the entry, by name if the entry was imported, and no other', async () => {
    const imported = await openForm({ ...entry, connectionId: 'elsewhere' });
    expect(imported.form.connection).toEqual(localInfo);
    imported.connections.list = [
      { ...localInfo, id: 'namesake' },
      { ...localInfo, id: 'elsewhere', name: 'Renamed' },
    ];
    expect(imported.form.connection?.name).toBe('Renamed');
    const removed = await openForm({ ...entry, connectionId: 'studio', connectionName: 'Studio' });
    expect([removed.form.connection, removed.form.isVoiceMissing]).toEqual([undefined, false]);
  });

  test('uses the selected connection, with its voices and ranges', async () => {
    const studio = { ...studioInfo, pitch: { min: 0.5, max: 1, default: 1 } };
    const { repeat, requests, connections, form } = await openForm();
    connections.list = [localInfo, studio];
    form.change({ connectionId: studio.id });
    expect([form.connection, form.settings.pitch]).toEqual([studio, 1]);
    expect([form.canReset('pitch'), form.canReset('connectionId')]).toEqual([false, true]);
    await repeat.send();
    expect(requests).toEqual([{ choice: { ids: ['a'] }, changes: { connectionId: studio.id, pitch: 1 } }]);
  });

  test('loads the voices of the selected connection, and of the original one after a reset', async () => {
    const { connections, form, catalogues } = await openForm();
    connections.list = [localInfo, studioInfo];
    form.change({ connectionId: studioInfo.id });
    form.reset('connectionId');
    expect([catalogues, form.changes]).toEqual([[localInfo.id, studioInfo.id, localInfo.id], {}]);
  });

  test('can replace a removed connection, and cannot reset it', async () => {
    const { repeat, requests, form } = await openForm({ ...entry, connectionId: 'attic', connectionName: 'Attic' });
    form.change({ connectionId: localInfo.id });
    expect([form.connection, form.canReset('connectionId')]).toEqual([localInfo, false]);
    await repeat.send();
    expect(requests).toEqual([{ choice: { ids: ['a'] }, changes: { connectionId: localInfo.id } }]);
  });

  test('sends once', async () => {
    const { repeat, requests } = await openForm();
    await Promise.all([repeat.send(), repeat.send()]);
    expect(requests).toHaveLength(1);
  });

  test('shows the result of a form that was closed meanwhile', async () => {
    const closed = await openForm();
    const sent = closed.repeat.send();
    closed.repeat.close();
    await sent;
    expect(closed.actions.result).toMatchObject({ kind: 'repeated' });

    const failed = await openForm(entry, { repeat: () => Promise.reject(new AppError('input/missing', 'gone')) });
    const refused = failed.repeat.send();
    failed.repeat.close();
    await refused;
    expect(failed.actions.problem?.code).toBe('input/missing');
  });

  test('shows why an entry cannot be opened, and opens only the latest', async () => {
    const { repeat, actions } = setUp(entry, { detail: () => Promise.reject(new AppError('job/not-found', 'no')) });
    await repeat.open('a');
    expect([repeat.form, actions.problem?.code]).toEqual([null, 'job/not-found']);
    const cancelled = repeat.open('a');
    repeat.close();
    await cancelled;
    expect(actions.problem).toBeNull();
    const second = setUp();
    const opening = second.repeat.open('a');
    second.repeat.close();
    await opening;
    expect(second.repeat.form).toBeNull();
  });
});
