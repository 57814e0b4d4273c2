import type { App, WebContents } from 'electron';
import { externalLink } from '../core/security/external-link.ts';
import { isOwnPage } from '../core/security/is-own-page.ts';

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
