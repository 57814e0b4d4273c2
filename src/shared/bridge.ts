import type { Transport } from './client.ts';

/** The preload's own word to main, which the page cannot say: the paths that it found behind files. */
export const givenPathsChannel = 'files:given';

/** All that the preload gives the page, as `window.bridge`. `DomFile` is the DOM's `File`, which this room does not know. */
export interface Bridge<DomFile> extends Transport {
  /**
   * The path behind a dropped or chosen file. Opaque to the page: hand it to main as it is, never show, parse or test it. Empty for
   * a file that has no path (made by a script, or dragged out of a web page).
   */
  pathForFile(file: DomFile): string;
}
