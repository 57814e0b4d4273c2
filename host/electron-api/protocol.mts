import type Electron from 'electron';
import type { SchemeMap } from '../chromium/scheme-url.mts';
import type { SchemeHandler, SchemeServer } from '../chromium/scheme.mts';
import { notImplemented, strict } from '../strict.mts';

/** Electron's `protocol`, only for schemes registered as privileged before `ready`. */
export function createProtocol(map: SchemeMap, server: SchemeServer, isReady: () => boolean): Electron.Protocol {
  const members = {
    registerSchemesAsPrivileged(schemes: readonly Electron.CustomScheme[]) {
      if (isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
      for (const { scheme } of schemes) map.add(scheme);
    },
    handle(scheme: string, handler: unknown) {
      if (!map.schemes.has(scheme)) throw notImplemented(`protocol.handle of ${scheme}, not a privileged scheme,`);
      if (server.handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
      server.handlers.set(scheme, handler as SchemeHandler);
    },
    unhandle(scheme: string) {
      if (!server.handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`);
    },
    isProtocolHandled: (scheme: string) => server.handlers.has(scheme),
  } satisfies Partial<Electron.Protocol>;
  return strict('protocol', members) as unknown as Electron.Protocol;
}
