import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopMessages } from '../../shared/messages/desktop.ts';
import type { BackgroundPlace, WhenDoneAction } from '../../shared/schemas/app.ts';
import { type Activity, noActivity } from '../core/activity.ts';

const watcher = 'org.kde.StatusNotifierWatcher';
/** A session bus answers in milliseconds. */
const busTimeoutMs = 2000;

/** Asks the session bus whether a panel shows tray icons (StatusNotifierItem by freedesktop.org). False without a bus or gdbus. */
async function hasStatusNotifierHost(): Promise<boolean> {
  const call = ['call', '--session', '--dest', watcher, '--object-path', '/StatusNotifierWatcher', '--method'];
  const property = ['org.freedesktop.DBus.Properties.Get', watcher, 'IsStatusNotifierHostRegistered'];
  try {
    const { stdout } = await promisify(execFile)('gdbus', [...call, ...property], { timeout: busTimeoutMs });
    return stdout.includes('true');
  } catch {
    return false;
  }
}

/** Where the user finds Timbre without its window. A Linux desktop may have no tray, which Electron does not report. */
export async function findBackgroundPlace(platform: NodeJS.Platform): Promise<BackgroundPlace> {
  if (platform === 'darwin') return 'dock';
  return platform === 'win32' || (await hasStatusNotifierHost()) ? 'tray' : 'taskbar';
}

export type TrayState = 'idle' | 'working' | 'paused' | 'attention';

function stateOf({ open, attention, isPausedByUser, isPausedOnBattery }: Activity): TrayState {
  if (attention > 0) return 'attention';
  if (isPausedByUser || isPausedOnBattery) return 'paused';
  return open > 0 ? 'working' : 'idle';
}

/** The state as a line of the menu of the tray. It counts no jobs: each new count would close the menu. */
function stateText(activity: Activity, t: DesktopMessages['tray']): string {
  const state = stateOf(activity);
  if (state === 'paused' && !activity.isPausedByUser) return t.pausedOnBattery;
  return state === 'idle' && activity.folders > 0 ? t.watching({ n: activity.folders }) : t.states[state];
}

export const statusText = (activity: Activity, t: DesktopMessages['tray']): string =>
  stateOf(activity) === 'working' ? t.working({ n: activity.open }) : stateText(activity, t);

interface Commands {
  /** What happens when the work is done. */
  whenDone(): WhenDoneAction;
  onCancelWhenDone(): void;
  onOpen(): void;
  onPause(): void;
  onResume(): void;
  onContinueOnBattery(): void;
  onQuit(): void;
}

/** The menu of the tray icon, and of the dock on macOS. The first item only tells the status. */
export function statusMenu(
  status: string,
  activity: Activity,
  t: DesktopMessages['tray'],
  on: Commands,
): MenuItemConstructorOptions[] {
  const pause: MenuItemConstructorOptions = activity.isPausedByUser
    ? { id: 'resume', label: t.resume, click: on.onResume }
    : { id: 'pause', label: t.pause, click: on.onPause };
  const battery: MenuItemConstructorOptions[] = activity.isPausedOnBattery
    ? [{ id: 'continue-on-battery', label: t.continueOnBattery, click: on.onContinueOnBattery }]
    : [];
  const action = on.whenDone();
  const cancel: MenuItemConstructorOptions[] =
    action === 'sleep' || action === 'shut-down'
      ? [{ id: 'cancel-when-done', label: t.cancelWhenDone[action], click: on.onCancelWhenDone }]
      : [];
  return [
    { id: 'status', label: status, enabled: false },
    { type: 'separator' },
    { id: 'open', label: t.open, click: on.onOpen },
    pause,
    ...battery,
    ...cancel,
    { type: 'separator' },
    { id: 'quit', label: t.quit, click: on.onQuit },
  ];
}

/** The part of Electron's Tray that is used. */
interface SystemTray {
  setImage(image: string): void;
  setToolTip(text: string): void;
  setMenu(template: MenuItemConstructorOptions[]): void;
  onClick(listener: () => void): void;
  destroy(): void;
}

interface Dependencies extends Commands {
  createTray(image: string): SystemTray;
  /** Path of a state's icon. */
  icon(state: TrayState): string;
  messages(): Promise<DesktopMessages>;
  onError(error: unknown): void;
}

/** The icon that shows the state of a Timbre without a window, and controls it. Hidden at first. */
export interface TrayIcon {
  setVisible(isVisible: boolean): void;
  update(activity: Activity): void;
  /** Call after the language, or what happens when the work is done, changed. */
  refresh(): void;
}

export function createTrayIcon(dependencies: Dependencies): TrayIcon {
  const { createTray, icon, messages, onError } = dependencies;
  let tray: SystemTray | undefined;
  let activity = noActivity;
  /** What is shown, as text. */
  let [filledIcon, filledMenu] = ['', ''];

  async function fill(shown: SystemTray): Promise<void> {
    const { app, format, tray: t } = await messages();
    if (tray !== shown) return;
    const image = icon(stateOf(activity));
    const toolTip = format.labelled(app.name, statusText(activity, t));
    if (image + toolTip !== filledIcon) {
      filledIcon = image + toolTip;
      shown.setImage(image);
      shown.setToolTip(toolTip);
    }
    // On Linux a change of an item has no effect. A new menu closes the one that is open, so it must have something new.
    const menu = statusMenu(stateText(activity, t), activity, t, dependencies);
    const text = JSON.stringify(menu);
    if (text === filledMenu) return;
    filledMenu = text;
    shown.setMenu(menu);
  }

  function refresh(): void {
    if (tray) fill(tray).catch(onError);
  }

  return {
    setVisible(isVisible) {
      if (isVisible === (tray !== undefined)) return;
      if (!isVisible) {
        tray?.destroy();
        tray = undefined;
        return;
      }
      [filledIcon, filledMenu] = ['', ''];
      tray = createTray(icon(stateOf(activity)));
      tray.onClick(dependencies.onOpen);
      refresh();
    },
    update(now) {
      activity = now;
      refresh();
    },
    refresh,
  };
}
