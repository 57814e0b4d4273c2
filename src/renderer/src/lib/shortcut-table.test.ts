import { loadMessages } from '../../../shared/messages/index.ts';
import { describe, expect, test } from 'vitest';
import { KeyBindings } from './key-bindings.svelte.ts';
import {
  digitOf,
  isAssignable,
  isCharacter,
  keysOf as shownKeysOf,
  letterOf,
  pressOf as pressNameOf,
  shortcuts,
  windowShortcuts,
  zoomStepOf,
} from './shortcut-table.ts';
import { views } from '../app/views.ts';
import { I18n } from './i18n.svelte.ts';

const en = await loadMessages('en');

type Rows = readonly [string, string, string, string];
interface Layout {
  /** The printed keys: digits, then three rows of letters. */
  readonly plain: Rows;
  /** The key that types `/` and `?`. */
  readonly slash: readonly [key: string, withShift: boolean];
}

const codes: readonly (readonly string[])[] = [
  ['Digit1', 'Digit2', 'Digit3', 'Digit4', 'Digit5', 'Digit6', 'Digit7', 'Digit8', 'Digit9', 'Digit0'],
  Array.from('QWERTYUIOP', (letter) => `Key${letter}`),
  Array.from('ASDFGHJKL', (letter) => `Key${letter}`),
  [...Array.from('ZXCVBNM', (letter) => `Key${letter}`), 'Comma', 'Period', 'Slash'],
];
const digits = '1234567890';
const layouts: Readonly<Record<string, Layout>> = {
  US: { plain: [digits, 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'], slash: ['Slash', false] },
  German: { plain: [digits, 'qwertzuiop', 'asdfghjkl', 'yxcvbnm'], slash: ['Digit7', true] },
  French: { plain: ['&é"\'(-è_çà', 'azertyuiop', 'qsdfghjkl', 'wxcvbn,'], slash: ['Period', true] },
  Czech: { plain: ['+ěščřžýáíé', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm'], slash: ['BracketLeft', true] },
  Turkish: { plain: [digits, 'qwertyuıop', 'asdfghjkl', 'zxcvbnm'], slash: ['Digit7', true] },
  Swedish: { plain: [digits, 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'], slash: ['Digit7', true] },
  Dvorak: { plain: [digits, "',.pyfgcrl", 'aoeuidhtn', ';qjkxbmwvz'], slash: ['BracketLeft', false] },
  Russian: { plain: [digits, 'йцукенгшщз', 'фывапролд', 'ячсмить'], slash: ['Backslash', true] },
  Ukrainian: { plain: [digits, 'йцукенгшщз', 'фівапролд', 'ячсмить'], slash: ['Backslash', true] },
  Greek: { plain: [digits, ';ςερτυθιοπ', 'ασδφγηξκλ', 'ζχψωβνμ'], slash: ['Slash', false] },
  Hebrew: { plain: [digits, "/'קראטוןםפ", 'שדגכעיחלך', 'זסבהנמצ'], slash: ['KeyQ', false] },
  Arabic: {
    plain: [digits, 'ضصثقفغعهخح', 'شسيبلاتنم', ['ئ', 'ء', 'ؤ', 'ر', 'لا', 'ى', 'ة'].join('\t')],
    slash: ['Slash', true],
  },
  Thai: { plain: ['ๅ/-ภถุึคตจ', 'ๆไำพะัีรนย', 'ฟหกดเ้่าส', 'ผปแอิืท'], slash: ['Digit2', false] },
  Hindi: { plain: [digits, 'ौैाीूबहगदज', 'ोे्िुपरकत', 'ॆंमनवलस'], slash: ['Slash', false] },
};

const eventOf = (event: Partial<KeyboardEvent>): KeyboardEvent =>
  ({ code: '', shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...event }) as KeyboardEvent;

interface Press {
  readonly key: string;
  readonly code: string;
}

const keysOf = ({ plain }: Layout): readonly Press[] =>
  plain.flatMap((row, r) => {
    const printed = row.includes('\t') ? row.split('\t') : Array.from(row);
    return printed.map((key, k) => ({ key, code: codes[r]?.[k] ?? '' }));
  });

/** The key press for a letter: the key with that letter or, in another script, the key at its position. */
function pressOf(layout: Layout, letter: string, isCapsLock: boolean): Press {
  const keys = keysOf(layout);
  const press =
    keys.find(({ key }) => key === letter) ?? keys.find(({ code }) => code === `Key${letter.toUpperCase()}`);
  if (!press) throw new Error(`no key for ${letter}`);
  return isCapsLock ? { ...press, key: press.key.toUpperCase() } : press;
}

describe.each(Object.entries(layouts))('on a keyboard in %s (U1)', (_name, layout) => {
  test.each([false, true])('recognizes every shortcut key, Caps Lock %s', (isCapsLock) => {
    for (const letter of ['f', 'z', 'a', 'v']) expect(letterOf(pressOf(layout, letter, isCapsLock))).toBe(letter);
    for (const letter of ['v', 'a', 'b', 'p', 'f', 'l'])
      expect(pressNameOf(eventOf(pressOf(layout, letter, isCapsLock)))).toBe(letter);
    for (let view = 1; view <= 8; view += 1) {
      const press = keysOf(layout).find(({ code }) => code === `Digit${view}`);
      expect(press && digitOf(isCapsLock ? { ...press, key: press.key.toUpperCase() } : press)).toBe(view);
    }
    expect(pressNameOf(eventOf({ key: '/', code: layout.slash[0] }))).toBe('/');
    expect(pressNameOf(eventOf({ key: '?', code: layout.slash[0] }))).toBe('?');
    expect(zoomStepOf({ key: '-', code: 'Minus' })).toBe(-1);
    expect(zoomStepOf({ key: '+', code: 'Equal' })).toBe(1);
    expect(zoomStepOf({ key: keysOf(layout)[9]?.key ?? '', code: 'Digit0' })).toBe(0);
  });

  test('maps no two keys to the same letter', () => {
    const meanings = keysOf(layout)
      .map((press) => letterOf(press))
      .filter((letter) => letter !== undefined);
    expect(meanings).toHaveLength(new Set(meanings).size);
  });
});

test('number pad keys zoom', () => {
  expect(zoomStepOf({ key: '+', code: 'NumpadAdd' })).toBe(1);
  expect(zoomStepOf({ key: '-', code: 'NumpadSubtract' })).toBe(-1);
  expect(zoomStepOf({ key: '0', code: 'Numpad0' })).toBe(0);
});

test('keys without a letter map to no letter', () => {
  for (const key of ['Enter', 'Delete', 'F6', 'ArrowLeft', ' ', 'Dead', 'Process', 'é', '\u0301', '1', ''])
    expect(letterOf({ key, code: 'KeyA' })).toBeUndefined();
});

describe('key names', () => {
  const named = async (language: 'en' | 'de', platform: 'linux' | 'mac') => {
    const i18n = new I18n(en);
    await i18n.follow({ languages: [language], formatLocale: language, platform }, 'system');
    return ['ctrl', 'del', 'shift', 'enter', 'F6', '↑'].map((key) => i18n.key(key));
  };

  test('follow the language and the system (U1)', async () => {
    expect(await named('en', 'linux')).toEqual(['Ctrl', 'Del', 'Shift', 'Enter', 'F6', '↑']);
    expect(await named('de', 'linux')).toEqual(['Strg', 'Entf', 'Umschalt', 'Eingabe', 'F6', '↑']);
    expect(await named('de', 'mac')).toEqual(['⌘', '⌦', '⇧', '↩', 'F6', '↑']);
  });
});

test('every shortcut has a unique id and a label, and single characters are recognized as such', () => {
  expect(new Set(shortcuts.map(({ id }) => id)).size).toBe(shortcuts.length);
  expect(shortcuts.every(({ label }) => label(en) !== '')).toBe(true);
  const characters = windowShortcuts.map(({ press }) => press).filter(isCharacter);
  expect(characters.sort()).toEqual(['/', '?', 'a', 'b', 'c', 'f', 'i', 'l', 'o', 'p', 'v']);
});

test('no two shortcuts share a key press, and every view has one in the order of the sidebar', () => {
  const presses = windowShortcuts.map(({ press }) => press);
  expect(presses).toHaveLength(new Set(presses).size);
  expect(views.map(({ id }) => windowShortcuts.find((one) => one.id === `view-${id}`)?.press)).toEqual(
    views.map((_view, k) => `ctrl+${k + 1}`),
  );
});

test.each<readonly [Partial<KeyboardEvent>, string | undefined]>([
  [{ key: 'f', ctrlKey: true }, 'find'],
  [{ key: 'f', metaKey: true }, 'find'],
  [{ key: 'f', ctrlKey: true, altKey: true }, undefined],
  [{ key: 'Z', ctrlKey: true, shiftKey: true }, undefined],
  [{ key: '3', code: 'Digit3', ctrlKey: true }, 'view-voices'],
  [{ key: '9', code: 'Digit9', ctrlKey: true }, undefined],
  [{ key: '0', code: 'Digit0', ctrlKey: true }, 'zoomBack'],
  [{ key: '-', code: 'Minus', ctrlKey: true }, 'zoomOut'],
  // AZERTY and Czech keyboards type a digit with Shift, and others a sign.
  [{ key: '-', code: 'Digit6', ctrlKey: true }, 'view-models'],
  [{ key: '_', code: 'Digit8', ctrlKey: true }, 'view-diagnostics'],
  [{ key: '+', code: 'Digit1', ctrlKey: true }, 'view-convert'],
  [{ key: '6', code: 'Digit6', ctrlKey: true, shiftKey: true }, 'view-models'],
  // Swiss and Hungarian keyboards have + there.
  [{ key: '+', code: 'Digit1', ctrlKey: true, shiftKey: true }, 'zoomIn'],
  [{ key: '+', code: 'Equal', ctrlKey: true }, 'zoomIn'],
  [{ key: 'k', ctrlKey: true }, 'palette'],
  [{ key: 'F6' }, 'panels'],
  [{ key: 'F6', shiftKey: true }, 'panelsBack'],
  [{ key: '?', shiftKey: true }, 'keys'],
  [{ key: ' ' }, 'listen'],
  [{ key: 'ArrowLeft' }, 'back'],
  [{ key: 'ArrowRight', shiftKey: true }, 'forwardFine'],
  [{ key: 'ArrowUp' }, undefined],
  [{ key: 'x' }, undefined],
])('%o is for %s', (event, id) => {
  expect(new KeyBindings().find(pressNameOf(eventOf(event)) ?? '')?.id).toBe(id);
});

test.each([
  ['ctrl+shift+k', ['ctrl', 'shift', 'K']],
  ['ctrl++', ['ctrl', '+']],
  ['ctrl+-', ['ctrl', '−']],
  ['shift+left', ['shift', '←']],
  ['F6', ['F6']],
  ['space', ['space']],
  ['+', ['+']],
  ['я', ['Я']],
])('the press %s is shown as %j', (press, keys) => {
  expect(shownKeysOf(press)).toEqual(keys);
});

const shortcutOf = (id: string) => windowShortcuts.find((one) => one.id === id) ?? expect.unreachable(id);

test.each(
  'acvxqwrzyhm'
    .split('')
    .map((letter) => `ctrl+${letter}`)
    .concat('ctrl+shift+z'),
)('%s keeps its meaning in every program', (press) => {
  expect(isAssignable(press, shortcutOf('find'))).toBe(false);
  expect(isAssignable(press, shortcutOf('undo'))).toBe(press === 'ctrl+z');
});

describe('changed keys', () => {
  function change(bindings: KeyBindings, id: string, press: string | null) {
    bindings.changes = bindings.changed(shortcutOf(id), press);
  }

  test('replace those of the table, which then do nothing', () => {
    const bindings = new KeyBindings();
    change(bindings, 'find', 'ctrl+g');
    expect([bindings.find('ctrl+g')?.id, bindings.find('ctrl+f')]).toEqual(['find', undefined]);
    expect(bindings.keysOf('find')).toEqual(['ctrl', 'G']);
  });

  test('can be switched off, and set back without a trace', () => {
    const bindings = new KeyBindings();
    change(bindings, 'voice', null);
    expect([bindings.find('v'), bindings.keysOf('voice')]).toEqual([undefined, []]);
    change(bindings, 'voice', 'v');
    expect([bindings.find('v')?.id, bindings.changes]).toEqual(['voice', {}]);
  });

  test('are taken from the shortcut that had them', () => {
    const bindings = new KeyBindings();
    change(bindings, 'palette', 'ctrl+f');
    expect(bindings.find('ctrl+f')?.id).toBe('palette');
    expect([bindings.keysOf('find'), bindings.keysOf('palette')]).toEqual([[], ['ctrl', 'F']]);
  });

  test('that an edited file gives to two shortcuts work for one of them, which alone shows them', () => {
    const bindings = new KeyBindings();
    bindings.changes = { find: 'ctrl+g', palette: 'ctrl+g', nosuch: 'x' };
    const id = bindings.find('ctrl+g')?.id;
    expect(['find', 'palette'].filter((one) => bindings.keysOf(one as 'find').length > 0)).toEqual([id]);
  });

  test('of a single character obey the switch for those, also where the table has others', () => {
    const bindings = new KeyBindings();
    change(bindings, 'find', 'g');
    bindings.hasLetterKeys = false;
    expect([bindings.find('g'), bindings.find('v'), bindings.find('ctrl+k')?.id]).toEqual([
      undefined,
      undefined,
      'palette',
    ]);
  });
});
