import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { AppInfo, DesktopInfo, MenuCommand, Notice, WhenDone, WhenDoneAction } from '../../shared/schemas/app.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { AllowedPaths } from './allowed-paths.ts';
import type { Dialogs } from './dialogs.ts';

/** Closing, quitting and starting, which the user controls from the page. */
interface DesktopControl {
  /** The user has seen the open work and quits: now, or once all pending responses have arrived. */
  quit(when: 'now' | 'answered'): void;
  cancelQuit(question: number): void;
  close(action: 'background' | 'quit'): Promise<void>;
  /** The page had nothing to lose when it was hidden. */
  allowUnload(hiding: number): void;
  setMenu(commands: readonly MenuCommand[]): void;
  info(): Promise<DesktopInfo>;
  setLoginItem(isOn: boolean): Promise<DesktopInfo>;
  setTerminalCommand(isOn: boolean): Promise<DesktopInfo>;
  whenDone(): WhenDone;
  chooseWhenDone(action: WhenDoneAction): Promise<void>;
  postponeWhenDone(): void;
}

export interface AppDependencies {
  readonly version: string;
  /** As in `process.platform`. */
  readonly platform: string;
  /** The data folder if it is portable; null otherwise. */
  readonly portableFolder: string | null;
  readonly languages: readonly string[];
  readonly formatLocale: string;
  readNotices(): Promise<readonly Notice[]>;
  onReady(): void;
  readonly desktop: DesktopControl;
  /** Reports an error of the page. */
  onPageLog(text: string): void;
  /** Restarts the app. */
  onRestart(): void;
}

const platformNames: Readonly<Record<string, AppInfo['platform']>> = { darwin: 'mac', win32: 'win' };

/** Windows has no clipboard format for files that Electron could write, and only macOS has a menu to share them. */
const fileActions: Readonly<Record<string, AppInfo['fileActions']>> = { darwin: ['copy', 'share'], win32: [] };

export const createAppHandlers = (
  dependencies: AppDependencies & Pick<Dialogs, 'chooseFiles' | 'chooseFolder'>,
): Handlers<Contract>['app'] => {
  const {
    version,
    platform,
    portableFolder,
    languages,
    formatLocale,
    readNotices,
    onReady,
    chooseFiles,
    chooseFolder,
    desktop,
    onPageLog,
    onRestart,
  } = dependencies;
  return {
    info: () => ({
      version,
      platform: platformNames[platform] ?? 'linux',
      portableFolder,
      languages,
      formatLocale,
      fileActions: fileActions[platform] ?? ['copy'],
    }),
    notices: readNotices,
    ready: onReady,
    chooseFiles,
    chooseFolder,
    quit: ({ when }) => desktop.quit(when),
    note: ({ text }) => onPageLog(text),
    restart: onRestart,
    cancelQuit: ({ question }) => desktop.cancelQuit(question),
    close: ({ action }) => desktop.close(action),
    allowUnload: ({ hiding }) => desktop.allowUnload(hiding),
    setMenu: ({ commands }) => desktop.setMenu(commands),
    desktop: desktop.info,
    setLoginItem: ({ isOn }) => desktop.setLoginItem(isOn),
    setTerminalCommand: ({ isOn }) => desktop.setTerminalCommand(isOn),
    whenDone: desktop.whenDone,
    chooseWhenDone: ({ action }) => desktop.chooseWhenDone(action),
    postponeWhenDone: desktop.postponeWhenDone,
  };
};

interface Dependencies extends Pick<Dialogs, 'confirmProxy'> {
  readonly settings: () => Promise<SettingsStore>;
  readonly places: AllowedPaths;
}

/**
 * The page cannot change the output folder or the proxy without a system dialog; it may change all
 * other settings.
 */
export function createSettingsHandlers(dependencies: Dependencies): Handlers<Contract>['settings'] {
  const { settings, places, confirmProxy } = dependencies;
  return {
    get: async () => (await settings()).get(),
    async update({ proxy, ...others }) {
      const store = await settings();
      places.assertAllowed(others.outputFolder ?? null, [store.get().outputFolder]);
      const updated = store.update(others);
      if (proxy === undefined || proxy === updated.proxy) return updated;
      const isAddress = proxy !== '' && proxy !== 'direct';
      return isAddress && !(await confirmProxy(proxy)) ? store.get() : store.update({ proxy });
    },
  };
}
