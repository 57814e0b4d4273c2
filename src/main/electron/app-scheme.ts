import type { Protocol } from 'electron';
import { appScheme } from '../core/media/app-origin.ts';

/** Must be called before the app is ready: a scheme's privileges are fixed when Chromium starts. */
export function registerAppScheme(protocol: Protocol): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, stream: true, supportFetchAPI: true } },
  ]);
}

export function serveAppScheme(protocol: Protocol, answer: (request: Request) => Promise<Response>): void {
  protocol.handle(appScheme, answer);
}
