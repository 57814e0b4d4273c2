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
