import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { AppError } from '../../shared/errors.ts';
import type { LoginItem } from '../../shared/schemas/app.ts';
import { readTextSync } from '../core/files/content.ts';
import { makeFolderSync } from '../core/files/folders.ts';

/** Given to a Timbre that the system opens when the user signs in: it starts without its window. */
export const hiddenSwitch = '--hidden';

/** True if macOS opened this start at login: it passes no switches. */
export const isMacLoginStart = (app: Pick<App, 'getLoginItemSettings'>, platform: NodeJS.Platform): boolean =>
  platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;

interface Dependencies {
  readonly app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  /** The program to start and its arguments: an AppImage, a portable exe or an executable. Linux and Windows only. */
  readonly command: readonly string[];
  /** Folder of the user's configuration, `~/.config` by default. Linux only. */
  readonly configFolder: string;
}

export interface LoginItemControl {
  get(): LoginItem;
  /** Throws `system/login-item`. */
  set(isOn: boolean): void;
  /** Points an entry at this program if the one that it starts is gone: an AppImage was replaced by a newer one. */
  repair(): void;
}

/**
 * Quotes an argument for a desktop entry's `Exec` (freedesktop.org, Desktop Entry Specification, "The Exec
 * key"): escaped once for the quotes, and once more as every string of the file.
 */
const quoteArgument = (argument: string): string =>
  `"${argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;

/** Desktops switch an entry off in these ways. */
const switchedOff = /^(Hidden *= *true|X-GNOME-Autostart-enabled *= *false)\s*$/m;

/** Whether the system opens Timbre when the user signs in. The system is asked each time, as the user may change it there. */
export function createLoginItem({ app, platform, command, configFolder }: Dependencies): LoginItemControl {
  const args = [hiddenSwitch];
  if (platform === 'linux') {
    // Electron has no login items on Linux; a desktop starts the entries in this folder (Desktop Application Autostart).
    const folder = join(configFolder, 'autostart');
    const path = join(folder, 'timbre.desktop');
    const exec = [...command, ...args].map(quoteArgument).join(' ');
    function get(): LoginItem {
      try {
        return switchedOff.test(readTextSync(path)) ? 'off' : 'on';
      } catch {
        return 'off';
      }
    }
    function set(isOn: boolean): void {
      try {
        if (!isOn) {
          rmSync(path, { force: true });
          return;
        }
        makeFolderSync(folder);
        writeFileSync(path, `[Desktop Entry]\nType=Application\nName=Timbre\nExec=${exec}\nTerminal=false\n`);
      } catch (cause) {
        throw new AppError('system/login-item', String(cause), { cause, facts: { folder } });
      }
    }
    return {
      get,
      set,
      repair() {
        if (get() === 'off') return;
        const program = /^Exec="([^"\\%]*)"/m.exec(readTextSync(path))?.[1];
        if (program !== undefined && !existsSync(program)) set(true);
      },
    };
  }
  // A portable exe runs from a temporary folder, so Electron's own path would lead nowhere.
  const [path] = command;
  // Electron writes and reads it as a command line (https://github.com/electron/electron/issues/32657).
  const onWindows = platform === 'win32' ? { ...(path !== undefined && { path: `"${path}"` }), args } : {};
  return {
    get() {
      const { openAtLogin, status, launchItems } = app.getLoginItemSettings(onWindows);
      if (platform === 'darwin' && status === 'requires-approval') return 'requires-approval';
      // The user may have disabled it in Task Manager, which keeps the entry.
      const isDisabled =
        platform === 'win32' && launchItems.some((item) => item.args.includes(hiddenSwitch) && !item.enabled);
      return openAtLogin && !isDisabled ? 'on' : 'off';
    },
    set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn, ...onWindows }),
    // The system follows the program, and the installer keeps its path.
    repair: () => undefined,
  };
}
