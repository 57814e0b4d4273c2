import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/app-error.ts';
import type { Voice } from '../../../shared/wire/voice.ts';
import type { WatchSettings } from '../../../shared/wire/watch.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { checkRoot, placeMarker } from './eyes/root-identity.ts';
import type { FileLines } from './file-lines.ts';
import { createFolderClaims } from './folder-claims.ts';
import type { FolderStore } from './folder-store.ts';
import { settingsHash } from './ledger.ts';
import type { WatchFolder } from './watch-folder.ts';

/** Which folders are watched, and how. Each call gives the id of the folder that it put down. */
export interface FolderRegister {
  /** As of `Watch`. */
  save(given: string | null, settings: WatchSettings, voice: Voice): Promise<string>;
  /** As of `Watch`. */
  run(settings: WatchSettings, voice: Voice, answer: 'convert' | 'leave'): Promise<string>;
  remove(id: string): void;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly writes: Pick<WriteGate, 'write'>;
  readonly folders: FolderStore;
  readonly lines: Pick<FileLines, 'judgeAnew'>;
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

export function createFolderRegister({ database, writes, folders, lines, isKept }: Dependencies): FolderRegister {
  const { claim } = createFolderClaims({ database, writes, folders, isKept });

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
