/** What people write with, other than ASCII, and the encodings in which programs before Unicode saved it. */
interface Writing {
  readonly encodings: readonly string[];
  /** True for a small letter of it. */
  readonly hasLetter: (letter: string) => boolean;
  /** True if small letters occur as often as people write them. */
  readonly isUsual?: (letters: readonly string[]) => boolean;
}

const lettersIn = (letters: string): Writing['hasLetter'] => {
  const all = new Set(letters);
  return (letter) => all.has(letter);
};

const matching =
  (pattern: RegExp): Writing['hasLetter'] =>
  (letter) =>
    pattern.test(letter);

/** True if more than a share of the letters are such. */
const areOften =
  (isMeant: Writing['hasLetter'], share: number): Required<Writing>['isUsual'] =>
  (letters) =>
    letters.filter(isMeant).length > share * letters.length;

const isHan = matching(/\p{sc=Han}/u);

/** Small letters of languages, by their encodings. */
const alphabets: readonly { readonly encodings: readonly string[]; readonly letters: readonly string[] }[] = [
  {
    encodings: ['windows-1252', 'iso-8859-15'],
    letters: [
      ...['äöüß', 'àâæçéèêëîïôœùûüÿ', 'áéíóúüñ', 'áàâãçéêíóôõú', 'àèéìíòóùú', 'àçèéíïòóúü'],
      ...['åäöé', 'æøåéô', 'áéëèïóöü', 'áðéíóúýþæö'],
    ],
  },
  {
    encodings: ['windows-1250', 'iso-8859-2'],
    letters: ['áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'ąćęłńóśźż', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ'],
  },
  { encodings: ['windows-1254'], letters: ['çğıöşüâîû'] },
  {
    encodings: ['windows-1251', 'koi8-u', 'iso-8859-5', 'ibm866'],
    letters: [
      ...['абвгдежзийклмнопрстуфхцчшщъыьэюяё', 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'],
      ...['абвгдежзіийклмнопрстуўфхцчшыьэюяё', 'абвгдђежзијклљмнњопрстћуфхцчџш', 'абвгдѓежзѕијклљмнњопрстќуфхцчџш'],
    ],
  },
  { encodings: ['windows-1253', 'iso-8859-7'], letters: ['αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ'] },
];

const writings: readonly Writing[] = [
  ...alphabets.flatMap(({ encodings, letters }) => letters.map((each) => ({ encodings, hasLetter: lettersIn(each) }))),
  { encodings: ['windows-1256', 'iso-8859-6'], hasLetter: matching(/[\u0621-\u063a\u0640-\u0652پچژگکی]/u) },
  {
    encodings: ['shift_jis', 'euc-jp'],
    hasLetter: matching(/[[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}ー々]--[\uff66-\uff9f]]/v),
    isUsual: areOften(matching(/\p{sc=Hira}/u), 0.15),
  },
  { encodings: ['euc-kr'], hasLetter: matching(/\p{sc=Hang}/u) },
  {
    encodings: ['gb18030'],
    hasLetter: isHan,
    isUsual: areOften(lettersIn('的一是不了在有我他这你们来到说为子和上大人个'), 0.05),
  },
  {
    encodings: ['big5'],
    hasLetter: isHan,
    isUsual: areOften(lettersIn('的一是不了在有我他這你們來到說為子和上大人個'), 0.05),
  },
];
const encodings: ReadonlySet<string> = new Set(writings.flatMap((writing) => writing.encodings));

/** Outside of ASCII. */
const strangeLetter = /[[\p{L}\p{M}]--\p{ASCII}]/gv;
const ideographic = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー々`;
const alphabetic = `[\\p{L}--[${ideographic}]]`;
const sign = String.raw`[[\p{S}\p{No}\p{Lm}§¶·]--\p{ASCII}--[${ideographic}]]`;
/** What no word has. */
const misplaced = new RegExp(
  [
    // A capital within it.
    String.raw`(?<=\p{Ll})[\p{Lu}--\p{ASCII}]`,
    String.raw`(?<=[\p{Lu}--\p{ASCII}]\p{Ll}|[\p{Ll}--\p{ASCII}])\p{Lu}`,
    String.raw`ς(?=\p{L})`,
    // Signs, but not "© Anna".
    `(?<=${alphabetic})[${sign}¿¡]`,
    `[${sign}--[©®™]](?=${alphabetic})`,
    String.raw`(?<!\p{L})[’‘]\p{Ll}`,
    // Letters of two scripts.
    `(?<=[a-z])[${alphabetic}--\\p{sc=Latn}]`,
    `(?<=[${alphabetic}--\\p{sc=Latn}])[a-z]`,
  ].join('|'),
  'gv',
);
/** No text has these. */
const impossible = /[\u0080-\u009f\ufffd\p{Co}\p{Cn}]/u;

/** False if most letters are capitals, which are the small letters of another encoding, or if none is one. */
function hasSentences(text: string): boolean {
  const small = text.match(/[\p{Ll}--\p{ASCII}]/gv)?.length ?? 0;
  const large = text.match(/[\p{Lu}--\p{ASCII}]/gv)?.length ?? 0;
  return small + large === 0 || (small > large && /(?<!\p{L})\p{Lu}\p{Ll}/u.test(text));
}

/** Fewer letters may be those of several languages by chance. */
const minLetters = 20;
/** Of the letters: names of other languages, and slips. */
const maxStrangeShare = 0.02;
const minDifference = 3;
/** Tells as much as all of a book, in less time. */
const sampleBytes = 100_000;
/** Before the first letter outside of ASCII. */
const wordBytes = 40;

/** Decodes bytes, at the end of a sample perhaps without the last one; null if they are not of the encoding. */
export function decode(encoding: string, bytes: Uint8Array, isSample = false): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isSample });
  } catch {
    return null;
  }
}

/** Western, Central European, Turkish and Baltic Windows. */
const latinCodePages = ['windows-1252', 'windows-1250', 'windows-1254', 'windows-1257'];

/**
 * What all code pages with Latin letters read alike, if each letter outside ASCII belongs to a word with ASCII letters, unlike in
 * Cyrillic, Greek or East Asian text: a few letters are enough.
 */
function decodeAlike(bytes: Uint8Array): string | null {
  const [text = null, ...others] = latinCodePages.map((codePage) => decode(codePage, bytes));
  if (text === null || others.some((other) => other !== text) || impossible.test(text)) return null;
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.some((word) => /\P{ASCII}{3}|^\P{ASCII}+$/u.test(word)) ? null : text;
}

/** What a text says in an encoding, if it is of a language. */
interface Reading {
  readonly encoding: string;
  readonly text: string;
  readonly letters: number;
  /** Letters that the language has not, and places where it has no letter or sign. */
  readonly strange: number;
}

function readingsOf(sample: Uint8Array): readonly Reading[] {
  const readings: Reading[] = [];
  for (const encoding of encodings) {
    const text = decode(encoding, sample, true);
    if (text === null || impossible.test(text) || !hasSentences(text)) continue;
    // "İ" would become two characters.
    const letters = (text.match(strangeLetter) ?? []).map((each) => (each === 'İ' ? 'ı' : each.toLowerCase()));
    const wrong = text.match(misplaced)?.length ?? 0;
    for (const writing of writings) {
      if (!writing.encodings.includes(encoding) || writing.isUsual?.(letters) === false) continue;
      const strange = wrong + letters.filter((each) => !writing.hasLetter(each)).length;
      readings.push({ encoding, text, letters: letters.length, strange });
    }
  }
  return readings;
}

/** What reads as a language in one encoding, and as none in any other. */
function decodeSurely(bytes: Uint8Array): string | null {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const sample = bytes.subarray(Math.max(0, first - wordBytes), first + sampleBytes);
  const [best, ...others] = readingsOf(sample).toSorted((a, b) => a.strange - b.strange);
  if (!best || best.letters < minLetters || best.strange > maxStrangeShare * best.letters) return null;
  const isSure = others.every(
    ({ text, strange, letters }) =>
      text === best.text || strange - best.strange >= Math.max(minDifference, letters * maxStrangeShare),
  );
  const text = isSure ? decode(best.encoding, bytes) : null;
  return text === null || impossible.test(text) ? null : text;
}

/**
 * Decodes a text of programs before Unicode if there is no doubt what it says; otherwise null, as a wrong guess would be spoken, and
 * paid for. Detectors that count letters, such as chardet, are as confident of Slovenian as a Western language as of what they know.
 */
export const decodeOldEncoding = (bytes: Uint8Array): string | null => decodeAlike(bytes) ?? decodeSurely(bytes);
