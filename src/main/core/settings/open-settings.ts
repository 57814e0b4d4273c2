import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { createSettingsStore, type SettingsStore } from './settings-store.ts';

/** What both electron-store and conf offer: the whole content of one JSON file. */
interface WholeFile {
  store: Record<string, unknown>;
}

/** A file that is no longer JSON is put aside, not overwritten: whoever wrote it by hand wants it back. */
function putBrokenFileAside(path: string, now: number): void {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return;
  }
  try {
    JSON.parse(text);
  } catch {
    renameSync(path, `${path}.broken-${now}`);
  }
}

/** Opens `settings.json` of a data folder through whichever of the two libraries `open` builds. */
export function openSettings(
  dataFolder: string,
  open: (options: { cwd: string; name: string }) => WholeFile,
  clock: Clock,
): SettingsStore {
  putBrokenFileAside(join(dataFolder, 'settings.json'), clock.now());
  const file = open({ cwd: dataFolder, name: 'settings' });
  return createSettingsStore(
    {
      read: () => file.store,
      write: (settings) => void (file.store = { ...file.store, ...settings }),
    },
    clock,
  );
}
