// The exports of `electron` in the main process. Members that Timbre does not use throw on access.
// No top-level await here or below: Playwright requires this module through the inspector.
import { dialog } from './electron-api/dialog.mts';
import {
  app,
  clipboard,
  ipcMain,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  screen,
  session,
  utilityProcess,
  webContents,
} from './compose.mts';
import { Menu, MenuItem } from './electron-api/menu.mts';
import { nativeImage } from './electron-api/native-image.mts';
import { Notification } from './electron-api/notification.mts';
import { shell } from './electron-api/shell.mts';
import { Tray } from './electron-api/tray.mts';
import { missing } from './strict.mts';
import { BrowserWindow } from './electron-api/browser-window.mts';

export {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
  webContents,
};

export const autoUpdater = missing('autoUpdater');
export const BaseWindow = missing('BaseWindow');
export const contentTracing = missing('contentTracing');
export const crashReporter = missing('crashReporter');
export const desktopCapturer = missing('desktopCapturer');
export const globalShortcut = missing('globalShortcut');
export const inAppPurchase = missing('inAppPurchase');
export const MessageChannelMain = missing('MessageChannelMain');
export const net = missing('net');
export const netLog = missing('netLog');
export const parentPort = missing('parentPort');
export const pushNotifications = missing('pushNotifications');
export const safeStorage = missing('safeStorage');
export const ShareMenu = missing('ShareMenu');
export const systemPreferences = missing('systemPreferences');
export const TouchBar = missing('TouchBar');
export const View = missing('View');
export const WebContentsView = missing('WebContentsView');
export const webFrameMain = missing('webFrameMain');

/** As in Electron's main process, `ipcRenderer` is missing: electron-store uses it to detect the renderer. */
export default {
  app,
  autoUpdater,
  BaseWindow,
  BrowserWindow,
  clipboard,
  contentTracing,
  crashReporter,
  desktopCapturer,
  dialog,
  globalShortcut,
  inAppPurchase,
  ipcMain,
  Menu,
  MenuItem,
  MessageChannelMain,
  nativeImage,
  nativeTheme,
  net,
  netLog,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  pushNotifications,
  safeStorage,
  screen,
  session,
  ShareMenu,
  shell,
  systemPreferences,
  TouchBar,
  Tray,
  utilityProcess,
  View,
  webContents,
  WebContentsView,
  webFrameMain,
};
