import type { KeyChanges } from '../../../shared/schemas/settings.ts';
import {
  findShortcut,
  indexByPress,
  isCharacter,
  isWindowShortcut,
  keysOf,
  type ShortcutId,
  type WindowShortcut,
} from './shortcut-table.ts';

/** The keys of each shortcut: those of the table, or what the user has made of them. */
export class KeyBindings {
  changes = $state.raw<KeyChanges>({});
  /** Shortcuts of a single character work. */
  hasLetterKeys = $state(true);
  readonly #byPress: ReadonlyMap<string, WindowShortcut> = $derived(
    indexByPress((shortcut) => this.#pressOf(shortcut)),
  );

  /** The shortcut of a press, unless it is switched off. */
  find(press: string): WindowShortcut | undefined {
    return isCharacter(press) && !this.hasLetterKeys ? undefined : this.assigned(press);
  }

  /** The shortcut that has this press, also while single characters are off. */
  assigned(press: string): WindowShortcut | undefined {
    return this.#byPress.get(press);
  }

  /** The keys as shown; empty if the shortcut is switched off. */
  keysOf(id: ShortcutId): readonly string[] {
    const shortcut = findShortcut(id);
    if (!isWindowShortcut(shortcut)) return shortcut.keys;
    const press = this.pressOf(id);
    return press === null ? [] : keysOf(press);
  }

  /** The key press of a shortcut of the window; null if it is switched off, or has none. */
  pressOf(id: ShortcutId): string | null {
    const shortcut = findShortcut(id);
    const press = isWindowShortcut(shortcut) ? this.#pressOf(shortcut) : null;
    return press === null || this.#byPress.get(press)?.id !== id ? null : press;
  }

  isCharacter(id: ShortcutId): boolean {
    const shortcut = findShortcut(id);
    return isWindowShortcut(shortcut) && isCharacter(this.#pressOf(shortcut) ?? '');
  }

  /** The changes with another press for a shortcut; null switches it off. A shortcut that had the press loses it. */
  changed(shortcut: WindowShortcut, press: string | null): KeyChanges {
    const other = press === null ? undefined : this.assigned(press);
    const others = Object.entries(this.changes).filter(([id]) => id !== shortcut.id);
    return {
      ...Object.fromEntries(others),
      ...(other && other.id !== shortcut.id && { [other.id]: null }),
      ...(press !== shortcut.press && { [shortcut.id]: press }),
    };
  }

  #pressOf({ id, press }: WindowShortcut): string | null {
    const changed = this.changes[id];
    return changed === undefined ? press : changed;
  }
}
