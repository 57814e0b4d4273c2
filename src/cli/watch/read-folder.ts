import { resolve } from 'node:path';
import type { Settings } from '../../shared/schemas/settings.ts';
import { watchedEndings, type WatchSettings } from '../../shared/schemas/watch.ts';
import { text, type Asked } from '../command.ts';
import { readSettings } from '../convert/read-settings.ts';
import { positiveNumber } from '../read-flags.ts';

/** The folder that a command watches, from its path, flags and the app's settings. */
export const readFolder = (
  path: string,
  connectionId: string,
  asked: Asked & { readonly settings: Pick<Settings, 'outputFolder'> },
): WatchSettings => {
  const out = text(asked.flags, 'out') ?? asked.settings.outputFolder;
  return {
    path,
    isRecursive: asked.flags['subfolders'] !== false,
    endings: watchedEndings,
    connectionId,
    conversion: readSettings(asked),
    outputFolder: out === null ? null : resolve(out),
    afterwards: asked.flags['move-done'] === true ? 'done' : 'keep',
    dailyMinutes: positiveNumber(asked, 'minutes-a-day') ?? null,
  };
};
