import type { Problem } from '../../shared/errors.ts';
import type { Settings } from '../../shared/schemas/settings.ts';
import type { Clock } from '../core/clock.ts';
import { createSettingsStore, openSettings, settingsOfDamagedFile, type SettingsStore } from '../core/settings.ts';

interface Options {
  /** The settings are not the user's, and changes to them are not kept. */
  readonly isSafe: boolean;
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
  { isSafe, onSettings, onDamage }: Options,
): () => Promise<SettingsStore> {
  let opened: Promise<SettingsStore> | undefined;
  const openFile = async () => {
    const { default: ElectronStore } = await import('electron-store');
    const createFile = (options: { cwd: string; name: string }) => new ElectronStore<Record<string, unknown>>(options);
    return openSettings(dataFolder, createFile, clock, signal, onDamage);
  };
  const open = async () => {
    const settings = isSafe
      ? createSettingsStore({ read: () => settingsOfDamagedFile, write: () => undefined }, clock, signal)
      : await openFile();
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
