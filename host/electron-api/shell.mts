import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Electron from 'electron';
import { runProgram } from '../launch/program.mts';
import { strict } from '../strict.mts';
import { moveToTrash, userTrash } from './trash.mts';

async function open(purpose: string, what: string): Promise<void> {
  const { code } = await runProgram(purpose, 'xdg-open', [what]);
  if (code !== 0) throw new Error(`host: xdg-open could not open ${what} (exit code ${code})`);
}

/** Asks the file manager over D-Bus to select the file; if it can't, opens the folder. */
async function showItem(path: string): Promise<void> {
  const where = '--session --dest org.freedesktop.FileManager1 --object-path /org/freedesktop/FileManager1';
  const method = 'org.freedesktop.FileManager1.ShowItems';
  // A GVariant string in single quotes, so quotes in the URL are percent-encoded.
  const items = `['${pathToFileURL(path).href.replaceAll("'", '%27')}']`;
  const args = ['call', ...where.split(' '), '--method', method, items, ''];
  const shown = await runProgram('shell.showItemInFolder', 'gdbus', args).catch(() => undefined);
  if (shown?.code !== 0) await open('shell.showItemInFolder', dirname(path));
}

/** Electron's `shell` through desktop programs. Tests replace its members, with Electron as well. */
export const shell = strict('shell', {
  openExternal: (url: string) => open('shell.openExternal', url),
  openPath: (path: string) =>
    open('shell.openPath', path).then(
      () => '',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    ),
  // Electron returns nothing here, so a failure can only be printed.
  showItemInFolder: (path: string) => void showItem(path).catch((error: unknown) => console.error(error)),
  trashItem: (path: string) => moveToTrash(path, { directory: userTrash(process.env), now: () => new Date() }),
  beep: () => void process.stderr.write('\u0007'),
} satisfies Partial<Electron.Shell>) as unknown as Electron.Shell;
