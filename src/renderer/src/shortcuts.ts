import type { Messages } from '../../shared/messages/index.ts';

/** Keys that have a name, which each language and macOS write differently; any other key is written as it is. */
export type KeyName = keyof Messages['keys']['names'];

export interface Shortcut {
  readonly id: string;
  readonly keys: readonly string[];
  /** The last key of a range: Ctrl 1 to 8. */
  readonly to?: string;
  /** A character alone, which can be switched off in Settings. */
  readonly isCharacter?: boolean;
  readonly what: string;
}

/** Characters that act without a modifier. */
export const characterKeys = ['v', 'a', 'b', 'p', 'f', 'l', '/', '?'] as const;
export type CharacterKey = (typeof characterKeys)[number];

type KeyPress = Pick<KeyboardEvent, 'key' | 'code'>;

/**
 * The letter of a key, whatever Caps Lock says: as the layout has it, and on a layout of another script (Cyrillic, Greek, Hebrew,
 * Arabic) the one that stands there on a Latin keyboard. Undefined for all other keys.
 */
export function letterOf({ key, code }: KeyPress): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  // Accented letters and punctuation are keys of their own on a Latin layout, and mean nothing here.
  const isOtherScript = /^\p{L}\p{M}*$|^\p{L}{2}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  return isOtherScript ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined;
}

/** The digit that is on a key: on AZERTY and Czech keyboards it takes Shift to type it. */
export const digitOf = ({ key, code }: KeyPress): number | undefined => {
  const digit = /^Digit(\d)$/.exec(code)?.[1] ?? (/^\d$/.test(key) ? key : undefined);
  return digit === undefined ? undefined : Number(digit);
};

/** One of the characters that act alone. */
export function characterOf(event: KeyPress): CharacterKey | undefined {
  const character = letterOf(event) ?? event.key;
  return characterKeys.find((key) => key === character);
}

/** Steps of the zoom; 0 is back to 100 %. */
export function zoomStepOf({ key, code }: KeyPress): -1 | 0 | 1 | undefined {
  if (key === '+' || key === '=' || code === 'NumpadAdd') return 1;
  if (key === '-' || key === '_' || code === 'NumpadSubtract') return -1;
  return digitOf({ key, code }) === 0 || code === 'Numpad0' ? 0 : undefined;
}

/** All that the keys do, as Settings and the dialog show it. */
export function shortcutGroups(
  { keys: k, voices, history }: Messages,
  views: number,
): readonly { readonly id: string; readonly title: string; readonly shortcuts: readonly Shortcut[] }[] {
  return [
    {
      id: 'everywhere',
      title: k.everywhere,
      shortcuts: [
        { id: 'views', keys: ['ctrl', '1'], to: String(views), what: k.views },
        { id: 'panes', keys: ['F6'], what: k.panes },
        { id: 'find', keys: ['ctrl', 'F'], what: k.find },
        { id: 'findToo', keys: ['/'], isCharacter: true, what: k.find },
        { id: 'voice', keys: ['V'], isCharacter: true, what: k.changeVoice },
        { id: 'paste', keys: ['ctrl', 'V'], what: k.paste },
        { id: 'favourite', keys: ['F'], isCharacter: true, what: voices.keys.favourite },
        { id: 'pause', keys: ['P'], isCharacter: true, what: k.pause },
        { id: 'zoom', keys: ['ctrl', '+', '−'], what: k.zoom },
        { id: 'zoomBack', keys: ['ctrl', '0'], what: k.zoomBack },
        { id: 'keys', keys: ['?'], isCharacter: true, what: k.showKeys },
      ],
    },
    {
      id: 'list',
      title: k.list,
      shortcuts: [
        { id: 'rows', keys: ['↑', '↓'], what: k.rows },
        { id: 'buttons', keys: ['→'], what: k.buttons },
        { id: 'main', keys: ['enter'], what: k.main },
        { id: 'listen', keys: ['space'], what: k.listen },
        { id: 'remove', keys: ['del'], what: k.remove },
        { id: 'undo', keys: ['ctrl', 'Z'], what: history.keys.undo },
        { id: 'all', keys: ['ctrl', 'A'], what: history.keys.all },
        { id: 'move', keys: ['alt', '↑', '↓'], what: k.move },
        { id: 'moveFar', keys: ['alt', 'home', 'end'], what: k.moveFar },
      ],
    },
    {
      id: 'listening',
      title: k.listening,
      shortcuts: [
        { id: 'sides', keys: ['A', 'B'], isCharacter: true, what: k.sides },
        { id: 'loop', keys: ['L'], isCharacter: true, what: k.loop },
        { id: 'seek', keys: ['←', '→'], what: k.seek },
        { id: 'seekFine', keys: ['shift', '←', '→'], what: k.seekFine },
      ],
    },
  ];
}
