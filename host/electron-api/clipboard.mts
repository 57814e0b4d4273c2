import type Electron from 'electron';
import { strict } from '../strict.mts';

/**
 * Electron's `clipboard`, text only. What is written goes to the system's clipboard through a window of the app, where
 * there is one; what is read is what this app wrote last, since a page may not read what others put there.
 *
 * @param evaluate - runs a script in some window of the app, with a user's gesture
 */
export function createClipboard(evaluate: (script: string) => Promise<unknown>): Electron.Clipboard {
  let text = '';
  const members = {
    readText: () => Promise.resolve(text),
    async writeText(written: string) {
      text = written;
      // A copy command whose content is ours: it needs no permission and leaves the page's selection alone.
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
