import type { Problem } from '../../shared/errors.ts';
import type { Settings } from '../../shared/schemas/settings.ts';
import type { Clock } from '../core/clock.ts';
import { openSettings, type SettingsStore } from '../core/settings.ts';

interface Listeners {
  /** Receives the settings once they are read, and after each change. */
  onSettings(settings: Settings): void;
  onDamage(problem: Problem): void;
}

/**
 * Settings through electron-store, loaded on first use: its JSON schema validator is half of the
 * code that main loads at start.
 */
export function createSettingsLoader(
  dataFolder: string,
  clock: Clock,
  signal: AbortSignal,
  { onSettings, onDamage }: Listeners,
): () => Promise<SettingsStore> {
  let opened: Promise<SettingsStore> | undefined;
  const open = async () => {
    const { default: ElectronStore } = await import('electron-store');
    const createFile = (options: { cwd: string; name: string }) => new ElectronStore<Record<string, unknown>>(options);
    const settings = openSettings(dataFolder, createFile, clock, signal, onDamage);
    onSettings(settings.get());
    settings.onChanged(onSettings);
    return settings;
  };
  return () =>
    (opened ??= open().catch((error: unknown) => {
      // The user may try again once the file can be read.
      opened = undefined;
      throw error;
    }));
}
