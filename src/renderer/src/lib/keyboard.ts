/** Characters that act without a modifier. */
const characterKeys = ['v', 'a', 'b', 'p', 'f', 'l', '/', '?'] as const;
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
