import {
  type BrowserWindow,
  dialog,
  type MessageBoxOptions,
  type OpenDialogOptions,
  type SaveDialogOptions,
} from 'electron';
import { AppError } from '../../shared/errors.ts';
import type { DesktopMessages } from '../../shared/messages/desktop.ts';
import type { Dialogs } from '../handlers/dialogs.ts';

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

interface Dependencies {
  /** Parent window of the dialogs, if there is one. */
  window(): BrowserWindow | undefined;
  messages(): Promise<DesktopMessages>;
}

/** System dialogs. */
export function createDialogs({ window, messages }: Dependencies): Dialogs {
  async function show<Options, Reply>(
    ask: ((parent: BrowserWindow, options: Options) => Promise<Reply>) & ((options: Options) => Promise<Reply>),
    options: Options,
  ): Promise<Reply> {
    const parent = window();
    try {
      return await (parent ? ask(parent, options) : ask(options));
    } catch (cause) {
      // A Linux desktop may have no portal or toolkit; drag and paste still work.
      throw new AppError('dialog/failed', String(cause), { cause });
    }
  }
  async function open(options: OpenDialogOptions): Promise<readonly string[]> {
    const { canceled, filePaths } = await show(dialog.showOpenDialog, options);
    return canceled ? [] : filePaths;
  }
  const openOne = async (options: Omit<OpenDialogOptions, 'properties'> = {}): Promise<string | null> =>
    (await open({ ...options, properties: ['openFile'] }))[0] ?? null;
  async function save(options: SaveDialogOptions): Promise<string | null> {
    const { canceled, filePath } = await show(dialog.showSaveDialog, options);
    return canceled ? null : filePath;
  }
  async function confirm(question: Pick<MessageBoxOptions, 'message' | 'detail' | 'buttons'>): Promise<boolean> {
    // The Enter key that ends the input must not confirm the dialog as well.
    const options: MessageBoxOptions = { type: 'question', ...question, defaultId: 1, cancelId: 1 };
    const { response } = await show(dialog.showMessageBox, options);
    return response === 0;
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
    chooseProgram: () => openOne(),
    chooseFile: () => openOne(),
    chooseFiles: () => open({ properties: ['openFile', 'multiSelections'] }),
    chooseFolder: async () => (await open({ properties: ['openDirectory', 'createDirectory'] }))[0] ?? null,
    chooseFileOrFolder: async () => (await open({ properties: ['openFile', 'openDirectory'] }))[0] ?? null,
    chooseTexts: () => open({ properties: ['openFile', 'multiSelections'], filters: texts }),
    chooseDocument: () => openOne({ filters: documents }),
    chooseNewDocument: (name) => save({ defaultPath: name, filters: documents }),
    chooseLexicon: () => openOne({ filters: lexicons }),
    chooseNewLexicon: (name) => save({ defaultPath: name, filters: lexicons }),
    chooseExport: () => openOne({ filters: [{ name: 'JSON Lines, ZIP', extensions: ['jsonl', 'zip'] }] }),
    chooseNewExport(name) {
      const filter = [archives, tables].find(({ extensions }) => extensions.some((one) => name.endsWith(`.${one}`)));
      return save({ defaultPath: name, filters: [filter ?? lists] });
    },
  };
}
