import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import {
  isSameSettings,
  maxPresetNameLength,
  maxPresets,
  type Preset,
  type PresetContent,
  type PresetImport,
  type PresetKind,
  presetKinds,
} from '../../../shared/schemas/preset.ts';
import { conversionSettings } from '../../../shared/schemas/settings.ts';
import { voiceSettings } from '../../../shared/schemas/speech.ts';
import { comparableName } from '../../../shared/text/comparable-name.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import { flag, fromRow, storedJson, type StoredRow, toRow } from '../database/columns.ts';
import { followOtherWrites } from '../database/other-writes.ts';
import { afterCommit, transaction } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { CompareNames } from '../name-order.ts';
import { createListeners } from '../events.ts';
import type { PresetEntry } from './preset-file.ts';

/**
 * The user's presets, shared by all processes. Every change is on disk when the call returns, and throws
 * `data/not-writable` if it cannot be. A preset outlives its connection and its voice.
 *
 * Once started, it also announces what other processes change.
 */
export interface PresetStore {
  /** By kind and name. */
  list(): readonly Preset[];
  /** Throws `preset/not-found`. */
  get(id: string): Preset;
  /** The preset of this name, ignoring case. */
  findByName(kind: PresetKind, name: string): Preset | undefined;
  /** Throws `preset/name-taken`, `preset/too-many` with 500 of them, and `connection/not-found`. */
  create(name: string, content: PresetContent): Preset;
  /** Changes what it applies, not its name. Throws `preset/not-found` and `connection/not-found`. */
  update(id: string, content: PresetContent): Preset;
  /** Throws `preset/not-found` and `preset/name-taken`. */
  rename(id: string, name: string): Preset;
  /** Does nothing if it was removed already. */
  remove(id: string): void;
  /** Makes it the default of its connection, in place of another of its kind, or no longer. Throws `preset/not-found`. */
  setDefault(id: string, isDefault: boolean): Preset;
  /** Adds the presets of a file, none in place of another and none as a default: a taken name gets a number. */
  importAll(entries: readonly PresetEntry[]): PresetImport;
  /** Called with all presets after each change. */
  onChanged(listener: (presets: readonly Preset[]) => void): () => void;
  start(): void;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly writes: Pick<WriteGate, 'write'>;
  readonly connections: Pick<ConnectionRegistry, 'get' | 'list'>;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly compareNames: CompareNames;
  /** Aborted before the database is closed. */
  readonly signal: AbortSignal;
  /** Reports an invalid row, which is kept but not listed, and failures of the poll. */
  onDefect(error: unknown): void;
}

const stored = { id: v.string(), name: v.string(), connectionId: v.string(), connectionName: v.string() };
const counted = { voiceName: v.string(), revision: v.number(), isDefault: flag };
const presetRow = v.variant('kind', [
  v.object({ ...stored, ...counted, kind: v.literal('conversion'), settings: storedJson(conversionSettings) }),
  v.object({ ...stored, ...counted, kind: v.literal('speech'), settings: storedJson(voiceSettings) }),
]);

const counter = / \(\d+\)$/;

/** `Name` for `Name (2)`. */
const withoutCounter = (name: string): string => name.replace(counter, '');

/** The name, or the first of `Name (2)`, `Name (3)` and so on that is not taken. Stays within the length of names. */
function freeName(name: string, taken: readonly string[]): string {
  const keys = new Set(taken.map(comparableName));
  if (!keys.has(comparableName(name))) return name;
  const base = withoutCounter(name);
  for (let count = 2; ; count += 1) {
    const end = ` (${count})`;
    const free = `${Array.from(base)
      .slice(0, maxPresetNameLength - end.length)
      .join('')
      .trimEnd()}${end}`;
    if (!keys.has(comparableName(free))) return free;
  }
}

const hasContent = (preset: Preset, { kind, connectionId, settings }: PresetContent): boolean =>
  preset.kind === kind && preset.connectionId === connectionId && isSameSettings(preset.settings, settings);

export function createPresetStore(dependencies: Dependencies): PresetStore {
  const { database, writes, connections, randomId, compareNames, signal, onDefect } = dependencies;
  const selectAll = database.prepare('SELECT * FROM preset');
  const selectOne = database.prepare('SELECT * FROM preset WHERE id = ?');
  const upsert = database.prepare(
    `INSERT INTO preset (id, kind, name, connection_id, connection_name, voice_name, settings, revision, is_default)
     VALUES (:id, :kind, :name, :connection_id, :connection_name, :voice_name, :settings, :revision, :is_default)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, connection_id = excluded.connection_id,
       connection_name = excluded.connection_name, voice_name = excluded.voice_name, settings = excluded.settings,
       revision = excluded.revision, is_default = excluded.is_default`,
  );
  const selectNames = database.prepare('SELECT id, name FROM preset WHERE kind = ?');
  const selectCount = database.prepare('SELECT count(*) AS presets FROM preset');
  const drop = database.prepare('DELETE FROM preset WHERE id = ?');
  const clearDefaults = database.prepare(
    'UPDATE preset SET is_default = 0 WHERE kind = ? AND connection_id = ? AND id <> ? AND is_default = 1',
  );
  const listeners = createListeners<readonly Preset[]>(onDefect);

  const readOrSkip = (row: StoredRow): readonly Preset[] => {
    try {
      return [v.parse(presetRow, fromRow(row))];
    } catch (error) {
      onDefect(error);
      return [];
    }
  };
  const byName = (a: Preset, b: Preset): number =>
    presetKinds.indexOf(a.kind) - presetKinds.indexOf(b.kind) || compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1);
  const list = () => selectAll.all().flatMap(readOrSkip).sort(byName);

  function get(id: string): Preset {
    const row = selectOne.get(id);
    const [preset] = row ? readOrSkip(row) : [];
    if (!preset) throw new AppError('preset/not-found', `no preset ${id}`);
    return preset;
  }

  /** Compares here, because SQLite ignores the case of ASCII letters only. */
  function findByName(kind: PresetKind, name: string): Preset | undefined {
    const found = selectNames.all(kind).find((row) => comparableName(String(row['name'])) === comparableName(name));
    return found && readOrSkip(selectOne.get(String(found['id'])) ?? found)[0];
  }

  /** Runs `work` under the write lock, so that no other process takes the same name, and tells the listeners. */
  const write = <T>(work: () => T): T =>
    writes.write(() =>
      transaction(database, () => {
        const result = work();
        afterCommit(database, () => listeners.emit(list()));
        return result;
      }),
    );

  function put(preset: Preset): Preset {
    if (preset.isDefault) clearDefaults.run(preset.kind, preset.connectionId, preset.id);
    upsert.run(toRow(preset));
    return preset;
  }

  function assertFree(kind: PresetKind, name: string, id: string | null): void {
    const taken = findByName(kind, name);
    if (taken && taken.id !== id)
      throw new AppError('preset/name-taken', `there is a preset ${name}`, { facts: { name } });
  }

  const nameOf = (connectionId: string): string => connections.get(connectionId).document.name;

  function add(name: string, content: PresetContent): Preset {
    const stamp = { id: randomId(), name: name.trim(), revision: 1, isDefault: false };
    return put({ ...content, ...stamp, connectionName: nameOf(content.connectionId) });
  }

  /** One entry of a file; `known` has the presets that are here by now, of this file too. */
  function importEntry(entry: PresetEntry, known: Preset[]): { readonly to: string } | PresetImport['skipped'][number] {
    const { name, connection } = entry;
    const skip = (reason: PresetImport['skipped'][number]['reason']) => ({ name, reason, connection: connection.name });
    if (entry.content === null) return skip('invalid');
    const here = connections.list();
    const found =
      here.find(({ id }) => id === connection.id) ??
      here.find((one) => comparableName(one.name) === comparableName(connection.name));
    if (!found) return skip('no-connection');
    const content: PresetContent = { ...entry.content, connectionId: found.id };
    const ofKind = known.filter(({ kind }) => kind === content.kind);
    const base = comparableName(withoutCounter(name));
    const isKnown = ofKind.some(
      (preset) => comparableName(withoutCounter(preset.name)) === base && hasContent(preset, content),
    );
    if (isKnown) return skip('known');
    if (known.length >= maxPresets) return skip('too-many');
    const to = freeName(
      name,
      ofKind.map((preset) => preset.name),
    );
    known.push(add(to, content));
    return { to };
  }

  return {
    list,
    get,
    findByName,
    create: (name, content) =>
      write(() => {
        assertFree(content.kind, name, null);
        if (Number(selectCount.get()?.['presets']) >= maxPresets) {
          throw new AppError('preset/too-many', `${maxPresets} presets`, { facts: { count: maxPresets } });
        }
        return add(name, content);
      }),
    update: (id, content) =>
      write(() => {
        const before = get(id);
        if (before.kind !== content.kind) throw new AppError('request/invalid', `preset ${id} is for ${before.kind}`);
        const isMoved = before.connectionId !== content.connectionId;
        const revision = hasContent(before, content) ? before.revision : before.revision + 1;
        const { name, isDefault } = before;
        const connectionName = nameOf(content.connectionId);
        return put({ ...content, id, name, revision, connectionName, isDefault: isDefault && !isMoved });
      }),
    rename: (id, name) =>
      write(() => {
        const before = get(id);
        assertFree(before.kind, name, id);
        return put({ ...before, name: name.trim() });
      }),
    remove: (id) => write(() => void drop.run(id)),
    setDefault: (id, isDefault) => write(() => put({ ...get(id), isDefault })),
    importAll: (entries) =>
      write(() => {
        const known = [...list()];
        const outcomes = entries.map((entry) => ({ from: entry.name, outcome: importEntry(entry, known) }));
        const added = outcomes.flatMap(({ from, outcome }) => ('to' in outcome ? [{ from, to: outcome.to }] : []));
        return {
          imported: added.length,
          renamed: added.filter(({ from, to }) => from !== to),
          skipped: outcomes.flatMap(({ outcome }) => ('to' in outcome ? [] : [outcome])),
        };
      }),
    onChanged: listeners.add,
    start() {
      let shown = '';
      followOtherWrites(dependencies, signal, () => {
        const presets = list();
        const text = JSON.stringify(presets);
        if (text !== shown) listeners.emit(presets);
        shown = text;
      });
      // Read last: what is written from here on is followed.
      shown = JSON.stringify(list());
    },
  };
}
