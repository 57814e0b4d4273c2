import { resolve } from 'node:path';
import { watchedEndings, type WatchSettings } from '../../shared/wire/watch.ts';
import { text, type Asked } from '../command.ts';
import { readSettings } from '../convert/read-settings.ts';
import { positiveNumber } from '../read-flags.ts';

/** The folder that a command watches, from its word and flags. */
export const readFolder = (folder: string, connectionId: string, asked: Asked): WatchSettings => {
  const out = text(asked.flags, 'out');
  return {
    path: resolve(folder),
    isRecursive: asked.flags['subfolders'] !== false,
    endings: watchedEndings,
    connectionId,
    conversion: readSettings(asked),
    outputFolder: out === undefined ? null : resolve(out),
    afterwards: asked.flags['move-done'] === true ? 'done' : 'keep',
    dailyMinutes: positiveNumber(asked, 'minutes-a-day') ?? null,
  };
};
