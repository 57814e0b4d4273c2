import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionInfo } from '../../../shared/schemas/connection.ts';
import { maxPresets, type PresetContent } from '../../../shared/schemas/preset.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import { AppError } from '../../../shared/errors.ts';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createWriteGate } from '../database/write-gate.ts';
import type { Connection } from '../voice-service/connection.ts';
import { createNameOrder } from '../name-order.ts';
import { formatPresets, parsePresets } from './preset-file.ts';
import { createPresetStore, type PresetStore } from './preset-store.ts';

const range = { min: 0.5, max: 2, default: 1 };
const info = (id: string, name: string): ConnectionInfo => ({
  id,
  name,
  kind: id === 'local' ? 'local' : 'remote',
  pitch: range,
  speed: range,
  maxTextLength: null,
});

let folder: string;
let database: DatabaseSync;
let known: ConnectionInfo[];
let defects: unknown[];
let presets: PresetStore;
let ends: (() => void)[];

function open(on: DatabaseSync, here = known): PresetStore {
  let ids = 0;
  const writes = createWriteGate({ database: on, clock: systemClock, onDefect: (error) => defects.push(error) });
  const closing = new AbortController();
  const store = createPresetStore({
    compareNames: createNameOrder(() => 'en'),
    database: on,
    writes,
    connections: {
      list: () => here,
      get(id) {
        const found = here.find((one) => one.id === id);
        if (!found) throw new AppError('connection/not-found', id);
        return { id, document: { name: found.name } } as Connection;
      },
    },
    clock: systemClock,
    randomId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    signal: closing.signal,
    onDefect: (error) => defects.push(error),
  });
  ends.push(() => {
    closing.abort();
    writes.stop();
  });
  return store;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-presets-'));
  database = await openDatabase(folder);
  known = [info('local', 'This computer'), info('north', 'Studio North')];
  defects = [];
  ends = [];
  presets = open(database);
});
afterEach(async () => {
  for (const end of ends) end();
  database.close();
  await rm(folder, { recursive: true });
  expect(defects).toEqual([]);
});

const content = (change: Partial<PresetContent & { readonly pitch: number }> = {}): PresetContent => ({
  kind: 'conversion',
  connectionId: change.connectionId ?? 'local',
  voiceName: 'Anna',
  settings: { ...defaultSettings.conversion, voiceId: 'anna', pitch: change.pitch ?? 1 },
});
const speech: PresetContent = {
  kind: 'speech',
  connectionId: 'local',
  voiceName: 'Anna',
  settings: { ...defaultSettings.speech, voiceId: 'anna' },
};
const names = () => presets.list().map(({ name }) => name);
const failing = (work: () => unknown) => {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};

describe('a preset', () => {
  it('is there for the next start, by name', async () => {
    presets.create('take 10', content());
    presets.create(' Take 9 ', content({ connectionId: 'north' }));
    database.close();
    database = await openDatabase(folder);
    presets = open(database);
    expect(presets.list()).toMatchObject([
      { name: 'Take 9', connectionId: 'north', connectionName: 'Studio North', voiceName: 'Anna', revision: 1 },
      { name: 'take 10', connectionId: 'local', isDefault: false },
    ]);
  });

  it('has a name that no other of its kind has, whatever the case', () => {
    const { id } = presets.create('Évening', content());
    expect(failing(() => presets.create('évening'.normalize('NFD'), content()))).toBe('preset/name-taken');
    presets.create('Évening', speech);
    const other = presets.create('Morning', content());
    expect(failing(() => presets.rename(other.id, 'ÉVENING'))).toBe('preset/name-taken');
    expect(presets.rename(id, 'ÉVENING').name).toBe('ÉVENING');
    expect(presets.findByName('conversion', ' évening ')?.id).toBe(id);
  });

  it('counts the changes of what it applies, and nothing else', () => {
    const { id } = presets.create('Evening', content());
    expect(presets.update(id, content()).revision).toBe(1);
    expect(presets.rename(id, 'Night').revision).toBe(1);
    expect(presets.setDefault(id, true).revision).toBe(1);
    expect(presets.update(id, content({ pitch: 1.2 })).revision).toBe(2);
    expect(presets.list()).toMatchObject([{ name: 'Night', revision: 2, isDefault: true }]);
    expect(failing(() => presets.update(id, speech))).toBe('request/invalid');
  });

  it('is the only default of its connection and kind, and no longer once it moves', () => {
    const a = presets.create('a', content());
    const b = presets.create('b', content());
    const c = presets.create('c', content({ connectionId: 'north' }));
    const d = presets.create('d', speech);
    for (const { id } of [a, c, d, b]) presets.setDefault(id, true);
    expect(presets.list().map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
      ['d', true],
    ]);
    presets.update(b.id, content({ connectionId: 'north' }));
    expect(presets.list()).toMatchObject([
      { name: 'a', isDefault: false },
      { name: 'b', isDefault: false },
      { name: 'c', isDefault: true },
      { name: 'd', isDefault: true },
    ]);
  });

  it('outlives its connection, and can be moved to another one or removed', () => {
    const { id } = presets.create('Evening', content({ connectionId: 'north' }));
    known.pop();
    expect(presets.list()).toMatchObject([{ connectionId: 'north', connectionName: 'Studio North' }]);
    expect(failing(() => presets.create('Night', content({ connectionId: 'north' })))).toBe('connection/not-found');
    expect(presets.update(id, content())).toMatchObject({ connectionName: 'This computer', revision: 2 });
    presets.remove(id);
    presets.remove(id);
    expect([names(), failing(() => presets.rename(id, 'Night'))]).toEqual([[], 'preset/not-found']);
  });

  it('that cannot be read is reported and kept', () => {
    presets.create('Evening', content());
    database.exec("UPDATE preset SET settings = '{}'");
    expect(presets.list()).toEqual([]);
    expect(defects).toHaveLength(1);
    defects = [];
    expect(database.prepare('SELECT count(*) AS n FROM preset').get()).toEqual({ n: 1 });
    database.exec('DELETE FROM preset');
  });

  it('cannot be the 501st', () => {
    const first = presets.create('preset 0', content());
    const more = (from: number, to: number) =>
      presets.importAll(
        Array.from({ length: to - from }, (_, k) => ({
          name: `preset ${from + k}`,
          connection: { id: 'local', name: 'This computer' },
          content: content(),
        })),
      );
    expect(more(1, maxPresets).imported).toBe(maxPresets - 1);
    expect(failing(() => presets.create('one more', content()))).toBe('preset/too-many');
    expect(more(maxPresets, maxPresets + 1)).toMatchObject({ imported: 0, skipped: [{ reason: 'too-many' }] });
    presets.remove(first.id);
    expect(presets.create('one more', content()).revision).toBe(1);
  });
});

describe('a change', () => {
  it('is announced after it is on disk', () => {
    const seen: (readonly string[])[] = [];
    presets.onChanged((all) => seen.push([...all.map(({ name }) => name), String(database.isTransaction)]));
    const { id } = presets.create('Evening', content());
    presets.rename(id, 'Night');
    presets.remove(id);
    expect(seen).toEqual([['Evening', 'false'], ['Night', 'false'], ['false']]);
  });

  it('of another process is announced while it is started', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    presets.onChanged((all) => resolve(all.map(({ name }) => name)));
    presets.start();
    const beside = await openDatabase(folder);
    open(beside).create('Evening', content());
    expect(await promise).toEqual(['Evening']);
    for (const end of ends.splice(0)) end();
    beside.close();
  });
});

describe('an import', () => {
  const entryOf = (name: string, change: object = {}) => ({
    name,
    kind: 'conversion',
    connection: { id: 'local', name: 'This computer' },
    settings: content().settings,
    ...change,
  });
  const importAll = (...entries: readonly unknown[]) =>
    presets.importAll(
      parsePresets(JSON.stringify({ format: 'timbre-presets', version: 1, presets: entries }), 'presets.json'),
    );

  it('brings back what was exported, but none as the default, and finds it known the second time', () => {
    presets.setDefault(presets.create('Evening', content({ connectionId: 'north' })).id, true);
    presets.create('Evening', speech);
    const before = presets.list();
    const file = parsePresets(formatPresets(before), 'presets.json');
    const again = presets.importAll(file);
    expect(again.skipped.map(({ reason }) => reason)).toEqual(['known', 'known']);
    for (const { id } of before) presets.remove(id);
    expect(presets.importAll(file)).toEqual({ imported: 2, renamed: [], skipped: [] });
    const withoutId = presets.list().map((preset) => ({ ...preset, id: '' }));
    expect(withoutId).toEqual(before.map((preset) => ({ ...preset, id: '', isDefault: false })));
  });

  it('gives a taken name a number, also within the file, and never replaces one', () => {
    presets.create('Evening', content());
    const other = { ...content().settings, pitch: 1.5 };
    const outcome = importAll(
      entryOf('evening', { settings: other }),
      entryOf('Evening', { settings: { ...other, pitch: 0.7 } }),
      entryOf('Evening (2)', { settings: other }),
    );
    expect(outcome).toMatchObject({
      imported: 2,
      renamed: [
        { from: 'evening', to: 'evening (2)' },
        { from: 'Evening', to: 'Evening (3)' },
      ],
      skipped: [{ name: 'Evening (2)', reason: 'known' }],
    });
    expect(presets.findByName('conversion', 'Evening')?.settings.pitch).toBe(1);
    const long = 'x'.repeat(80);
    importAll(entryOf(long));
    expect(importAll(entryOf(long, { settings: other })).renamed[0]?.to).toBe(`${'x'.repeat(76)} (2)`);
  });

  it('finds a connection by id, else by name in any case, and says which one is missing', () => {
    const outcome = importAll(
      entryOf('by id', { connection: { id: 'north', name: 'Renamed since' } }),
      entryOf('by name', { connection: { id: 'elsewhere', name: 'studio NORTH' } }),
      entryOf('unknown', { connection: { id: 'elsewhere', name: 'Studio South' } }),
    );
    expect(outcome.skipped).toEqual([{ name: 'unknown', reason: 'no-connection', connection: 'Studio South' }]);
    expect(
      presets.list().map(({ name, connectionId, connectionName }) => [name, connectionId, connectionName]),
    ).toEqual([
      ['by id', 'north', 'Studio North'],
      ['by name', 'north', 'Studio North'],
    ]);
  });

  it('skips what is not valid, and imports the rest', () => {
    const { settings } = content();
    const outcome = importAll(
      entryOf('no voice', { settings: { ...settings, voiceId: '' } }),
      entryOf('bad pitch', { settings: { ...settings, pitch: -1 } }),
      entryOf('other kind', { kind: 'singing' }),
      entryOf('control \u0007'),
      entryOf(''),
      null,
      entryOf('good'),
    );
    expect(outcome.imported).toBe(1);
    expect(outcome.skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['no voice', 'invalid'],
      ['bad pitch', 'invalid'],
      ['other kind', 'invalid'],
      ['control', 'invalid'],
      ['', 'invalid'],
      ['', 'invalid'],
    ]);
  });

  it('makes none the default, whatever the file says', () => {
    importAll(entryOf('theirs', { isDefault: true }));
    expect(presets.list().map(({ name, isDefault }) => [name, isDefault])).toEqual([['theirs', false]]);
  });
});
