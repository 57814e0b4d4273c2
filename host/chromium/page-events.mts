// Converts Chromium's events of one page to Electron's events and to the host's frame tree.
import type { EventEmitter } from 'node:events';
import type { Protocol, Session } from './cdp.mts';
import { createEvent } from '../electron-api/event.mts';
import type { FrameTree } from './frame.mts';
import type { SchemeMap } from './scheme-url.mts';

/** State of one page. */
export interface PageState {
  readonly frames: FrameTree;
  /** Chromium's id of the page and of its main frame; '' until it exists. */
  targetId: string;
  /** True once the app has loaded something. As in Electron, the blank page before that emits no events. */
  started: boolean;
  loading: boolean;
  painted: boolean;
  crashed: boolean;
  /** The address that main is loading, which emits no will-navigate. */
  ownNavigation: string;
}

export interface PageEventDeps {
  readonly state: PageState;
  /** The WebContents. */
  readonly events: EventEmitter;
  readonly map: SchemeMap;
  readonly onBinding: (session: Session, call: Protocol.Runtime.bindingCalledPayload) => void;
  readonly onReadyToShow: () => void;
  readonly onWindowOpen: (details: Protocol.Page.windowOpenPayload) => void;
  /** The page refused to close, and no will-prevent-unload listener overruled it. */
  readonly onStay: () => void;
  /** Called for each new out-of-process frame, which is paused. */
  readonly onFrameSession: (session: Session) => void;
}

/** Listens to one session of the page: the page's own, or that of an out-of-process frame. */
export function followPage(session: Session, deps: PageEventDeps): void {
  followContexts(session, deps);
  followFrames(session, deps);
  followLoading(session, deps);
  followDialogs(session, deps);
  followConsole(session, deps);
  session.events.on('Page.windowOpen', deps.onWindowOpen);
  session.events.on('Target.attachedToTarget', ({ sessionId }) => deps.onFrameSession(session.session(sessionId)));
}

function followContexts(session: Session, { state, onBinding }: PageEventDeps): void {
  const { frames } = state;
  session.events.on('Runtime.executionContextCreated', ({ context }) => {
    const aux = context.auxData as { isDefault?: boolean; frameId?: string } | undefined;
    if (aux?.isDefault && aux.frameId !== undefined) frames.ensure(aux.frameId).context = { session, id: context.id };
  });
  session.events.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    const frame = frames.findByContext(session, executionContextId);
    if (frame) frame.context = undefined;
  });
  session.events.on('Runtime.bindingCalled', (call) => onBinding(session, call));
}

function followFrames(session: Session, { state, events, map }: PageEventDeps): void {
  const { frames } = state;
  session.events.on('Page.frameAttached', ({ frameId, parentFrameId }) => void frames.ensure(frameId, parentFrameId));
  session.events.on('Page.frameDetached', ({ frameId, reason }) => {
    if (reason !== 'swap') frames.remove(frameId);
  });
  session.events.on('Page.frameNavigated', ({ frame: { id, parentId, url, urlFragment } }) => {
    const frame = frames.ensure(id, parentId);
    frame.url = url + (urlFragment ?? '');
    frame.origin = /^https?:/.test(url) ? new URL(url).origin : 'null';
    if (id !== state.targetId) return;
    state.painted = false;
    state.crashed = false;
    // DevTools has no HTTP status here; Electron uses -1 for navigations other than HTTP.
    if (state.started) events.emit('did-navigate', createEvent(), map.toApp(frame.url), -1, '');
  });
  session.events.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    frames.ensure(frameId).url = url;
    events.emit('did-navigate-in-page', createEvent(), map.toApp(url), frameId === state.targetId);
  });
}

function followLoading(session: Session, { state, events, onReadyToShow }: PageEventDeps): void {
  const isMain = (frameId: string): boolean => frameId === state.targetId && state.started;
  // The initial page has already loaded when this subscribes, but it may still paint.
  const isBlank = (url = ''): boolean => url === '' || url === 'about:blank';
  const startLoading = (frameId: string): void => {
    if (!isMain(frameId) || state.loading) return;
    state.loading = true;
    events.emit('did-start-loading');
  };
  session.events.on('Page.frameStartedLoading', ({ frameId }) => startLoading(frameId));
  // Chromium does not report the start of a load while the blank page is still loading, only its commit.
  session.events.on('Page.frameNavigated', ({ frame: { id, url } }) => {
    if (!isBlank(url)) startLoading(id);
  });
  session.events.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (!isMain(frameId) || !state.loading) return;
    state.loading = false;
    events.emit('did-stop-loading');
  });
  session.events.on('Page.lifecycleEvent', ({ frameId, name }) => {
    if (!isMain(frameId) || isBlank(state.frames.get(frameId)?.url)) return;
    if (name === 'DOMContentLoaded' && state.loading) events.emit('dom-ready', createEvent());
    if (name === 'load' && state.loading) events.emit('did-finish-load');
    if (name === 'firstPaint' && !state.painted) {
      state.painted = true;
      onReadyToShow();
    }
  });
}

function followDialogs(session: Session, { events, onStay }: PageEventDeps): void {
  session.events.on('Page.javascriptDialogOpening', ({ type }) => {
    // alert() and confirm() are left to the user or to a listening test.
    if (type !== 'beforeunload') return;
    const event = createEvent();
    events.emit('will-prevent-unload', event);
    if (!event.defaultPrevented) onStay();
    session.send('Page.handleJavaScriptDialog', { accept: event.defaultPrevented }).catch(() => undefined);
  });
}

function followConsole(session: Session, { state, events, map }: PageEventDeps): void {
  const levels: Readonly<Record<string, string>> = {
    error: 'error',
    assert: 'error',
    warning: 'warning',
    debug: 'debug',
  };
  session.events.on('Runtime.consoleAPICalled', ({ type, args, stackTrace, executionContextId }) => {
    const [call] = stackTrace?.callFrames ?? [];
    events.emit(
      'console-message',
      createEvent({
        level: levels[type] ?? 'info',
        message: args.map((argument) => String(argument.value ?? argument.description ?? '')).join(' '),
        lineNumber: call ? call.lineNumber + 1 : 0,
        sourceId: map.toApp(call?.url ?? ''),
        frame: state.frames.findByContext(session, executionContextId)?.api,
      }),
    );
  });
}
