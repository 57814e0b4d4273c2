import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { SettingsStore } from '../core/settings/settings-store.ts';
import type { Places } from './places.ts';

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
