import type { EventEmitter } from 'node:events';
import type Electron from 'electron';
import type { Browser } from '../chromium/browser.mts';
import type { Codec } from '../chromium/codec.mts';
import type { Ipc } from '../electron-api/ipc-main.mts';
import type { LifeCycle } from '../electron-api/app-lifecycle.mts';
import type { SchemeMap } from '../chromium/scheme-url.mts';
import type { SchemeServer } from '../chromium/scheme.mts';
import type { Targets } from '../chromium/targets.mts';
import type { WebContents } from '../electron-api/web-contents.mts';
import type { BrowserWindow } from '../electron-api/browser-window.mts';

/** What windows and their contents need of the rest of the host. */
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
  /** Name of the binding between page and host. */
  readonly key: string;
  readonly schemeMap: SchemeMap;
  readonly schemeServer: SchemeServer;
  readonly themeSource: () => 'system' | 'light' | 'dark';
  readonly session: () => Electron.Session;
  readonly screenSize: Electron.Size;
  /** The open windows by id. */
  readonly windows: Map<number, BrowserWindow>;
  /** The living contents by id. */
  readonly contents: Map<number, WebContents>;
  /** The window that has the focus, as far as main has asked for it. */
  readonly focus: { current: BrowserWindow | undefined };
}

let provided: Surroundings | undefined;

/** `new BrowserWindow()` leaves no place to hand these over, so they are given once, before the app runs. */
export function provideSurroundings(surroundings: Surroundings): void {
  provided = surroundings;
}

/** The surroundings of this process; throws before they were provided. */
export function surroundings(): Surroundings {
  if (!provided) throw new Error('host: windows were used before the host was put together');
  return provided;
}
