import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { strict } from '../strict.mts';

type ThemeSource = 'system' | 'light' | 'dark';

export interface Theme {
  readonly nativeTheme: Electron.NativeTheme;
  source(): ThemeSource;
}

/**
 * Electron's `nativeTheme`. Main does not know the preference of the desktop: with `system`, pages follow the desktop,
 * and main reports light.
 *
 * @param onChange - called after each change of the source, before `updated`
 */
export function createTheme(onChange: () => void): Theme {
  const sources: readonly string[] = ['system', 'light', 'dark'];
  const events = new EventEmitter();
  let current: ThemeSource = 'system';

  const nativeTheme = Object.defineProperties(events, {
    themeSource: {
      get: () => current,
      set: (source: ThemeSource) => {
        if (!sources.includes(source)) throw new TypeError(`Invalid themeSource value provided: ${source}`);
        if (source === current) return;
        current = source;
        onChange();
        setImmediate(() => events.emit('updated'));
      },
    },
    shouldUseDarkColors: { get: () => current === 'dark' },
    shouldUseHighContrastColors: { value: false },
    shouldUseInvertedColorScheme: { value: false },
    inForcedColorsMode: { value: false },
    prefersReducedTransparency: { value: false },
  });

  return { nativeTheme: strict('nativeTheme', nativeTheme) as unknown as Electron.NativeTheme, source: () => current };
}
