import { EventEmitter, once } from 'node:events';
import type Electron from 'electron';
import type { Protocol, Session } from '../chromium/cdp.mts';
import { createEvent } from './event.mts';
import { createFrameTree } from '../chromium/frame.mts';
import { createImage } from './native-image.mts';
import { guardNavigation, loadError, loadPage, requestUrl } from '../chromium/navigation.mts';
import { focusBinding } from '../chromium/focus-script.mts';
import { followPage, type PageState } from '../chromium/page-events.mts';
import { prepareSession } from '../chromium/prepare-session.mts';
import { notImplemented, strict } from '../strict.mts';
import { surroundings, type Surroundings } from '../launch/surroundings.mts';

/** Chromium drops a Page.close during a starting navigation; after this time the target is closed directly. */
const closeTimeoutMs = 300;
let lastId = 0;

/** The contents that are not destroyed, by id. */
export const contents = new Map<number, WebContents>();

/** Callbacks from a page to its window. */
export interface ContentsOwner {
  onReadyToShow(): void;
  /** The page was closed, for any reason. */
  onGone(): void;
  /** The page was asked to close and refused. */
  onStay(): void;
  /** The page is being asked to close. */
  onClosing(): void;
  /** True while the page is being asked to close. */
  isClosing(): boolean;
  /** The page gained or lost the focus of the user. */
  onFocusChange(hasFocus: boolean): void;
  /** The zoom factor changed. */
  onZoom(factor: number): void;
}

/**
 * Electron's WebContents over one Chromium page. Its session exists about 100 ms after its window; calls that need the
 * session wait for it. `release` destroys it: later events from Chromium are ignored.
 */
export class WebContents extends EventEmitter {
  readonly id = ++lastId;
  private readonly host: Surroundings = surroundings();
  private readonly owner: ContentsOwner;
  private readonly preferences: Electron.WebPreferences;
  private readonly state: PageState;
  private readonly bound: Promise<Session>;
  private readonly bind: (session: Session) => void;
  private readonly sessions: Session[] = [];
  private destroyed = false;
  private zoomFactor = 1;
  private openHandler: ((details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse) | undefined;
  /** The strict proxy that the app sees; `sender` and `fromId` must return the same object. */
  private readonly facade: this;

  constructor(owner: ContentsOwner, preferences: Electron.WebPreferences) {
    super();
    const { codec, key, schemeMap: map } = this.host;
    this.owner = owner;
    this.preferences = { nodeIntegration: false, contextIsolation: true, sandbox: true, ...preferences };
    this.state = {
      frames: createFrameTree({ map, codec, key }),
      targetId: '',
      started: false,
      loading: false,
      painted: false,
      crashed: false,
      ownNavigation: '',
    };
    const { promise, resolve } = Promise.withResolvers<Session>();
    this.bound = promise;
    this.bind = resolve;
    this.facade = strict('webContents', this);
    contents.set(this.id, this.facade);
    return this.facade;
  }

  /** Host only: creates the page. It is closed at once if the window was destroyed in the meantime. */
  async open(bounds: Electron.Rectangle): Promise<Session> {
    const connection = await this.host.browser.start();
    const { session, targetId } = await this.host.targets.open(connection, bounds);
    this.state.frames.remove(this.state.targetId);
    this.state.targetId = targetId;
    this.state.frames.ensure(targetId);
    if (this.destroyed) {
      this.kill();
      return session;
    }
    const onDetached = ({ targetId: gone }: Protocol.Target.detachedFromTargetPayload) => {
      if (gone === targetId) this.owner.onGone();
    };
    connection.events.on('Target.detachedFromTarget', onDetached);
    this.once('destroyed', () => connection.events.off('Target.detachedFromTarget', onDetached));
    await Promise.all([this.setUp(session), this.applyTheme(session)]);
    // A busy Chromium can drop the emulation when the first navigation moves the page to another process.
    session.events.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === targetId && this.host.themeSource() !== 'system') void this.applyTheme(session);
    });
    this.bind(session);
    return session;
  }

  /** Sets up a session: one for the page, and one for each out-of-process frame. */
  private async setUp(session: Session): Promise<void> {
    const { key, schemeMap: map } = this.host;
    const { state } = this;
    this.sessions.push(session);
    followPage(session, {
      state,
      events: this,
      map,
      onBinding: (from, call) => this.receive(from, call),
      onReadyToShow: () => this.owner.onReadyToShow(),
      onWindowOpen: (details) => this.askWindowOpen(details),
      onStay: () => this.owner.onStay(),
      onFrameSession: (child) => void this.setUp(child).catch(() => undefined),
    });
    const { preload, nodeIntegrationInSubFrames: subFrames = false } = this.preferences;
    const guard = () => guardNavigation(session, { state, events: this, map });
    await prepareSession(session, { key, preload, subFrames, guard });
  }

  private receive(session: Session, call: Protocol.Runtime.bindingCalledPayload): void {
    const { ipc, key } = this.host;
    if (call.name === focusBinding(key)) this.owner.onFocusChange(call.payload === 'true');
    const { frames } = this.state;
    const frame = call.name === key ? frames.findByContext(session, call.executionContextId) : undefined;
    const sender = this.facade as unknown as Electron.WebContents;
    if (frame) void ipc.receive(sender, frames, frame, call.payload);
  }

  private askWindowOpen({ url, windowName, windowFeatures }: Protocol.Page.windowOpenPayload): void {
    const answer = this.openHandler?.({
      url: this.host.schemeMap.toApp(url),
      frameName: windowName === '_blank' ? '' : windowName,
      features: windowFeatures.join(','),
      disposition: windowFeatures.length > 0 ? 'new-window' : 'foreground-tab',
      referrer: { url: '', policy: 'strict-origin-when-cross-origin' },
    });
    if (answer?.action !== 'deny') console.error(`host: a window opened by the page is not implemented: ${url}`);
  }

  get mainFrame(): Electron.WebFrameMain {
    return this.state.frames.ensure(this.state.targetId).api;
  }

  get session(): Electron.Session {
    return this.host.session();
  }

  async loadURL(url: string): Promise<void> {
    const { schemeMap: map, schemeServer } = this.host;
    const { promise: gone, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(loadError('ERR_FAILED', url));
    if (this.destroyed) giveUp();
    this.once('destroyed', giveUp);
    const loading = this.bound.then((session) =>
      loadPage(session, url, { state: this.state, events: this, map, consumeFailure: schemeServer.consumeFailure }),
    );
    await Promise.race([gone, loading]).finally(() => this.off('destroyed', giveUp));
  }

  reload(): void {
    this.state.ownNavigation = requestUrl(this.getURL(), this.host.schemeMap);
    this.later((session) => session.send('Page.reload'));
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
    // Always packed, so that an argument that can't be cloned throws at the caller even without a page.
    this.mainFrame.send(channel, ...args);
  }

  async executeJavaScript(code: string): Promise<unknown> {
    const session = await this.bound;
    // As in Electron, a script waits for the current load, or for the first one.
    if (!this.state.started || this.state.loading) await once(this, 'did-stop-loading');
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  }

  async capturePage(area?: Electron.Rectangle): Promise<Electron.NativeImage> {
    const session = await this.bound;
    const { data } = await session.send('Page.captureScreenshot', area ? { clip: { ...area, scale: 1 } } : {});
    return createImage(Buffer.from(data, 'base64'));
  }

  setWindowOpenHandler(handler: (details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse): void {
    this.openHandler = handler;
  }

  setZoomFactor(factor: number): void {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0");
    if (factor === this.zoomFactor) return;
    this.zoomFactor = factor;
    this.owner.onZoom(factor);
  }

  getZoomFactor(): number {
    return this.zoomFactor;
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  isLoading(): boolean {
    return this.state.loading;
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  isCrashed(): boolean {
    return this.state.crashed;
  }

  getLastWebPreferences(): Electron.WebPreferences {
    return this.preferences;
  }

  openDevTools(): void {
    this.later((session) => session.send('Target.openDevTools', { targetId: this.state.targetId }));
  }

  forcefullyCrashRenderer(): void {
    this.later((session) => session.send('Page.crash'));
  }

  /** DevTools can't start a system drag, so this always throws. */
  startDrag(item: Electron.Item): never {
    throw notImplemented(`webContents.startDrag of ${item.files?.length ?? 1} files`);
  }

  close(options?: { waitForBeforeUnload: boolean }): void {
    if (options?.waitForBeforeUnload) void this.requestClose();
    else this.kill();
  }

  /** Host only: runs the page's beforeunload and closes the page unless that refuses. */
  async requestClose(): Promise<void> {
    this.owner.onClosing();
    const session = await this.bound;
    await session.send('Page.close').catch(() => undefined);
    setTimeout(() => {
      if (!this.destroyed && this.owner.isClosing()) this.kill();
    }, closeTimeoutMs);
  }

  /** Host only: closes the page without beforeunload. */
  kill(): void {
    const { targetId } = this.state;
    if (targetId === '') return;
    void this.host.browser
      .start()
      .then((connection) => connection.send('Target.closeTarget', { targetId }))
      .catch(() => undefined);
  }

  /** Host only: called when the window is destroyed. */
  release(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    contents.delete(this.id);
    // Later events from Chromium must not reach a destroyed window.
    for (const session of this.sessions) session.events.removeAllListeners();
    this.emit('destroyed');
  }

  /** Host only: called when the renderer crashes. */
  onCrash({ status, errorCode }: Protocol.Target.targetCrashedPayload): void {
    this.state.crashed = true;
    this.state.loading = false;
    for (const frame of this.state.frames.all()) frame.context = undefined;
    const details = { reason: status === 'killed' ? 'killed' : 'crashed', exitCode: errorCode };
    const event = createEvent();
    this.emit('render-process-gone', event, details);
    this.host.app.emit('render-process-gone', event, this.facade, details);
  }

  /** Host only: applies the theme to `session`, by default to that of the page. */
  async applyTheme(session?: Session): Promise<void> {
    const source = this.host.themeSource();
    const features = source === 'system' ? [] : [{ name: 'prefers-color-scheme', value: source }];
    const target = session ?? (await this.bound);
    await target.send('Emulation.setEmulatedMedia', { features }).catch(() => undefined);
  }

  /** Host only: Chromium's id of the page, '' until it exists. */
  get targetId(): string {
    return this.state.targetId;
  }

  /** Host only: runs `action` once a session exists. Failures mean that Chromium ended, which is reported elsewhere. */
  later(action: (session: Session) => Promise<unknown>): void {
    void this.bound.then(action).catch(() => undefined);
  }
}
