import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { textExtensions, watchSettings, type WatchSettings } from '../../../shared/schemas/watch.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { Clock } from '../clock.ts';
import { flag, fromRow, nullableText, storedJson, type StoredRow, storedVoice, toRow } from '../database/columns.ts';
import { transaction } from '../database/sqlite.ts';
import { isInside } from '../files/folders.ts';
import type { ProcessLock } from '../jobs/process-lock.ts';
import type { RootIdentity, WatchedRoot } from '../scanner/scanner.ts';
import { doneFolder } from './source-disposal.ts';

/** A watched folder as stored. */
export interface WatchFolder {
  readonly id: string;
  readonly settings: WatchSettings;
  /** The voice as it was when the settings were saved. */
  readonly voice: Voice;
  readonly identity: RootIdentity;
  /** False for a folder of a command, which the window does not show. */
  readonly isListed: boolean;
  readonly isPaused: boolean;
  readonly baselineStage: BaselineStage;
  readonly createdAt: number;
}

/** Stages of the question about recordings that were in a folder before it was watched. */
const baselineStages = ['scanning', 'asking', 'answered'] as const;
export type BaselineStage = (typeof baselineStages)[number];

/** Watched folders in the database. Every change is readable once the call returns. */
export interface FolderStore {
  /** In order of creation. */
  list(): readonly WatchFolder[];
  find(id: string): WatchFolder | undefined;
  /** The folder at this path whose row is invalid. What was converted in it is still known under its id. */
  findInvalidId(path: string): string | undefined;
  /** Adds a folder, or replaces the row with its id. Throws if the row could not be read back; then nothing is written. */
  add(folder: Omit<WatchFolder, 'createdAt'>): void;
  /** Throws like `add`. */
  update(id: string, change: Partial<Omit<WatchFolder, 'id' | 'createdAt'>>): void;
  remove(id: string): void;
  /** Makes this process the watcher of a folder. Returns false if another live process watches it. */
  acquireLease(id: string): boolean;
  releaseLease(id: string): void;
  /** True if another live process watches it. */
  isLeasedElsewhere(id: string): boolean;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly clock: Pick<Clock, 'now'>;
  readonly processLock: Pick<ProcessLock, 'id' | 'isAlive'>;
  /** Called with the error of an invalid row, which is skipped. */
  onDefect(error: unknown): void;
}

const folderRow = v.object({
  id: v.string(),
  settings: storedJson(watchSettings),
  voice: storedJson(storedVoice),
  marker: nullableText,
  device: v.string(),
  inode: v.string(),
  isListed: flag,
  isPaused: flag,
  baselineStage: v.picklist(baselineStages),
  createdAt: v.number(),
});

function read(stored: StoredRow): WatchFolder {
  const { marker, device, inode, ...folder } = v.parse(folderRow, fromRow(stored));
  return { ...folder, identity: { marker, device, inode } };
}

/** The row of a folder. Throws if it could not be read back, since a folder that is not found is converted anew. */
function rowOf({ identity, ...folder }: WatchFolder): ReturnType<typeof toRow> {
  const row = toRow({ ...folder, ...identity });
  v.parse(folderRow, fromRow(row as StoredRow));
  return row;
}

export function createFolderStore({ database, clock, processLock, onDefect }: Dependencies): FolderStore {
  const selectAll = database.prepare('SELECT * FROM watch_folder ORDER BY created_at, id');
  const selectOne = database.prepare('SELECT * FROM watch_folder WHERE id = ?');
  const selectAt = database.prepare(
    `SELECT * FROM watch_folder WHERE iif(json_valid(settings), json_extract(settings, '$.path'), NULL) = ?`,
  );
  const insert = database.prepare(
    `INSERT INTO watch_folder (id, settings, voice, marker, device, inode, is_listed, is_paused, baseline_stage, created_at)
     VALUES (:id, :settings, :voice, :marker, :device, :inode, :is_listed, :is_paused, :baseline_stage, :created_at)
     ON CONFLICT (id) DO UPDATE SET settings = excluded.settings, voice = excluded.voice, marker = excluded.marker,
       device = excluded.device, inode = excluded.inode, is_listed = excluded.is_listed, is_paused = excluded.is_paused,
       baseline_stage = excluded.baseline_stage`,
  );
  const update = database.prepare(
    `UPDATE watch_folder SET settings = :settings, voice = :voice, marker = :marker, device = :device, inode = :inode,
       is_listed = :is_listed, is_paused = :is_paused, baseline_stage = :baseline_stage, created_at = :created_at WHERE id = :id`,
  );
  const drop = database.prepare('DELETE FROM watch_folder WHERE id = ?');
  const setOwner = database.prepare('UPDATE watch_folder SET owner = ? WHERE id = ?');
  const clearOwner = database.prepare('UPDATE watch_folder SET owner = NULL WHERE id = ? AND owner = ?');

  function readOrSkip(row: StoredRow): WatchFolder[] {
    try {
      return [read(row)];
    } catch (error) {
      onDefect(error);
      return [];
    }
  }
  const find = (id: string): WatchFolder | undefined => {
    const row = selectOne.get(id);
    return row && readOrSkip(row)[0];
  };

  function isLeasedElsewhere(id: string): boolean {
    const owner = selectOne.get(id)?.['owner'];
    return typeof owner === 'string' && owner !== processLock.id && processLock.isAlive(owner);
  }

  return {
    list: () => selectAll.all().flatMap(readOrSkip),
    find,
    findInvalidId(path) {
      const row = selectAt.all(path).find((each) => !v.is(folderRow, fromRow(each)));
      return row && String(row['id']);
    },
    add: (folder) => void insert.run(rowOf({ ...folder, createdAt: clock.now() })),
    update(id, change) {
      transaction(database, () => {
        const folder = find(id);
        if (!folder) return;
        update.run(rowOf({ ...folder, ...change }));
      });
    },
    remove: (id) => void drop.run(id),
    acquireLease(id) {
      return transaction(database, () => {
        if (isLeasedElsewhere(id)) return false;
        setOwner.run(processLock.id, id);
        return true;
      });
    },
    isLeasedElsewhere,
    releaseLease: (id) => void clearOwner.run(id, processLock.id),
  };
}

/** Subfolders that are not scanned: results and moved sources are not new recordings. */
export function excludedOf({ path, outputFolder, afterwards }: WatchFolder['settings']): readonly string[] {
  const results = outputFolder !== null && outputFolder !== path && isInside(path, outputFolder) ? [outputFolder] : [];
  return afterwards === 'done' ? [...results, join(path, doneFolder)] : results;
}

/** Extensions of the files that a folder turns into results. */
export const endingsOf = ({ endings, speech }: WatchSettings): readonly string[] =>
  speech ? [...endings, ...textExtensions] : endings;

export const rootOf = ({ id, settings, identity }: Pick<WatchFolder, 'id' | 'settings' | 'identity'>): WatchedRoot => ({
  id,
  path: settings.path,
  identity,
  isRecursive: settings.isRecursive,
  endings: endingsOf(settings),
  // Links may lead to a folder of results inside this one.
  excluded: [...excludedOf(settings), ...(settings.outputFolder === null ? [] : [settings.outputFolder])],
  isExclusive: true,
});
