// Navigations: those that main asks for, and those of the page, which main may forbid.
import type { EventEmitter } from 'node:events';
import type { Session } from './cdp.mts';
import { createEvent } from './event.mts';
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

/** `url` as a request names it: complete, without its fragment. */
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
 * @param deps.takeFailure - whether the app's own handler failed for this address just now
 */
export async function loadPage(
  session: Session,
  url: string,
  deps: NavigationDeps & { readonly takeFailure: (url: string) => boolean },
): Promise<void> {
  const { state, events, map, takeFailure } = deps;
  state.ownNavigation = requestUrl(url, map);
  state.started = true;
  const loaded = new Promise<void>((resolve) => events.once('did-finish-load', resolve));
  const { errorText, loaderId } = await session.send('Page.navigate', { url: map.toChromium(url) });
  if (errorText === undefined) {
    // Without a loader it was a move within the document, which has no load event.
    if (loaderId === undefined) state.frames.ensure(state.targetId).url = map.toChromium(url);
    else await loaded;
    return;
  }
  const error = loadError(takeFailure(requestUrl(url, map)) ? 'ERR_UNEXPECTED' : errorText.replace('net::', ''), url);
  events.emit('did-fail-load', createEvent(), error.errno, error.code, url, true);
  throw error;
}

/** Asks will-navigate, will-frame-navigate and will-redirect about each document the page is about to fetch. */
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
    // The navigation may have been replaced meanwhile.
    answer.catch(() => undefined);
  });
  await session.send('Fetch.enable', {
    patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }],
  });
}
