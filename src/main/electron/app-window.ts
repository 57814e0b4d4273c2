import { BrowserWindow, nativeTheme, type WebContents } from 'electron';
import { appOrigin } from '../core/media/app-server.ts';

/** The one window, made when it is needed and made again after it was closed. */
export interface AppWindow {
  /** Opens the window, or brings it to the front. */
  show(): void;
  /** Sends to the page once it said that it listens; before that there is nobody to hear. */
  send(channel: string, payload: unknown): void;
  markReady(): void;
  /** Whether its page would hear and show what is sent to it now. */
  isListening(): boolean;
  owns(contentsId: number): boolean;
  /** Shows the page larger or smaller, from 1 for its usual size. */
  zoom(factor: number): void;
  /** For dialogs that belong to the window; undefined while there is none. */
  current(): BrowserWindow | undefined;
}

interface Dependencies {
  readonly preload: string;
  readonly icon: string;
  /** The size of the first page, as `zoom` takes it. */
  readonly zoomFactor: number;
  onLoadFailed(error: unknown): void;
  /** The window is about to close, which may be prevented. */
  onClose(event: Pick<Electron.Event, 'preventDefault'>): void;
  /** The system ends the person's session. */
  onSessionEnd(): void;
}

/** A page that crashes again so soon after it was loaded anew does not crash by chance. */
const crashLoopMs = 10_000;

/** The surface of the page in either look (styles/tokens.css), so that nothing flashes before the first paint. */
const background = () => (nativeTheme.shouldUseDarkColors ? '#141a18' : '#f6f8f7');

export function createAppWindow(dependencies: Dependencies): AppWindow {
  const { preload, icon, onLoadFailed, onClose, onSessionEnd } = dependencies;
  let { zoomFactor } = dependencies;
  let window: BrowserWindow | undefined;
  let ready = false;
  let hangs = false;
  let reloadedAt = 0;

  function load(contents: WebContents): void {
    ready = false;
    hangs = false;
    contents.loadURL(`${appOrigin}/`).catch((error: unknown) => {
      if (!contents.isDestroyed()) onLoadFailed(error);
    });
  }

  function open(): BrowserWindow {
    const opened = new BrowserWindow({
      width: 1200,
      height: 800,
      minWidth: 800,
      minHeight: 600,
      title: 'Timbre',
      icon,
      backgroundColor: background(),
      autoHideMenuBar: true,
      show: false,
      // Electron would fetch a dictionary from its vendor's servers, which nobody asked for.
      webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
    });
    opened.once('ready-to-show', () => opened.show());
    // Chromium keeps a size of its own for each address, which another window may have left behind.
    opened.webContents.on('dom-ready', () => opened.webContents.setZoomFactor(zoomFactor));
    opened.on('close', onClose);
    opened.on('session-end', onSessionEnd);
    opened.on('unresponsive', () => (hangs = true));
    opened.on('responsive', () => (hangs = false));
    opened.on('closed', () => {
      if (window === opened) window = undefined;
      ready = false;
    });
    // A page that crashed is loaded again: everything that it shows lives in main.
    opened.webContents.on('render-process-gone', (_event, { reason }) => {
      ready = false;
      onLoadFailed(new Error(`the page ended: ${reason}`));
      const now = Date.now();
      if (now - reloadedAt < crashLoopMs) return;
      reloadedAt = now;
      load(opened.webContents);
    });
    load(opened.webContents);
    return opened;
  }

  const isListening = () => ready && !hangs && window !== undefined && !window.isDestroyed();

  return {
    show() {
      if (!window) {
        window = open();
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    send(channel, payload) {
      if (ready && window && !window.isDestroyed()) window.webContents.send(channel, payload);
    },
    markReady: () => void (ready = true),
    isListening,
    owns: (contentsId) => window !== undefined && !window.isDestroyed() && window.webContents.id === contentsId,
    zoom(factor) {
      zoomFactor = factor;
      if (window && !window.isDestroyed()) window.webContents.setZoomFactor(factor);
    },
    current: () => window,
  };
}
