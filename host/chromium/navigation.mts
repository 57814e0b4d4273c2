// Navigations by main, and those by the page, which main can prevent.
import type { EventEmitter } from 'node:events';
import type { Session } from './cdp.mts';
import { createEvent } from '../electron-api/event.mts';
import type { PageState } from './page-events.mts';
import type { SchemeMap } from './scheme-url.mts';

/** Chromium's net error codes, for `errno` and the text of a failed load. */
const netErrors: Readonly<Record<string, number>> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_FILE_NOT_FOUND: -6,
  ERR_UNEXPECTED: -9,
  ERR_CONNECTION_REFUSED: -102,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_UNKNOWN_URL_SCHEME: -302,
  ERR_UNSAFE_PORT: -312,
  ERR_EMPTY_RESPONSE: -324,
};

/** The error that `loadURL` rejects with: `ERR_FAILED (-2) loading 'app://timbre/'`. */
export function loadError(description: string, url: string): Error & { code: string; errno: number; url: string } {
  const errno = netErrors[description] ?? -2;
  return Object.assign(new Error(`${description} (${errno}) loading '${url}'`), { code: description, errno, url });
}

/** `url` as in a request: normalised and without the fragment. */
export function requestUrl(url: string, map: SchemeMap): string {
  const chromiumUrl = map.toChromium(url);
  return URL.canParse(chromiumUrl) ? map.toApp(new URL(chromiumUrl).href.replace(/#.*$/, '')) : url;
}

export interface NavigationDeps {
  readonly state: PageState;
  /** The WebContents. */
  readonly events: EventEmitter;
  readonly map: SchemeMap;
}

/**
 * Loads `url` and waits for its load event. Rejects with a `loadError`, after did-fail-load.
 *
 * @param deps.consumeFailure - true if the app's handler just failed for this address
 */
export async function loadPage(
  session: Session,
  url: string,
  deps: NavigationDeps & { readonly consumeFailure: (url: string) => boolean },
): Promise<void> {
  const { state, events, map, consumeFailure } = deps;
  state.ownNavigation = requestUrl(url, map);
  state.started = true;
  const loads = followLoads(session, state.targetId);
  try {
    const { errorText, loaderId } = await session.send('Page.navigate', { url: map.toChromium(url) });
    if (errorText !== undefined) {
      const description = consumeFailure(requestUrl(url, map)) ? 'ERR_UNEXPECTED' : errorText.replace('net::', '');
      const error = loadError(description, url);
      events.emit('did-fail-load', createEvent(), error.errno, error.code, url, true);
      throw error;
    }
    // No loader means a navigation within the document, which has no load event.
    if (loaderId === undefined) state.frames.ensure(state.targetId).url = map.toChromium(url);
    else if (!(await loads.finished(loaderId))) throw loadError('ERR_ABORTED', url);
  } finally {
    loads.end();
  }
}

interface Loads {
  /** Resolves with true at this loader's load event, or with false if another document replaced it first. */
  finished(loaderId: string): Promise<boolean>;
  end(): void;
}

/**
 * Matches load events to navigations: the previous one may still emit, and events may arrive before the response
 * that names the loader.
 */
function followLoads(session: Session, frameId: string): Loads {
  const loaded = new Set<string>();
  const committed: string[] = [];
  let check = (): void => undefined;

  const onLifecycle = ({ name, ...event }: { name: string; frameId: string; loaderId: string }): void => {
    if (name !== 'load' || event.frameId !== frameId) return;
    loaded.add(event.loaderId);
    check();
  };
  const onNavigated = ({ frame }: { frame: { id: string; loaderId: string } }): void => {
    if (frame.id !== frameId) return;
    committed.push(frame.loaderId);
    check();
  };
  session.events.on('Page.lifecycleEvent', onLifecycle);
  session.events.on('Page.frameNavigated', onNavigated);

  return {
    finished: (loaderId) =>
      new Promise((resolve) => {
        check = () => {
          const wasReplaced = committed.includes(loaderId) && committed.at(-1) !== loaderId;
          if (loaded.has(loaderId)) resolve(true);
          else if (wasReplaced) resolve(false);
        };
        check();
      }),
    end() {
      session.events.off('Page.lifecycleEvent', onLifecycle);
      session.events.off('Page.frameNavigated', onNavigated);
    },
  };
}

/** Emits will-navigate, will-frame-navigate and will-redirect before the page fetches a document. */
export async function guardNavigation(session: Session, { state, events, map }: NavigationDeps): Promise<void> {
  session.events.on('Fetch.requestPaused', ({ requestId, request, frameId, redirectedRequestId }) => {
    const url = map.toApp(request.url);
    const isMainFrame = frameId === state.targetId;
    const isOwn = isMainFrame && state.ownNavigation === url;
    if (isOwn) state.ownNavigation = '';
    const frame = state.frames.get(frameId)?.api ?? null;
    const event = createEvent({ url, isSameDocument: false, isMainFrame, frame, initiator: frame });
    if (redirectedRequestId !== undefined) {
      events.emit('will-redirect', event, url, false, isMainFrame);
    } else if (!isOwn) {
      if (isMainFrame) events.emit('will-navigate', event, url, false, isMainFrame);
      if (!event.defaultPrevented) events.emit('will-frame-navigate', event);
    }
    const answer = event.defaultPrevented
      ? session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      : session.send('Fetch.continueRequest', { requestId });
    // The navigation may have been replaced in the meantime.
    answer.catch(() => undefined);
  });
  await session.send('Fetch.enable', {
    patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }],
  });
}
