import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron';
import { AppError } from '../../shared/app-error.ts';

export interface Dialogs {
  chooseFiles(): Promise<readonly string[]>;
  chooseFolder(): Promise<string | null>;
}

/** The system's own dialogs, on top of the window where there is one. */
export function createDialogs(window: () => BrowserWindow | undefined): Dialogs {
  async function open(options: OpenDialogOptions): Promise<readonly string[]> {
    const parent = window();
    try {
      const { canceled, filePaths } = await (parent
        ? dialog.showOpenDialog(parent, options)
        : dialog.showOpenDialog(options));
      return canceled ? [] : filePaths;
    } catch (cause) {
      // A desktop without a portal or a toolkit has none: dropping and pasting go on.
      throw new AppError('dialog/failed', String(cause), { cause });
    }
  }
  return {
    chooseFiles: () => open({ properties: ['openFile', 'multiSelections'] }),
    chooseFolder: async () => (await open({ properties: ['openDirectory', 'createDirectory'] }))[0] ?? null,
  };
}
