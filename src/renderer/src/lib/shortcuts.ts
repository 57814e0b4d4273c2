import type { Messages } from '../../../shared/messages/index.ts';

interface ShortcutEntry {
  readonly id: string;
  readonly group: 'everywhere' | 'list' | 'listening';
  /** Keys as shown: a name in `messages.shortcuts.names`, or the key itself. */
  readonly keys: readonly string[];
  /** The last key of a range. */
  readonly to?: string;
  /** What `pressOf` returns for these keys; omitted if the focused list handles them. */
  readonly presses?: readonly string[];
  /** A single character; the user can turn these shortcuts off (WCAG 2.1.4). */
  readonly isCharacter?: boolean;
  /** Also works while a dialog is open. */
  readonly isGlobal?: boolean;
  readonly label: (t: Messages) => string;
}

/** All shortcuts of the window, for handlers, hints and the dialog of shortcuts; `app/shortcuts.ts` has their actions. */
export const shortcuts = [
  {
    id: 'views',
    group: 'everywhere',
    keys: ['ctrl', '1'],
    to: '8',
    presses: ['ctrl+1', 'ctrl+2', 'ctrl+3', 'ctrl+4', 'ctrl+5', 'ctrl+6', 'ctrl+7', 'ctrl+8'],
    label: (t: Messages): string => t.shortcuts.views,
  },
  {
    id: 'palette',
    group: 'everywhere',
    keys: ['ctrl', 'K'],
    presses: ['ctrl+k'],
    label: (t: Messages): string => t.shortcuts.palette,
  },
  {
    id: 'panels',
    group: 'everywhere',
    keys: ['F6'],
    presses: ['F6', 'shift+F6'],
    isGlobal: true,
    label: (t: Messages): string => t.shortcuts.panels,
  },
  {
    id: 'find',
    group: 'everywhere',
    keys: ['ctrl', 'F'],
    presses: ['ctrl+f'],
    label: (t: Messages): string => t.shortcuts.find,
  },
  {
    id: 'findToo',
    group: 'everywhere',
    keys: ['/'],
    presses: ['/'],
    isCharacter: true,
    label: (t: Messages): string => t.shortcuts.find,
  },
  {
    id: 'voice',
    group: 'everywhere',
    keys: ['V'],
    presses: ['v'],
    isCharacter: true,
    label: (t: Messages): string => t.shortcuts.changeVoice,
  },
  { id: 'paste', group: 'everywhere', keys: ['ctrl', 'V'], label: (t: Messages): string => t.shortcuts.paste },
  {
    id: 'favourite',
    group: 'everywhere',
    keys: ['F'],
    presses: ['f'],
    isCharacter: true,
    label: (t: Messages): string => t.voices.keys.favourite,
  },
  {
    id: 'pause',
    group: 'everywhere',
    keys: ['P'],
    presses: ['p'],
    isCharacter: true,
    label: (t: Messages): string => t.shortcuts.pause,
  },
  {
    id: 'zoomIn',
    group: 'everywhere',
    keys: ['ctrl', '+'],
    presses: ['ctrl++'],
    isGlobal: true,
    label: (t: Messages): string => t.shortcuts.zoomIn,
  },
  {
    id: 'zoomOut',
    group: 'everywhere',
    keys: ['ctrl', '−'],
    presses: ['ctrl+-'],
    isGlobal: true,
    label: (t: Messages): string => t.shortcuts.zoomOut,
  },
  {
    id: 'zoomBack',
    group: 'everywhere',
    keys: ['ctrl', '0'],
    presses: ['ctrl+0'],
    isGlobal: true,
    label: (t: Messages): string => t.shortcuts.zoomReset,
  },
  {
    id: 'keys',
    group: 'everywhere',
    keys: ['?'],
    presses: ['?'],
    isCharacter: true,
    label: (t: Messages): string => t.shortcuts.showKeys,
  },
  { id: 'rows', group: 'list', keys: ['↑', '↓'], label: (t: Messages): string => t.shortcuts.rows },
  { id: 'buttons', group: 'list', keys: ['→'], label: (t: Messages): string => t.shortcuts.buttons },
  { id: 'main', group: 'list', keys: ['enter'], label: (t: Messages): string => t.shortcuts.main },
  {
    id: 'listen',
    group: 'list',
    keys: ['space'],
    presses: ['space'],
    label: (t: Messages): string => t.shortcuts.listen,
  },
  { id: 'remove', group: 'list', keys: ['del'], label: (t: Messages): string => t.shortcuts.remove },
  {
    id: 'undo',
    group: 'list',
    keys: ['ctrl', 'Z'],
    presses: ['ctrl+z'],
    label: (t: Messages): string => t.history.keys.undo,
  },
  { id: 'all', group: 'list', keys: ['ctrl', 'A'], label: (t: Messages): string => t.history.keys.all },
  { id: 'move', group: 'list', keys: ['alt', '↑', '↓'], label: (t: Messages): string => t.shortcuts.move },
  { id: 'moveFar', group: 'list', keys: ['alt', 'home', 'end'], label: (t: Messages): string => t.shortcuts.moveFar },
  {
    id: 'sides',
    group: 'listening',
    keys: ['A', 'B'],
    presses: ['a', 'b'],
    isCharacter: true,
    label: (t: Messages): string => t.shortcuts.sides,
  },
  {
    id: 'loop',
    group: 'listening',
    keys: ['L'],
    presses: ['l'],
    isCharacter: true,
    label: (t: Messages): string => t.shortcuts.loop,
  },
  {
    id: 'seek',
    group: 'listening',
    keys: ['←', '→'],
    presses: ['left', 'right'],
    label: (t: Messages): string => t.shortcuts.seek,
  },
  {
    id: 'seekFine',
    group: 'listening',
    keys: ['shift', '←', '→'],
    presses: ['shift+left', 'shift+right'],
    label: (t: Messages): string => t.shortcuts.seekFine,
  },
] as const satisfies readonly ShortcutEntry[];

type Entry = (typeof shortcuts)[number];
export type ShortcutId = Entry['id'];
/** Shortcuts of the whole window; the others are handled by the list that has the focus. */
export type WindowShortcutId = Extract<Entry, { readonly presses: unknown }>['id'];
export type Shortcut = ShortcutEntry & { readonly id: ShortcutId };

export const shortcutGroups = ['everywhere', 'list', 'listening'] as const;

export function findShortcut(id: ShortcutId): Shortcut {
  const found = shortcuts.find((shortcut) => shortcut.id === id);
  if (!found) throw new Error(`There is no shortcut ${id}`);
  return found;
}

/** Characters that are shortcuts without a modifier. */
const characterKeys = ['v', 'a', 'b', 'p', 'f', 'l', '/', '?'] as const;
export type CharacterKey = (typeof characterKeys)[number];

type KeyPress = Pick<KeyboardEvent, 'key' | 'code'>;

/**
 * The letter of a key, regardless of Caps Lock: that of the layout or, in another script (Cyrillic, Greek, Hebrew, Arabic), that of a
 * Latin keyboard. Undefined for other keys.
 */
export function letterOf({ key, code }: KeyPress): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  // On a Latin layout, accented letters and punctuation have keys of their own, which are no shortcuts.
  const isOtherScript = /^\p{L}\p{M}*$|^\p{L}{2}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  return isOtherScript ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined;
}

/** The digit printed on a key; on AZERTY and Czech keyboards it takes Shift to type it. */
export const digitOf = ({ key, code }: KeyPress): number | undefined => {
  const digit = /^Digit(\d)$/.exec(code)?.[1] ?? (/^\d$/.test(key) ? key : undefined);
  return digit === undefined ? undefined : Number(digit);
};

/** The shortcut character that a key press types, if any. */
export function characterOf(event: KeyPress): CharacterKey | undefined {
  const character = letterOf(event) ?? event.key;
  return characterKeys.find((key) => key === character);
}

/** The zoom step of a key press; 0 resets the zoom to 100 %. */
export function zoomStepOf({ key, code }: KeyPress): -1 | 0 | 1 | undefined {
  if (key === '+' || key === '=' || code === 'NumpadAdd') return 1;
  if (key === '-' || key === '_' || code === 'NumpadSubtract') return -1;
  return digitOf({ key, code }) === 0 || code === 'Numpad0' ? 0 : undefined;
}

/** The key press in the form of the table, on any keyboard layout; undefined for keys without a shortcut. */
export function pressOf(event: KeyboardEvent): string | undefined {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (altKey) return undefined;
  if (ctrlKey || metaKey) {
    const zoom = zoomStepOf(event);
    if (zoom !== undefined) return zoom === 0 ? 'ctrl+0' : zoom > 0 ? 'ctrl++' : 'ctrl+-';
    const name = letterOf(event) ?? digitOf(event);
    return name === undefined ? undefined : `ctrl+${name}`;
  }
  const names: Readonly<Record<string, string>> = { F6: 'F6', ' ': 'space', ArrowLeft: 'left', ArrowRight: 'right' };
  const name = names[key];
  if (name === undefined) return characterOf(event);
  return shiftKey && key !== ' ' ? `shift+${name}` : name;
}

const byPress: ReadonlyMap<string, Shortcut> = new Map(
  shortcuts.flatMap((shortcut: Shortcut) => (shortcut.presses ?? []).map((press) => [press, shortcut] as const)),
);

/** The window shortcut of a key press. */
export function shortcutOf(press: string): (Shortcut & { readonly id: WindowShortcutId }) | undefined {
  return byPress.get(press) as (Shortcut & { readonly id: WindowShortcutId }) | undefined;
}
