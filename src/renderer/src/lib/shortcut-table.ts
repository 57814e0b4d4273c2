import type { Messages } from '../../../shared/messages/index.ts';
import { type ViewId, viewIds } from '../../../shared/schemas/app.ts';

interface AnyShortcut {
  readonly id: string;
  readonly group: 'everywhere' | 'views' | 'list' | 'listening';
  readonly label: (t: Messages) => string;
}

/** Handled by the list that has the focus, with the keys that every program uses; the user cannot change it. */
interface ListShortcut extends AnyShortcut {
  /** Keys as shown: a name in `messages.shortcuts.names`, or the key itself. */
  readonly keys: readonly string[];
}

interface ChangeableShortcut extends AnyShortcut {
  /** What `pressOf` returns for its keys, unless the user has changed them. */
  readonly press: string;
  /** Also works while a dialog is open. */
  readonly isGlobal?: boolean;
  /** Runs again and again while the key is held; any other would switch to and fro. */
  readonly canRepeat?: boolean;
}

/** The keys that open views, in the order of the sidebar. */
const viewShortcuts = viewIds.map((id, k) => ({
  id: `view-${id}` as const,
  group: 'views' as const,
  press: `ctrl+${k + 1}`,
  label: (t: Messages): string => t.views[id],
}));

/** All shortcuts, for handlers, hints, the palette and the dialog of shortcuts; `app/shortcut-actions.ts` has their actions. */
export const shortcuts = [
  ...viewShortcuts,
  { id: 'palette', group: 'everywhere', press: 'ctrl+k', label: (t: Messages): string => t.shortcuts.palette },
  {
    id: 'panels',
    group: 'everywhere',
    press: 'F6',
    canRepeat: true,
    isGlobal: true,
    label: (t: Messages): string => t.shortcuts.panels,
  },
  {
    id: 'panelsBack',
    group: 'everywhere',
    press: 'shift+F6',
    canRepeat: true,
    isGlobal: true,
    label: (t: Messages): string => t.shortcuts.panelsBack,
  },
  { id: 'find', group: 'everywhere', press: 'ctrl+f', label: (t: Messages): string => t.shortcuts.find },
  { id: 'findToo', group: 'everywhere', press: '/', label: (t: Messages): string => t.shortcuts.find },
  { id: 'voice', group: 'everywhere', press: 'v', label: (t: Messages): string => t.shortcuts.changeVoice },
  { id: 'paste', group: 'everywhere', keys: ['ctrl', 'V'], label: (t: Messages): string => t.shortcuts.paste },
  { id: 'favourite', group: 'everywhere', press: 'f', label: (t: Messages): string => t.voices.keys.favourite },
  { id: 'compare', group: 'everywhere', press: 'c', label: (t: Messages): string => t.compare.keys.compare },
  { id: 'pause', group: 'everywhere', press: 'p', label: (t: Messages): string => t.shortcuts.pause },
  {
    id: 'zoomIn',
    group: 'everywhere',
    press: 'ctrl++',
    canRepeat: true,
    isGlobal: true,
    label: (t: Messages): string => t.shortcuts.zoomIn,
  },
  {
    id: 'zoomOut',
    group: 'everywhere',
    press: 'ctrl+-',
    canRepeat: true,
    isGlobal: true,
    label: (t: Messages): string => t.shortcuts.zoomOut,
  },
  {
    id: 'zoomBack',
    group: 'everywhere',
    press: 'ctrl+0',
    isGlobal: true,
    label: (t: Messages): string => t.shortcuts.zoomReset,
  },
  { id: 'keys', group: 'everywhere', press: '?', label: (t: Messages): string => t.shortcuts.showKeys },
  { id: 'rows', group: 'list', keys: ['↑', '↓'], label: (t: Messages): string => t.shortcuts.rows },
  { id: 'buttons', group: 'list', keys: ['inline-end'], label: (t: Messages): string => t.shortcuts.buttons },
  { id: 'main', group: 'list', keys: ['enter'], label: (t: Messages): string => t.shortcuts.main },
  { id: 'listen', group: 'list', press: 'space', label: (t: Messages): string => t.shortcuts.listen },
  {
    id: 'listenInField',
    group: 'list',
    keys: ['shift', 'enter'],
    label: (t: Messages): string => t.preview.keys.listen,
  },
  { id: 'details', group: 'list', keys: ['alt', 'enter'], label: (t: Messages): string => t.shortcuts.details },
  { id: 'remove', group: 'list', keys: ['del'], label: (t: Messages): string => t.shortcuts.remove },
  { id: 'undo', group: 'list', press: 'ctrl+z', canRepeat: true, label: (t: Messages): string => t.history.keys.undo },
  { id: 'all', group: 'list', keys: ['ctrl', 'A'], label: (t: Messages): string => t.history.keys.all },
  { id: 'move', group: 'list', keys: ['alt', '↑', '↓'], label: (t: Messages): string => t.shortcuts.move },
  { id: 'moveFar', group: 'list', keys: ['alt', 'home', 'end'], label: (t: Messages): string => t.shortcuts.moveFar },
  { id: 'original', group: 'listening', press: 'a', label: (t: Messages): string => t.shortcuts.original },
  { id: 'result', group: 'listening', press: 'b', label: (t: Messages): string => t.shortcuts.result },
  { id: 'loop', group: 'listening', press: 'l', label: (t: Messages): string => t.shortcuts.loop },
  { id: 'loopFrom', group: 'listening', press: 'i', label: (t: Messages): string => t.shortcuts.loopFrom },
  { id: 'loopTo', group: 'listening', press: 'o', label: (t: Messages): string => t.shortcuts.loopTo },
  { id: 'back', group: 'listening', press: 'left', canRepeat: true, label: (t: Messages): string => t.shortcuts.back },
  {
    id: 'forward',
    group: 'listening',
    press: 'right',
    canRepeat: true,
    label: (t: Messages): string => t.shortcuts.forward,
  },
  {
    id: 'backFine',
    group: 'listening',
    press: 'shift+left',
    canRepeat: true,
    label: (t: Messages): string => t.shortcuts.backFine,
  },
  {
    id: 'forwardFine',
    group: 'listening',
    press: 'shift+right',
    canRepeat: true,
    label: (t: Messages): string => t.shortcuts.forwardFine,
  },
] as const satisfies readonly (ListShortcut | ChangeableShortcut)[];

type Entry = (typeof shortcuts)[number];
export type ShortcutId = Entry['id'];
/** Shortcuts of the whole window; the others are handled by the list that has the focus. */
export type WindowShortcutId = Extract<Entry, { readonly press: string }>['id'];
export type Shortcut = (ListShortcut & { readonly id: ShortcutId }) | WindowShortcut;
export type WindowShortcut = ChangeableShortcut & { readonly id: WindowShortcutId };

export const isWindowShortcut = (shortcut: Shortcut): shortcut is WindowShortcut => 'press' in shortcut;
export const windowShortcuts: readonly WindowShortcut[] = (shortcuts as readonly Shortcut[]).filter(isWindowShortcut);
export const shortcutGroups = ['everywhere', 'views', 'list', 'listening'] as const;

/** The window's shortcuts by their press; those that are switched off have none. The last of several with one press wins. */
export const indexByPress = (
  pressOf: (shortcut: WindowShortcut) => string | null,
): ReadonlyMap<string, WindowShortcut> =>
  new Map(
    windowShortcuts.flatMap((shortcut) => {
      const press = pressOf(shortcut);
      return press === null ? [] : [[press, shortcut] as const];
    }),
  );

/** The view that a shortcut opens, if any. */
export const viewOf = (id: WindowShortcutId): ViewId | undefined => viewIds.find((view) => id === `view-${view}`);

export function findShortcut(id: ShortcutId): Shortcut {
  const found = (shortcuts as readonly Shortcut[]).find((shortcut) => shortcut.id === id);
  if (!found) throw new Error(`There is no shortcut ${id}`);
  return found;
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'code'>;

/**
 * The letter of a key, regardless of Caps Lock: that of the layout or, in another script (Cyrillic, Greek, Hebrew, Arabic, Thai),
 * that of a Latin keyboard. Undefined for other keys.
 */
export function letterOf({ key, code }: KeyPress): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  // On a Latin layout, accented letters and punctuation have keys of their own, which are no shortcuts.
  // Thai and Hindi have keys for vowels, which are marks.
  const isOtherScript = /^[\p{L}\p{M}]+$/u.test(key) && !/[\p{Script=Latin}\p{Script=Inherited}]/u.test(key);
  return isOtherScript ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined;
}

/** The digit printed on a key; on AZERTY and Czech keyboards it takes Shift to type it. */
export const digitOf = ({ key, code }: KeyPress): number | undefined => {
  const digit = /^Digit(\d)$/.exec(code)?.[1] ?? (/^\d$/.test(key) ? key : undefined);
  return digit === undefined ? undefined : Number(digit);
};

/** The zoom step of a key press; 0 resets the zoom to 100 %. */
export function zoomStepOf({ key, code }: KeyPress): -1 | 0 | 1 | undefined {
  if (key === '+' || key === '=' || code === 'NumpadAdd') return 1;
  if (key === '-' || key === '_' || code === 'NumpadSubtract') return -1;
  return digitOf({ key, code }) === 0 || code === 'Numpad0' ? 0 : undefined;
}

const namedKeys: Readonly<Record<string, string>> = { ' ': 'space', ArrowLeft: 'left', ArrowRight: 'right' };
const shownKeys: Readonly<Record<string, string>> = { left: '←', right: '→', '-': '−' };

/**
 * The key press in the form of the table, on any keyboard layout: `ctrl+f`, `shift+F6`, `v`. Ctrl is also Cmd. Undefined for keys
 * that are no shortcut of this window, such as those with Alt, which types characters on some layouts.
 */
export function pressOf(event: KeyboardEvent): string | undefined {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (altKey) return undefined;
  const letter = letterOf(event);
  if (ctrlKey || metaKey) {
    // On AZERTY and Czech keyboards, digits without Shift type the signs that zoom.
    if (!shiftKey && /^Digit[1-9]$/.test(event.code)) return `ctrl+${digitOf(event)}`;
    const zoom = zoomStepOf(event);
    if (zoom !== undefined) return zoom === 0 ? 'ctrl+0' : zoom > 0 ? 'ctrl++' : 'ctrl+-';
    if (letter !== undefined) return shiftKey ? `ctrl+shift+${letter}` : `ctrl+${letter}`;
    const digit = digitOf(event);
    return digit === undefined ? undefined : `ctrl+${digit}`;
  }
  const name = namedKeys[key] ?? (/^F\d{1,2}$/.test(key) ? key : undefined);
  if (name !== undefined) return shiftKey && key !== ' ' ? `shift+${name}` : name;
  // The layout decides which characters need Shift.
  return letter ?? (/^[^\s\p{C}]$/u.test(key) ? key : undefined);
}

/** The keys of a press, as shown. */
export function keysOf(press: string): readonly string[] {
  const [, ctrl, shift, key = ''] = /^(ctrl\+)?(shift\+)?(.+)$/u.exec(press) ?? [];
  const shown = shownKeys[key] ?? (/^\p{L}$/u.test(key) ? key.toUpperCase() : key);
  return [...(ctrl ? ['ctrl'] : []), ...(shift ? ['shift'] : []), shown];
}

/** True for a single character; the user can turn all of these off (WCAG 2.1.4). */
export const isCharacter = (press: string): boolean => /^.$/u.test(press);

/** Keys that copy, paste, select, undo, redo, close, quit, and on macOS hide or minimize, in every program. */
const reserved: ReadonlySet<string> = new Set([
  ...Array.from('acvxzyqwrhm', (letter) => `ctrl+${letter}`),
  'ctrl+shift+z',
]);

export const isReserved = (press: string): boolean => reserved.has(press);

/** True if the user may choose this press for a shortcut. */
export const isAssignable = (press: string, shortcut: WindowShortcut): boolean =>
  !isReserved(press) || press === shortcut.press;
