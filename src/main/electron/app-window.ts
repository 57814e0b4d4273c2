import { BrowserWindow, nativeTheme, type WebContents } from 'electron';
import { appOrigin } from '../core/media/app-server.ts';

/** The app's only window, created on demand and again after it was closed. */
export interface AppWindow {
  /** Opens the window, or brings it to the front. */
  show(): void;
  /** Sends to the page if it is listening; drops the message otherwise. */
  send(channel: string, payload: unknown): void;
  markReady(): void;
  /** True if the page is listening and visible. */
  isListening(): boolean;
  owns(contentsId: number): boolean;
  /** Sets the zoom factor; 1 is the default size. */
  zoom(factor: number): void;
  /** Parent window for dialogs; undefined while there is none. */
  current(): BrowserWindow | undefined;
}

interface Dependencies {
  readonly preload: string;
  readonly icon: string;
  /** Initial zoom factor. */
  readonly zoomFactor: number;
  onLoadFailed(error: unknown): void;
  /** Called before the window closes, which can be prevented. */
  onClose(event: Pick<Electron.Event, 'preventDefault'>): void;
  /** Called when the system ends the user's session. */
  onSessionEnd(): void;
}

/** A crash this soon after a reload is not a coincidence. */
const crashLoopMs = 10_000;

/** Page background of each theme (styles/tokens.css), so that nothing flashes before the first paint. */
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
      // No spell checker: Electron would download dictionaries from its vendor's servers.
      webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
    });
    opened.once('ready-to-show', () => opened.show());
    // Chromium stores a zoom factor per origin, which another window may have set.
    opened.webContents.on('dom-ready', () => opened.webContents.setZoomFactor(zoomFactor));
    opened.on('close', onClose);
    opened.on('session-end', onSessionEnd);
    opened.on('unresponsive', () => (hangs = true));
    opened.on('responsive', () => (hangs = false));
    opened.on('closed', () => {
      if (window === opened) window = undefined;
      ready = false;
    });
    // Reload a crashed page: all its state is in main.
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
