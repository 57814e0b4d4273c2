// Checked by tsc only: the host's classes must be assignable to Electron's types.
import type { EventEmitter } from 'node:events';
import type Electron from 'electron';
import type { Menu, MenuItem } from './electron-api/menu.mts';
import type { Notification } from './electron-api/notification.mts';
import type { Tray } from './electron-api/tray.mts';
import type { WebContents } from './electron-api/web-contents.mts';
import type { BrowserWindow } from './electron-api/browser-window.mts';

/** Members that differ on purpose, because a submenu and menu items are the host's own classes. */
type Own = keyof EventEmitter | 'submenu' | 'items' | 'append' | 'getMenuItemById' | 'role' | 'accelerator';

/** Names of common members whose types are not assignable. */
type Misfits<Host, Original> = {
  [Name in Exclude<keyof Host & keyof Original, Own>]: Host[Name] extends Original[Name] ? never : Name;
}[Exclude<keyof Host & keyof Original, Own>];

type None<Names extends never> = Names;

export type WindowFits = None<Misfits<BrowserWindow, Electron.BrowserWindow>>;
export type WindowStaticsFit = None<
  Exclude<keyof typeof BrowserWindow, keyof typeof Electron.BrowserWindow | keyof typeof EventEmitter>
>;
export type ContentsFit = None<Misfits<WebContents, Electron.WebContents>>;
export type NotificationFits = None<Misfits<Notification, Electron.Notification>>;
export type NotificationStaticsFit = None<
  Exclude<keyof typeof Notification, keyof typeof Electron.Notification | keyof typeof EventEmitter>
>;
export type MenuFits = None<Misfits<Menu, Electron.Menu>>;
export type TrayFits = None<Misfits<Tray, Electron.Tray>>;
export type MenuItemFits = None<Misfits<MenuItem, Electron.MenuItem>>;

/** Public members of the host's classes that Electron lacks; for the host only, apps must not use them. */
type Extra<Host, Original> = Exclude<keyof Host, keyof Original | keyof EventEmitter>;

export type NoExtraOfWindows = None<Extra<BrowserWindow, Electron.BrowserWindow>>;
export type NoExtraOfTrays = None<Extra<Tray, Electron.Tray>>;
export type NoExtraOfNotifications = None<Extra<Notification, Electron.Notification>>;
export type KnownExtraOfContents = None<
  Exclude<
    Extra<WebContents, Electron.WebContents>,
    // Exists in Electron too, but is not documented.
    | 'getLastWebPreferences'
    | 'open'
    | 'requestClose'
    | 'kill'
    | 'release'
    | 'onCrash'
    | 'applyTheme'
    | 'targetId'
    | 'later'
  >
>;
