import { join } from 'node:path';
import {
  app,
  type BrowserWindow,
  clipboard,
  dialog,
  type MessageBoxOptions,
  type OpenDialogOptions,
  type SaveDialogOptions,
} from 'electron';
import { AppError } from '../../shared/errors.ts';
import type { DesktopMessages } from '../../shared/messages/desktop.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { HistoryDesktop } from '../handlers/history.ts';
import { dragOut } from './drag-out.ts';
import type { TrayState } from './tray.ts';

export interface Dialogs {
  chooseFiles(): Promise<readonly string[]>;
  chooseFile(): Promise<string | null>;
  chooseFolder(): Promise<string | null>;
  /** Chooses a recording. */
  chooseRecording(): Promise<string | null>;
  /** Chooses a connection file. */
  chooseDocument(): Promise<string | null>;
  /** Chooses files of texts. */
  chooseTexts(): Promise<readonly string[]>;
  /** Chooses the path of a new file. The system dialog asks before it replaces one. */
  chooseNewDocument(name: string): Promise<string | null>;
  /** Chooses a pronunciation lexicon. */
  chooseLexicon(): Promise<string | null>;
  chooseNewLexicon(name: string): Promise<string | null>;
  /** Chooses the path of an export of history or statistics. */
  chooseNewExport(name: string): Promise<string | null>;
  /** Chooses a history export to import. */
  chooseExport(): Promise<string | null>;
  /** Confirms that all requests may use this proxy. */
  confirmProxy(address: string): Promise<boolean>;
  /** Chooses the program that runs after each result. */
  chooseProgram(): Promise<string | null>;
  /** Confirms that it may run with these arguments. */
  confirmArguments(program: string, args: readonly string[]): Promise<boolean>;
  /** Chooses a file or folder to search; only a folder on systems whose dialog supports just one of them. */
  chooseFileOrFolder(): Promise<string | null>;
}

const texts = [
  {
    name: 'TXT, Markdown, SRT, WebVTT, CSV',
    extensions: ['txt', 'md', 'markdown', 'text', 'srt', 'vtt', 'csv', 'tsv'],
  },
];
const lexicons = [{ name: 'PLS', extensions: ['pls', 'xml'] }];
const lists = { name: 'JSON Lines', extensions: ['jsonl'] };
const archives = { name: 'ZIP', extensions: ['zip'] };
const tables = { name: 'CSV', extensions: ['csv'] };
const documents = [{ name: 'JSON', extensions: ['json'] }];

/** A Linux desktop may have no portal or toolkit; drag and paste still work. */
const failed = (cause: unknown) => new AppError('dialog/failed', String(cause), { cause });

interface Dependencies {
  /** Parent window of the dialogs, if there is one. */
  window(): BrowserWindow | undefined;
  messages(): Promise<DesktopMessages>;
}

/** System dialogs. */
export function createDialogs({ window, messages }: Dependencies): Dialogs {
  async function open(options: OpenDialogOptions): Promise<readonly string[]> {
    const parent = window();
    try {
      const { canceled, filePaths } = await (parent
        ? dialog.showOpenDialog(parent, options)
        : dialog.showOpenDialog(options));
      return canceled ? [] : filePaths;
    } catch (cause) {
      throw failed(cause);
    }
  }
  async function save(options: SaveDialogOptions): Promise<string | null> {
    const parent = window();
    try {
      const { canceled, filePath } = await (parent
        ? dialog.showSaveDialog(parent, options)
        : dialog.showSaveDialog(options));
      return canceled ? null : filePath;
    } catch (cause) {
      throw failed(cause);
    }
  }
  async function confirm(question: Pick<MessageBoxOptions, 'message' | 'detail' | 'buttons'>): Promise<boolean> {
    // The Enter key that ends the input must not confirm the dialog as well.
    const options: MessageBoxOptions = { type: 'question', ...question, defaultId: 1, cancelId: 1 };
    const parent = window();
    try {
      const { response } = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options));
      return response === 0;
    } catch (cause) {
      throw failed(cause);
    }
  }
  async function confirmProxy(address: string): Promise<boolean> {
    const { dialogs: t } = await messages();
    const buttons = [t.useProxy, t.cancel];
    return confirm({ message: t.confirmProxy({ address }), detail: t.confirmProxyDetail, buttons });
  }
  async function confirmArguments(program: string, args: readonly string[]): Promise<boolean> {
    const { dialogs: t } = await messages();
    const list = args.map((arg, k) => `${k + 1}. ${arg}`).join('\n');
    return confirm({ message: t.confirmHook({ program }), detail: list, buttons: [t.useArguments, t.cancel] });
  }
  return {
    confirmProxy,
    confirmArguments,
    chooseProgram: async () => (await open({ properties: ['openFile'] }))[0] ?? null,
    chooseFiles: () => open({ properties: ['openFile', 'multiSelections'] }),
    chooseFile: async () => (await open({ properties: ['openFile'] }))[0] ?? null,
    chooseFolder: async () => (await open({ properties: ['openDirectory', 'createDirectory'] }))[0] ?? null,
    chooseRecording: async () => (await open({ properties: ['openFile'] }))[0] ?? null,
    chooseDocument: async () => (await open({ properties: ['openFile'], filters: documents }))[0] ?? null,
    chooseTexts: () => open({ properties: ['openFile', 'multiSelections'], filters: texts }),
    chooseNewDocument: (name) => save({ defaultPath: name, filters: documents }),
    chooseLexicon: async () => (await open({ properties: ['openFile'], filters: lexicons }))[0] ?? null,
    chooseNewLexicon: (name) => save({ defaultPath: name, filters: lexicons }),
    chooseNewExport(name) {
      const filter = [archives, tables].find(({ extensions }) => extensions.some((one) => name.endsWith(`.${one}`)));
      return save({ defaultPath: name, filters: [filter ?? lists] });
    },
    chooseExport: async () =>
      (
        await open({ properties: ['openFile'], filters: [{ name: 'JSON Lines, ZIP', extensions: ['jsonl', 'zip'] }] })
      )[0] ?? null,
    chooseFileOrFolder: async () => (await open({ properties: ['openFile', 'openDirectory'] }))[0] ?? null,
  };
}

/** Folders of Timbre's own files, and of those it creates for the user. */
export const appPlaces = {
  icon: (pixels: 64 | 512) => join(app.getAppPath(), `build/icons/${pixels}x${pixels}.png`),
  /** Linux panels scale one large image; the others select one of several sizes by its name (`@2x`). */
  trayIcon: (state: TrayState, platform: NodeJS.Platform) =>
    join(app.getAppPath(), `build/tray/${state}${platform === 'linux' ? '@3x' : ''}.png`),
  attentionIcon: () => join(app.getAppPath(), 'build/tray/attention-badge.png'),
  sample: () => join(app.getAppPath(), 'samples/harbour.wav'),
  /** For the sample's result and for speech, which have no source folder. */
  ownFolder: () => join(app.getPath('music'), 'Timbre'),
  importFolder: (outputFolder: string | null) => join(outputFolder ?? app.getPath('music'), 'Timbre import'),
} as const;

interface HistoryDesktopDependencies extends Pick<Dialogs, 'chooseNewExport' | 'chooseExport' | 'chooseFileOrFolder'> {
  readonly window: () => BrowserWindow | undefined;
  settings(): Promise<Pick<SettingsStore, 'get'>>;
}

/** System functions for history files: dialogs, clipboard, drag. */
export const createHistoryDesktop = (dependencies: HistoryDesktopDependencies): HistoryDesktop => ({
  chooseNewExport: dependencies.chooseNewExport,
  chooseExport: dependencies.chooseExport,
  chooseFileOrFolder: dependencies.chooseFileOrFolder,
  copyText: (text) => clipboard.writeText(text),
  async copyFiles(paths) {
    const [{ copyFiles }, { ClipboardItem }] = await Promise.all([import('./share-files.ts'), import('electron')]);
    await copyFiles(paths, { clipboard, ClipboardItem, platform: process.platform });
  },
  async shareFiles(paths) {
    const [{ shareFiles }, { ShareMenu }] = await Promise.all([import('./share-files.ts'), import('electron')]);
    shareFiles(paths, { ShareMenu, window: dependencies.window() });
  },
  dragFiles: (paths) => dragOut(dependencies.window()?.webContents, paths, appPlaces.icon(64)),
  importFolder: async () => appPlaces.importFolder((await dependencies.settings()).get().outputFolder),
});
