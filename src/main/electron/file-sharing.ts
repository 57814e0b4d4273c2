import type { BrowserWindow, Clipboard, ClipboardItem, ShareMenu, WebContents } from 'electron';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../shared/errors.ts';
import type { FileSharing } from '../handlers/history.ts';

/** Names a format of the system, which is none of the web's. */
const native = (format: string): string => `electron application/osclipboard;format="${format}"`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A property list with an array of paths, which the Finder and Mail paste as files. */
const propertyList = (paths: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><array>${paths.map((path) => `<string>${escaped(path)}</string>`).join('')}</array></plist>`;

/** The formats by which other programs paste these files, by name. GNOME's files and KDE's read different ones. */
export function clipboardFormats(
  paths: readonly string[],
  platform: NodeJS.Platform,
): Readonly<Record<string, string>> {
  if (platform === 'darwin') return { [native('NSFilenamesPboardType')]: propertyList(paths) };
  const addresses = paths.map((path) => pathToFileURL(path).href);
  return {
    'text/plain': paths.join('\n'),
    [native('text/uri-list')]: addresses.map((address) => `${address}\r\n`).join(''),
    [native('x-special/gnome-copied-files')]: ['copy', ...addresses].join('\n'),
  };
}

interface CopyTarget {
  readonly clipboard: Pick<Clipboard, 'write'>;
  readonly ClipboardItem: typeof ClipboardItem;
  readonly platform: NodeJS.Platform;
}

/** Puts the files themselves on the clipboard. Throws `history/no-transfer`. */
export async function copyFiles(
  paths: readonly string[],
  { clipboard, ClipboardItem: Item, platform }: CopyTarget,
): Promise<void> {
  const formats = Object.entries(clipboardFormats(paths, platform)).map(
    ([name, content]) => [name, name === 'text/plain' ? content : new Blob([content])] as const,
  );
  try {
    await clipboard.write([new Item(Object.fromEntries(formats))]);
  } catch (cause) {
    throw new AppError('history/no-transfer', String(cause), { cause });
  }
}

/** Opens the system's menu with the programs and people that can receive the files. Throws `history/no-transfer`. */
export function shareFiles(
  paths: readonly string[],
  { ShareMenu: Menu, window }: { readonly ShareMenu: typeof ShareMenu; readonly window: BrowserWindow | undefined },
): void {
  try {
    new Menu({ filePaths: [...paths] }).popup(window && { window });
  } catch (cause) {
    throw new AppError('history/no-transfer', String(cause), { cause });
  }
}

/**
 * Continues a drag that began in the page as a system drag of these files. `icon` is the path of a PNG, which macOS requires. Throws
 * `history/no-drag` without a page, or if its window has no system drag.
 */
export function dragFiles(
  paths: readonly string[],
  { contents, icon }: { readonly contents: Pick<WebContents, 'startDrag'> | undefined; readonly icon: string },
): void {
  const [file] = paths;
  try {
    if (!contents || file === undefined) throw new Error('nothing to drag, or nowhere to drag it from');
    contents.startDrag({ file, files: [...paths], icon });
  } catch (cause) {
    throw new AppError('history/no-drag', String(cause), { cause });
  }
}

/** Gives files to other programs. `icon` is the picture of a drag. Electron's parts are imported late: a host may lack them. */
export const createFileSharing = (window: () => BrowserWindow | undefined, icon: string): FileSharing => ({
  async copyText(text) {
    const { clipboard } = await import('electron');
    await clipboard.writeText(text);
  },
  async copyFiles(paths) {
    const { clipboard, ClipboardItem } = await import('electron');
    await copyFiles(paths, { clipboard, ClipboardItem, platform: process.platform });
  },
  async shareFiles(paths) {
    const { ShareMenu } = await import('electron');
    shareFiles(paths, { ShareMenu, window: window() });
  },
  dragFiles: (paths) => dragFiles(paths, { contents: window()?.webContents, icon }),
});
