import type { App, Protocol, Session, WebContents } from 'electron';
import { appOrigin, appScheme } from '../core/media/app-server.ts';

/** The only places outside that Timbre opens in a browser. */
const allowedHosts: ReadonlySet<string> = new Set(['www.gnu.org']);

/**
 * The address to give to the system's browser, or undefined where the link is not one of ours. What is opened is the parsed address
 * written out again, never the text that came: a browser and a shell may read one text in two ways.
 */
export function externalLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const allowed =
    url.protocol === 'https:' && allowedHosts.has(url.hostname) && !url.username && !url.password && url.port === '';
  return allowed ? url.href : undefined;
}

/** True for addresses of our own page, compared by parsed origin: `app://timbre.evil/` only looks like one. */
export function isOwnPage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  return `${protocol}//${host}` === appOrigin && username === '' && password === '';
}

/** The page stays the page: it navigates nowhere else, opens no window, holds no webview. */
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

/** Guards every page that this process ever makes, those of libraries too. */
export function guardAllContents(app: App, openExternal: (address: string) => Promise<void>): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, openExternal));
}

/** Must be called before the app is ready: a scheme's privileges are fixed when Chromium starts. */
export function registerAppScheme(protocol: Protocol): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, stream: true, supportFetchAPI: true } },
  ]);
}

export function serveAppScheme(protocol: Protocol, answer: (request: Request) => Promise<Response>): void {
  protocol.handle(appScheme, answer);
}

/** Writing text that was just copied is the one thing that the page may do beyond its own window. */
const allowed: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Electron grants everything that nobody refuses, so all four doors get a guard. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => allowed.has(permission));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
}
