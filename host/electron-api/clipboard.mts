import type Electron from 'electron';
import { strict } from '../strict.mts';

/**
 * Electron's `clipboard`, text only. Writes to the system clipboard through a window of the app, if there is one. Reads
 * only what this app wrote last, since a page may not read the clipboard.
 *
 * @param evaluate - runs a script in any window of the app, as if by a user gesture
 */
export function createClipboard(evaluate: (script: string) => Promise<unknown>): Electron.Clipboard {
  let text = '';
  const members = {
    readText: () => Promise.resolve(text),
    async writeText(written: string) {
      text = written;
      // A copy command with replaced content needs no permission and keeps the page's selection.
      await evaluate(`{
        const write = (event) => {
          event.clipboardData.setData('text/plain', ${JSON.stringify(written)});
          event.preventDefault();
          event.stopImmediatePropagation();
        };
        addEventListener('copy', write, { capture: true, once: true });
        document.execCommand('copy');
        removeEventListener('copy', write, { capture: true });
      }`);
    },
  } satisfies Partial<Electron.Clipboard>;
  return strict('clipboard', members) as unknown as Electron.Clipboard;
}
