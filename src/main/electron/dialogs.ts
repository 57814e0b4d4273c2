import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron';

export interface Dialogs {
  chooseFiles(): Promise<readonly string[]>;
  chooseFolder(): Promise<string | null>;
}

/** The system's own dialogs, on top of the window where there is one. */
export function createDialogs(window: () => BrowserWindow | undefined): Dialogs {
  async function open(options: OpenDialogOptions): Promise<readonly string[]> {
    const parent = window();
    const { canceled, filePaths } = await (parent
      ? dialog.showOpenDialog(parent, options)
      : dialog.showOpenDialog(options));
    return canceled ? [] : filePaths;
  }
  return {
    chooseFiles: () => open({ properties: ['openFile', 'multiSelections'] }),
    chooseFolder: async () => (await open({ properties: ['openDirectory', 'createDirectory'] }))[0] ?? null,
  };
}
