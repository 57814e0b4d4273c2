import type { EventEmitter } from 'node:events';
import type Electron from 'electron';
import type { Browser } from '../chromium/browser.mts';
import type { Codec } from '../chromium/codec.mts';
import type { Ipc } from '../electron-api/ipc-main.mts';
import type { LifeCycle } from '../electron-api/app-lifecycle.mts';
import type { SchemeMap } from '../chromium/scheme-url.mts';
import type { SchemeServer } from '../chromium/scheme.mts';
import type { Targets } from '../chromium/targets.mts';

/** Dependencies of windows and their contents on the rest of the host. */
export interface Surroundings {
  /** The app's emitter. */
  readonly app: EventEmitter;
  readonly isReady: () => boolean;
  readonly appName: () => string;
  readonly browser: Browser;
  readonly targets: Targets;
  readonly lifeCycle: LifeCycle;
  readonly ipc: Ipc;
  readonly codec: Codec;
  /** Name of the CDP binding between page and host. */
  readonly key: string;
  readonly schemeMap: SchemeMap;
  readonly schemeServer: SchemeServer;
  readonly themeSource: () => 'system' | 'light' | 'dark';
  readonly session: () => Electron.Session;
  readonly screenSize: Electron.Size;
}

let provided: Surroundings | undefined;

/** Sets the dependencies once, before the app runs, because the constructor of BrowserWindow has no parameter for them. */
export function provideSurroundings(surroundings: Surroundings): void {
  provided = surroundings;
}

/** Returns the dependencies; throws if they were not provided yet. */
export function surroundings(): Surroundings {
  if (!provided) throw new Error('host: windows were used before the host was put together');
  return provided;
}
