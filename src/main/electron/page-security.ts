import type { App, Protocol, Session, WebContents } from 'electron';
import { appOrigin, appScheme } from '../core/media/app-server.ts';

/** The only external hosts that Timbre opens in a browser. */
const allowedHosts: ReadonlySet<string> = new Set(['www.gnu.org']);

/**
 * The URL for the system browser, or undefined if the link is not allowed. Returns the serialized
 * parsed URL, never the input: a browser and a shell may parse a text differently.
 */
export function externalLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const allowed =
    url.protocol === 'https:' && allowedHosts.has(url.hostname) && !url.username && !url.password && url.port === '';
  return allowed ? url.href : undefined;
}

/** True for URLs of our own page. Compares parsed origins: `app://timbre.evil/` only looks like ours. */
function isOwnPage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  return `${protocol}//${host}` === appOrigin && username === '' && password === '';
}

/** Prevents navigation, new windows and webviews. */
function guard(contents: WebContents, openExternal: (address: string) => Promise<void>): void {
  const stay = (event: { preventDefault(): void }, address: string) => {
    if (!isOwnPage(address)) event.preventDefault();
  };
  contents.on('will-navigate', (event) => stay(event, event.url));
  contents.on('will-frame-navigate', (event) => stay(event, event.url));
  contents.on('will-redirect', (event) => stay(event, event.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const address = externalLink(url);
    if (address) void openExternal(address);
    return { action: 'deny' };
  });
}

/** Guards all web contents of this process, including those created by libraries. */
export function guardAllContents(app: App, openExternal: (address: string) => Promise<void>): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, openExternal));
}

/**
 * Must be called before the app is ready: Chromium fixes a scheme's privileges at start. With `codeCache`, it keeps the compiled
 * scripts of the page for the next start, as it does for those of web sites.
 */
export function registerAppScheme(protocol: Protocol): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, stream: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

export function serveAppScheme(protocol: Protocol, answer: (request: Request) => Promise<Response>): void {
  protocol.handle(appScheme, answer);
}

/** Writing to the clipboard is the only permission that the page needs. */
const allowed: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Electron grants everything by default, so all four entry points get a handler. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => allowed.has(permission));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
}
