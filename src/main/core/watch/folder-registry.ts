import { randomUUID } from 'node:crypto';
import { readdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { WatchSettings } from '../../../shared/schemas/watch.ts';
import { transaction } from '../database/sqlite.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { checkRoot, placeMarker } from '../scanner/root-identity.ts';
import type { FileStore } from './file-store.ts';
import type { FolderStore, WatchFolder } from './folder-store.ts';
import { settingsHash } from './ledger.ts';
import { isInside } from './source-disposal.ts';

/** Keeps two from watching the same files: each of these would be paid for twice. */
export interface FolderOverlaps {
  /**
   * Runs `write` under the write lock, with what is known of the folder already: the one of this id, or one that only commands watched
   * and that is in no window. Throws `data/not-writable`, and `watch/overlaps` where a window or a living process watches what is in it, or what it is in.
   */
  claim<T>(given: string | null, settings: WatchSettings, write: (known: WatchFolder | undefined) => T): Promise<T>;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly writes: Pick<WriteGate, 'write'>;
  readonly folders: Pick<FolderStore, 'list' | 'isElsewhere'>;
  /** Whether this process watches it. */
  isKept(id: string): boolean;
}

const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);

export function createFolderOverlaps({ database, writes, folders, isKept }: Dependencies): FolderOverlaps {
  /** Links are looked through beforehand: nothing waits for a disk under the lock. */
  async function realPaths(paths: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const path of paths) found.set(path, await realPath(path));
    return found;
  }

  return {
    async claim(given, settings, write) {
      const { path, isRecursive } = settings;
      for (;;) {
        const real = await realPaths([path, ...folders.list().map((folder) => folder.settings.path)]);
        const placeOf = (folder: WatchFolder) => real.get(folder.settings.path) ?? folder.settings.path;
        const own = real.get(path) ?? path;
        const lookAndWrite = () => {
          const all = folders.list();
          // One that came meanwhile, and that nobody has looked at.
          if (all.some((folder) => !real.has(folder.settings.path))) return null;
          const known = all.find((folder) =>
            given === null ? !folder.listed && placeOf(folder) === own : folder.id === given,
          );
          for (const folder of all) {
            const isWatched = folder.listed || isKept(folder.id) || folders.isElsewhere(folder.id);
            if (folder.id === known?.id || !isWatched) continue;
            const place = placeOf(folder);
            const isSeen =
              place === own ||
              (isRecursive && isInside(own, place)) ||
              (folder.settings.isRecursive && isInside(place, own));
            if (!isSeen) continue;
            const facts = { folder: folder.settings.path };
            throw new AppError('watch/overlaps', `${path} and ${facts.folder}`, { facts });
          }
          return { answer: write(known) };
        };
        const claimed = writes.write(() => transaction(database, lookAndWrite));
        if (claimed) return claimed.answer;
      }
    },
  };
}

/** Which folders are watched, and how. Each call gives the id of the folder that it put down. */
export interface FolderRegistry {
  /** As of `Watch`. */
  save(given: string | null, settings: WatchSettings, voice: Voice): Promise<string>;
  /** As of `Watch`. */
  run(settings: WatchSettings, voice: Voice, answer: 'convert' | 'leave'): Promise<string>;
  remove(id: string): void;
}

interface FolderRegistryDependencies {
  readonly database: DatabaseSync;
  readonly writes: Pick<WriteGate, 'write'>;
  readonly folders: FolderStore;
  readonly lines: Pick<FileStore, 'judgeAnew'>;
  /** Whether this process watches it. */
  isKept(id: string): boolean;
}

export const noFolder = (id: string): AppError => new AppError('request/invalid', `no watched folder ${id}`);

export const withoutTail = (settings: WatchSettings): WatchSettings => ({
  ...settings,
  path: resolve(settings.path),
  outputFolder: settings.outputFolder === null ? null : resolve(settings.outputFolder),
});

const isEmpty = async (folder: string): Promise<boolean> => (await readdir(folder)).length === 0;

export function createFolderRegistry({
  database,
  writes,
  folders,
  lines,
  isKept,
}: FolderRegistryDependencies): FolderRegistry {
  const { claim } = createFolderOverlaps({ database, writes, folders, isKept });

  /** Gives a known folder other settings. What was converted with the old ones is offered. */
  function change(
    { id, settings: before }: WatchFolder,
    to: Partial<WatchFolder> & Pick<WatchFolder, 'settings'>,
  ): string {
    folders.change(id, to);
    if (settingsHash(before) !== settingsHash(to.settings)) lines.judgeAnew(id, settingsHash(to.settings));
    return id;
  }

  function add(folder: Pick<WatchFolder, 'settings' | 'voice' | 'identity' | 'listed'>): string {
    const id = randomUUID();
    folders.add({ ...folder, id, isPaused: false, existing: 'scanning' });
    return id;
  }

  /** Asked before a marker is put into a folder that is refused then. */
  const mayClaim = (given: string | null, settings: WatchSettings) => claim(given, settings, (known) => known);

  return {
    async save(given, asked, voice) {
      const own = given === null ? undefined : folders.get(given);
      if (given !== null && !own) throw noFolder(given);
      const settings = withoutTail(own ? { ...asked, path: own.settings.path } : asked);
      const before = await mayClaim(given, settings);
      const isAway = before && (await checkRoot(settings.path, before.identity)) !== 'there';
      const identity = isAway ? before.identity : await placeMarker(settings.path);
      return claim(given, settings, (known) => {
        if (known) return change(known, { settings, voice, identity, listed: true });
        if (given !== null) throw noFolder(given);
        return add({ settings, voice, identity, listed: true });
      });
    },
    async run(asked, voice, answer) {
      const settings = withoutTail(asked);
      const { path } = settings;
      const before = await mayClaim(null, settings);
      // The place where a disk is to be: a service may begin before it is there. A folder with something in it was made anew.
      const isAway = before && (await checkRoot(path, before.identity)) === 'another' && (await isEmpty(path));
      const identity = isAway ? before.identity : await placeMarker(path);
      return claim(null, settings, (known) => {
        // Owned with the same stroke: another command that begins now sees it.
        const own = (id: string) => {
          if (folders.own(id)) return id;
          throw new AppError('watch/elsewhere', `${path} is watched`, { facts: { folder: path } });
        };
        if (!known) return own(add({ settings, voice, identity, listed: false }));
        own(known.id);
        // What an earlier command left alone is asked for now.
        const isAsked = answer === 'convert' && known.existing === 'answered';
        return change(known, { settings, voice, identity, ...(isAsked && { existing: 'asking' }) });
      });
    },
    remove(id) {
      // The command that watches it goes on, and must still know what it has paid for.
      if (folders.isElsewhere(id)) folders.change(id, { listed: false });
      else folders.remove(id);
    },
  };
}
