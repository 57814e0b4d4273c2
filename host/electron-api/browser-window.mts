import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { createEvent } from './event.mts';
import { notImplemented, strict } from '../strict.mts';
import { surroundings, type Surroundings } from '../launch/surroundings.mts';
import { WebContents } from './web-contents.mts';
import type { Session } from '../chromium/cdp.mts';
import { initialBounds, parseColor, setPageSize, setWindowBounds } from '../chromium/window-geometry.mts';

const knownOptions: ReadonlySet<string> = new Set<keyof Electron.BrowserWindowConstructorOptions>([
  'width',
  'height',
  'x',
  'y',
  'minWidth',
  'minHeight',
  'show',
  'title',
  'backgroundColor',
  'icon',
  'autoHideMenuBar',
  'useContentSize',
  'webPreferences',
]);

type WindowState = 'normal' | 'minimized' | 'maximized' | 'fullscreen';
let lastId = 0;

/** The open windows by id. */
export const windows = new Map<number, BrowserWindow>();
/** The focused window, as far as main knows. */
export const focus: { current: BrowserWindow | undefined } = { current: undefined };

/**
 * Electron's BrowserWindow over a Chromium window. Sizes are those of the page, in DIP. Shown, hidden, focused and minimised
 * are only state and events, because Chromium has no hidden windows. Moves and resizes by the user are not detected.
 */
export class BrowserWindow extends EventEmitter {
  readonly id = ++lastId;
  readonly webContents: Electron.WebContents;
  private readonly host: Surroundings = surroundings();
  private readonly contents: WebContents;
  private readonly minimum: Electron.Size;
  private readonly facade: this;
  private bounds: Electron.Rectangle;
  private title: string;
  private visible: boolean;
  private windowState: WindowState = 'normal';
  private closing = false;
  private destroyed = false;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    const { app, isReady, appName, screenSize } = this.host;
    if (!isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    for (const [name, value] of Object.entries(options)) {
      if (value !== undefined && !knownOptions.has(name)) throw notImplemented(`BrowserWindow option ${name}`);
    }
    const { minWidth = 0, minHeight = 0 } = options;
    this.bounds = initialBounds(options, screenSize);
    this.minimum = { width: minWidth, height: minHeight };
    this.title = options.title ?? appName();
    this.visible = options.show !== false;
    this.facade = strict('BrowserWindow', this);
    this.contents = new WebContents(
      {
        onReadyToShow: () => this.emit('ready-to-show', createEvent()),
        onGone: () => this.onGone(),
        onStay: () => this.onStay(),
        onClosing: () => void (this.closing = true),
        isClosing: () => this.closing,
        onZoom: () => this.contents.later((session) => this.fitPage(session)),
        onFocusChange: (hasFocus) => (hasFocus ? this.takeFocus() : this.blur()),
      },
      options.webPreferences ?? {},
    );
    this.webContents = this.contents as unknown as Electron.WebContents;
    windows.set(this.id, this.facade);
    if (options.backgroundColor !== undefined) this.setBackgroundColor(options.backgroundColor);
    app.emit('browser-window-created', createEvent(), this.facade);
    app.emit('web-contents-created', createEvent(), this.contents);
    void this.open();
    return this.facade;
  }

  private async open(): Promise<void> {
    try {
      const session = await this.contents.open(this.bounds);
      await this.fitPage(session);
      if (this.visible && !this.destroyed) this.focus();
    } catch (error) {
      // The end of Chromium or of the window is reported elsewhere.
      if (!this.destroyed && !this.host.lifeCycle.isOver()) console.error(error);
    }
  }

  private fitPage(session: Session): Promise<void> {
    return setPageSize(session, this.bounds, this.contents.getZoomFactor());
  }

  static getAllWindows(): BrowserWindow[] {
    return [...windows.values()];
  }

  static getFocusedWindow(): BrowserWindow | null {
    return focus.current ?? null;
  }

  static fromId(id: number): BrowserWindow | null {
    return windows.get(id) ?? null;
  }

  static fromWebContents(contents: Electron.WebContents): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  loadURL(url: string): Promise<void> {
    const loading = this.webContents.loadURL(url);
    // A caller that does not await it gets did-fail-load instead of an unhandled rejection.
    loading.catch(() => undefined);
    return loading;
  }

  show(): void {
    this.showInactive();
    this.focus();
  }

  showInactive(): void {
    this.requireAlive();
    if (this.visible) return;
    this.visible = true;
    this.emit('show');
  }

  hide(): void {
    this.requireAlive();
    if (!this.visible) return;
    this.visible = false;
    this.emit('hide');
    this.blur();
  }

  focus(): void {
    this.requireAlive();
    this.contents.later((session) => session.send('Page.bringToFront'));
    this.takeFocus();
  }

  private takeFocus(): void {
    if (!this.visible || focus.current === this.facade) return;
    focus.current?.blur();
    focus.current = this.facade;
    this.emit('focus', createEvent());
  }

  blur(): void {
    if (focus.current !== this.facade) return;
    focus.current = undefined;
    this.emit('blur', createEvent());
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  isVisible(): boolean {
    return this.visible && !this.destroyed;
  }

  isFocused(): boolean {
    return focus.current === this.facade;
  }

  isMinimized(): boolean {
    return this.windowState === 'minimized';
  }

  isMaximized(): boolean {
    return this.windowState === 'maximized';
  }

  isFullScreen(): boolean {
    return this.windowState === 'fullscreen';
  }

  minimize(): void {
    if (this.changeState('minimized', 'minimize')) this.blur();
  }

  restore(): void {
    if (this.isMinimized()) this.changeState('normal', 'restore');
    else this.unmaximize();
  }

  maximize(): void {
    this.changeState('maximized', 'maximize');
  }

  unmaximize(): void {
    if (this.isMaximized()) this.changeState('normal', 'unmaximize');
  }

  private changeState(windowState: WindowState, event: string): boolean {
    this.requireAlive();
    if (this.windowState === windowState) return false;
    this.windowState = windowState;
    this.contents.later((session) => setWindowBounds(session, { windowState }));
    this.emit(event);
    return true;
  }

  getBounds(): Electron.Rectangle {
    return { ...this.bounds };
  }

  getNormalBounds(): Electron.Rectangle {
    return { ...this.bounds };
  }

  setBounds(changes: Partial<Electron.Rectangle>): void {
    this.requireAlive();
    const before = this.bounds;
    const wanted = { ...before, ...changes };
    const width = Math.max(wanted.width, this.minimum.width);
    const height = Math.max(wanted.height, this.minimum.height);
    this.bounds = { ...wanted, width, height };
    const hasMoved = before.x !== wanted.x || before.y !== wanted.y;
    this.contents.later(async (session) => {
      // Omit the position when only the size changes, since the user may have moved the window.
      await setWindowBounds(session, { ...(hasMoved && { left: wanted.x, top: wanted.y }), width, height });
      await this.fitPage(session);
    });
    if (hasMoved) this.emit('move');
    if (before.width === width && before.height === height) return;
    this.emit('resize');
    this.emit('resized');
  }

  getSize(): number[] {
    return [this.bounds.width, this.bounds.height];
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }

  getContentSize(): number[] {
    return this.getSize();
  }

  setContentSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }

  getTitle(): string {
    return this.title;
  }

  setTitle(title: string): void {
    this.title = title;
  }

  /** `#rgb` or `#rrggbb`; visible wherever the page paints no background. */
  setBackgroundColor(color: string): void {
    const background = parseColor(color);
    this.contents.later((session) =>
      session.send('Emulation.setDefaultBackgroundColorOverride', { color: background }),
    );
  }

  // No-ops: the host's windows have no taskbar progress, menu bar or urgency hint.
  setProgressBar(): void {}
  setMenuBarVisibility(): void {}
  removeMenu(): void {}
  flashFrame(): void {}

  close(): void {
    if (this.destroyed || this.closing) return;
    const event = createEvent();
    this.emit('close', event);
    if (event.defaultPrevented) {
      this.host.lifeCycle.cancelQuit();
      return;
    }
    void this.contents.requestClose();
  }

  destroy(): void {
    if (this.destroyed) return;
    this.contents.kill();
    this.onGone();
  }

  private onStay(): void {
    this.closing = false;
    this.host.lifeCycle.cancelQuit();
  }

  private onGone(): void {
    if (this.destroyed) return;
    const { lifeCycle } = this.host;
    this.destroyed = true;
    windows.delete(this.id);
    if (focus.current === this.facade) focus.current = undefined;
    this.contents.release();
    this.emit('closed');
    if (windows.size === 0) lifeCycle.lastWindowClosed();
  }

  private requireAlive(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
  }
}
