import { BrowserWindow, type ContextMenuParams, nativeTheme, screen, type WebContents } from 'electron';
import type { Settings } from '../../shared/schemas/settings.ts';
import { appOrigin } from '../core/media/app-server.ts';
import { appPaths } from './app-paths.ts';
import { fitPlace, readPlace, writePlace } from './window-place.ts';

/** The app's only window, created on demand and again after it was closed. */
export interface AppWindow {
  /** Opens the window, or brings it to the front. */
  show(): void;
  hide(): void;
  /**
   * The page had nothing to lose when it was hidden after this many calls of `show`. After a while it is unloaded, and
   * loaded again when the window is shown.
   */
  allowUnload(hiding: number): void;
  /** Opens the window minimized, or minimizes it. */
  minimize(): void;
  isMinimized(): boolean;
  /** How often `show` was called. */
  shows(): number;
  /** Calls `listener` after each `show`. */
  onShow(listener: () => void): void;
  /** True while a page loads that may listen soon. */
  isLoading(): boolean;
  /** True from `hide` to `show`: the program continues although it may have no window. */
  isHidden(): boolean;
  /** Sends to the page if it is listening; drops the message otherwise. */
  send(channel: string, payload: unknown): void;
  /** Shows the window and calls `run` once its page is listening, unless the window is closed before. */
  showAndRun(run: () => void): void;
  /** Calls `run` now, or once a page is listening, however much later. */
  whenListening(run: () => void): void;
  markReady(): void;
  /** True if the page is listening and visible. */
  isListening(): boolean;
  owns(contentsId: number): boolean;
  setAppearance(appearance: Appearance): void;
  /** Parent window for dialogs; undefined while there is none. */
  current(): BrowserWindow | undefined;
}

type Appearance = Pick<Settings, 'theme' | 'zoomPercent'>;

interface Dependencies {
  readonly preload: string;
  /** Initial appearance. */
  readonly appearance: Appearance;
  /** File with the place of the window. */
  readonly placeFile: string;
  onLoadFailed(error: unknown): void;
  /** Called before the window closes, which can be prevented. */
  onClose(event: Pick<Electron.Event, 'preventDefault'>): void;
  /** Called for a right click that the page leaves to main. */
  onContextMenu(clicked: ContextMenuParams): void;
  /** Called when the system ends the user's session. */
  onSessionEnd(): void;
}

/** A crash this soon after a reload is not a coincidence. */
const crashLoopMs = 10_000;
/** Chromium has then waited for the page already. What the user typed is saved, at most a second of it is lost. */
const maxHangMs = 5_000;
/** A user who comes back soon finds the page as it was. */
const unloadAfterMs = 60_000;

/** Page background of each theme (styles/tokens.css), so that nothing flashes before the first paint. */
const background = () => (nativeTheme.shouldUseDarkColors ? '#141a18' : '#f6f8f7');

export function createAppWindow(dependencies: Dependencies): AppWindow {
  const { preload, placeFile, onLoadFailed, onClose, onContextMenu, onSessionEnd } = dependencies;
  let { appearance } = dependencies;
  nativeTheme.themeSource = appearance.theme;
  let window: BrowserWindow | undefined;
  let ready = false;
  let hangs = false;
  let reloadedAt = 0;
  /** What the window is to be, also before its first frame. */
  let wish: 'shown' | 'minimized' | 'hidden' = 'hidden';
  let shows = 0;
  let onShow = (): void => undefined;
  let hasCrashed = false;
  let unloading: NodeJS.Timeout | undefined;
  /** Commands that wait for the page. A kept one survives until there is a page; others end with this window. */
  let waiting: { readonly run: () => void; readonly isKept: boolean }[] = [];

  function load(contents: WebContents): void {
    ready = false;
    hangs = false;
    hasCrashed = false;
    contents.loadURL(`${appOrigin}/`).catch((error: unknown) => {
      if (!contents.isDestroyed()) onLoadFailed(error);
    });
  }

  function applyZoom(opened: BrowserWindow): void {
    opened.webContents.setZoomFactor(appearance.zoomPercent / 100);
  }

  function savePlace(opened: BrowserWindow): void {
    writePlace(placeFile, { bounds: opened.getNormalBounds(), isMaximized: opened.isMaximized() });
  }

  function forgetWaiting(): void {
    waiting = waiting.filter(({ isKept }) => isKept);
  }

  function open(): BrowserWindow {
    const place = readPlace(placeFile);
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const opened = new BrowserWindow({
      width: 1200,
      height: 800,
      ...(place && fitPlace(place, areas)),
      minWidth: 800,
      minHeight: 600,
      title: 'Timbre',
      icon: appPaths.icon(512),
      backgroundColor: background(),
      autoHideMenuBar: true,
      show: false,
      // No spell checker: Electron would download dictionaries from its vendor's servers.
      webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
    });
    opened.once('ready-to-show', () => {
      // The user may have closed it before it was there.
      if (wish === 'hidden') return;
      if (place?.isMaximized) opened.maximize();
      if (wish === 'shown') opened.show();
      else {
        // A window that was never shown may have no place on the taskbar.
        opened.showInactive();
        opened.minimize();
      }
    });
    // Chromium stores a zoom factor per origin, which another window may have set.
    opened.webContents.on('dom-ready', () => applyZoom(opened));
    opened.on('close', (event) => {
      savePlace(opened);
      onClose(event);
    });
    opened.webContents.on('context-menu', (_event, clicked) => onContextMenu(clicked));
    opened.on('session-end', onSessionEnd);
    let hanging: NodeJS.Timeout | undefined;
    opened.on('unresponsive', () => {
      hangs = true;
      onLoadFailed(new Error('the page does not answer'));
      clearTimeout(hanging);
      // It is loaded again like a page that crashed.
      hanging = setTimeout(() => opened.webContents.forcefullyCrashRenderer(), maxHangMs);
    });
    opened.on('responsive', () => {
      hangs = false;
      clearTimeout(hanging);
    });
    opened.on('closed', () => {
      clearTimeout(hanging);
      if (window !== opened) return;
      window = undefined;
      ready = false;
      forgetWaiting();
    });
    // Reload a crashed page: all its state is in main.
    opened.webContents.on('render-process-gone', (_event, { reason }) => {
      clearTimeout(hanging);
      ready = false;
      onLoadFailed(new Error(`the page ended: ${reason}`));
      const now = Date.now();
      hasCrashed = now - reloadedAt < crashLoopMs;
      if (hasCrashed) return;
      reloadedAt = now;
      load(opened.webContents);
    });
    load(opened.webContents);
    return opened;
  }

  const isListening = () => ready && !hangs && window !== undefined && !window.isDestroyed();

  function allowUnload(hiding: number): void {
    // It may have something to lose again.
    if (hiding !== shows) return;
    clearTimeout(unloading);
    unloading = setTimeout(() => wish === 'hidden' && window?.destroy(), unloadAfterMs);
  }

  function show(): void {
    wish = 'shown';
    shows += 1;
    clearTimeout(unloading);
    if (window) {
      if (hasCrashed) load(window.webContents);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    } else window = open();
    onShow();
  }

  return {
    show,
    hide() {
      wish = 'hidden';
      forgetWaiting();
      window?.hide();
      // A page that does not listen has nothing to lose.
      if (!ready) allowUnload(shows);
    },
    allowUnload,
    minimize() {
      wish = 'minimized';
      if (window) window.minimize();
      else window = open();
    },
    isMinimized: () => window !== undefined && !window.isDestroyed() && window.isMinimized(),
    isLoading: () => window !== undefined && !ready && !hasCrashed && !hangs,
    isHidden: () => wish === 'hidden',
    shows: () => shows,
    onShow: (listener) => void (onShow = listener),
    showAndRun(run) {
      show();
      if (ready) run();
      else waiting.push({ run, isKept: false });
    },
    whenListening(run) {
      if (ready) run();
      else waiting.push({ run, isKept: true });
    },
    send(channel, payload) {
      if (ready && window && !window.isDestroyed()) window.webContents.send(channel, payload);
    },
    markReady() {
      ready = true;
      waiting.splice(0).forEach(({ run }) => run());
    },
    isListening,
    owns: (contentsId) => window !== undefined && !window.isDestroyed() && window.webContents.id === contentsId,
    setAppearance(changed) {
      appearance = changed;
      nativeTheme.themeSource = changed.theme;
      if (window && !window.isDestroyed()) applyZoom(window);
    },
    current: () => window,
  };
}
