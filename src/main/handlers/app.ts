import type { Handlers } from '../../shared/ipc/contract-types.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { AppInfo } from '../../shared/schemas/app.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { Places } from './given-paths.ts';

export interface AppDependencies {
  readonly version: string;
  /** As Node names it. */
  readonly platform: string;
  readonly languages: readonly string[];
  onReady(): void;
  chooseFiles(): Promise<readonly string[]>;
  chooseFolder(): Promise<string | null>;
  /** The person was told what is open and goes: at once, or when no answer is owed any more. */
  onLeave(when: 'now' | 'answered'): void;
  onStay(question: number): void;
  /** Something failed in the page. */
  onNote(text: string): void;
  /** Ends the program, and starts it again. */
  onRestart(): void;
}

const platformNames: Readonly<Record<string, AppInfo['platform']>> = { darwin: 'mac', win32: 'win' };

export const createAppHandlers = (dependencies: AppDependencies): Handlers<Contract>['app'] => {
  const { version, platform, languages, onReady, chooseFiles, chooseFolder, onLeave, onStay, onNote, onRestart } =
    dependencies;
  return {
    info: () => ({ version, platform: platformNames[platform] ?? 'linux', languages }),
    ready: onReady,
    chooseFiles,
    chooseFolder,
    leave: ({ when }) => onLeave(when),
    note: ({ text }) => onNote(text),
    restart: onRestart,
    stay: ({ question }) => onStay(question),
  };
};

export interface ProxyDialog {
  /** Asks by a dialog of the system whether all calls may go through this proxy. */
  confirmProxy(address: string): Promise<boolean>;
}

interface Dependencies extends ProxyDialog {
  readonly settings: () => Promise<SettingsStore>;
  readonly places: Places;
}

/** Where results go, and what all calls pass, a page cannot change without a dialog of the system. The rest is its own to say. */
export function createSettingsHandlers(dependencies: Dependencies): Handlers<Contract>['settings'] {
  const { settings, places, confirmProxy } = dependencies;
  return {
    get: async () => (await settings()).get(),
    async update({ proxy, ...others }) {
      const store = await settings();
      places.mustBeKnown(others.outputFolder ?? null, [store.get().outputFolder]);
      const updated = store.update(others);
      if (proxy === undefined || proxy === updated.proxy) return updated;
      const isAddress = proxy !== '' && proxy !== 'direct';
      return isAddress && !(await confirmProxy(proxy)) ? store.get() : store.update({ proxy });
    },
  };
}
