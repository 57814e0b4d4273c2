import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { SettingsStore } from '../core/settings/settings-store.ts';

export const createSettingsHandlers = (settings: () => Promise<SettingsStore>): Handlers<Contract>['settings'] => ({
  get: async () => (await settings()).get(),
  update: async (change) => (await settings()).update(change),
});
