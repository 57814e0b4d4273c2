import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { AppInfo } from '../../shared/schemas/app.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { AllowedPaths } from './allowed-paths.ts';

export interface AppDependencies {
  readonly version: string;
  /** As in `process.platform`. */
  readonly platform: string;
  readonly languages: readonly string[];
  onReady(): void;
  chooseFiles(): Promise<readonly string[]>;
  chooseFolder(): Promise<string | null>;
  /** The user has seen the open work and quits: now, or once all pending responses have arrived. */
  onQuit(when: 'now' | 'answered'): void;
  onCancelQuit(question: number): void;
  /** Reports an error of the page. */
  onPageLog(text: string): void;
  /** Restarts the app. */
  onRestart(): void;
}

const platformNames: Readonly<Record<string, AppInfo['platform']>> = { darwin: 'mac', win32: 'win' };

export const createAppHandlers = (dependencies: AppDependencies): Handlers<Contract>['app'] => {
  const {
    version,
    platform,
    languages,
    onReady,
    chooseFiles,
    chooseFolder,
    onQuit,
    onCancelQuit,
    onPageLog,
    onRestart,
  } = dependencies;
  return {
    info: () => ({ version, platform: platformNames[platform] ?? 'linux', languages }),
    ready: onReady,
    chooseFiles,
    chooseFolder,
    quit: ({ when }) => onQuit(when),
    note: ({ text }) => onPageLog(text),
    restart: onRestart,
    cancelQuit: ({ question }) => onCancelQuit(question),
  };
};

export interface ProxyDialog {
  /** Asks in a system dialog whether all requests may use this proxy. */
  confirmProxy(address: string): Promise<boolean>;
}

interface Dependencies extends ProxyDialog {
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
