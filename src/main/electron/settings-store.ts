import type { Clock } from '../core/clock.ts';
import { openSettings, type SettingsStore } from '../core/settings.ts';

/** The settings through electron-store. Loaded on first use: with its JSON schema validator it is half of what main reads at start. */
export function createSettingsLoader(
  dataFolder: string,
  clock: Clock,
  onOpened: (settings: SettingsStore) => void,
): () => Promise<SettingsStore> {
  let opened: Promise<SettingsStore> | undefined;
  const open = async () => {
    const { default: ElectronStore } = await import('electron-store');
    const settings = openSettings(dataFolder, (options) => new ElectronStore<Record<string, unknown>>(options), clock);
    onOpened(settings);
    return settings;
  };
  return () => (opened ??= open());
}
