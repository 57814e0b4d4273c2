import { clipboard, type BrowserWindow } from 'electron';
import type { SettingsStore } from '../core/settings/settings-store.ts';
import type { HistoryDesktop } from '../handlers/history-files.ts';
import { appPlaces } from './app-places.ts';
import type { Dialogs } from './dialogs.ts';
import { dragOut } from './drag-out.ts';

interface Dependencies extends Pick<Dialogs, 'chooseNewExport' | 'chooseExport' | 'chooseFileOrFolder'> {
  readonly window: () => BrowserWindow | undefined;
  settings(): Promise<Pick<SettingsStore, 'get'>>;
}

/** The system around the files of history: its dialogs, its clipboard, its drag. */
export const createHistoryDesktop = (dependencies: Dependencies): HistoryDesktop => ({
  chooseNewExport: dependencies.chooseNewExport,
  chooseExport: dependencies.chooseExport,
  chooseFileOrFolder: dependencies.chooseFileOrFolder,
  copyText: (text) => clipboard.writeText(text),
  dragFiles: (paths) => dragOut(dependencies.window()?.webContents, paths, appPlaces.icon(64)),
  importFolder: async () => appPlaces.importFolder((await dependencies.settings()).get().outputFolder),
});
