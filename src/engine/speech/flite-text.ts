/** Letters that Unicode does not decompose, as an English text without accents writes them. */
const plainLetters: Readonly<Record<string, string>> = {
  Æ: 'Ae',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Œ: 'Oe',
  œ: 'oe',
  ß: 'ss',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
};

const months = 'January February March April May June July August September October November December'.split(' ');
const currencies: Readonly<Record<string, string>> = { '£': 'pounds', '€': 'euros', '¥': 'yen' };

/**
 * Signs that Flite passes over, or that it knows under another character. In order. Each takes a time that grows with the text only
 * linearly, whatever it is.
 */
const replacements: readonly (readonly [RegExp, string | ((...parts: string[]) => string)])[] = [
  [/[^\S\n\t]/g, ' '],
  [/[‘’‛`´]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/…/g, '...'],
  // A dash between numbers is a range; other dashes are pauses.
  [/(?<=\d)[‒–](?=\d)/g, ' to '],
  [/ ?(?:[‒–—―]|--+) ?/g, ', '],
  [/[‐‑−]/g, '-'],
  [
    /\b(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/g,
    (_, year, month, day) => {
      return `${months[Number(month) - 1] ?? ''} ${Number(day)}, ${year}`;
    },
  ],
  [/([£€¥])\s?(\d+(?:[.,]\d+)*)/g, (_, sign = '', amount = '') => `${amount} ${currencies[sign] ?? ''}`],
  [/(?<![\d.,])(\d[\d.,]*) ?([£€¥])/g, (_, amount = '', sign = '') => `${amount} ${currencies[sign] ?? ''}`],
  [/°\s?C\b/g, ' degrees Celsius '],
  [/°\s?F\b/g, ' degrees Fahrenheit '],
  [/°/g, ' degrees '],
  [/½/g, ' 1/2'],
  [/¼/g, ' 1/4'],
  [/¾/g, ' 3/4'],
  [/(?<=\p{L}{2})\.(?=\p{Ll}{2})/gu, ' dot '],
  [/(?<=\d\.\d+)\.(?=\d)|(?<=\d)\.(?=\d+\.\d)/g, ' point '],
  [/(?<=\d)\/(?=\d+\/)|(?<=\/\d+)\/(?=\d)|(?<=[\p{L}\s])\/|\/(?=[\p{L}\s])/gu, ' slash '],
  [/&/g, ' and '],
  [/@/g, ' at '],
  [/\+/g, ' plus '],
  [/=/g, ' equals '],
  [/#(?=\d)/g, ' number '],
  [/×/g, ' times '],
  [/÷/g, ' divided by '],
  [/</g, ' less than '],
  [/>/g, ' greater than '],
  [/ ?%/g, ' percent '],
  [/\\/g, ' backslash '],
  // Marks of a layout, which nobody reads aloud.
  [/[[\]{}|*_~^#•·]|(?![\n\t])\p{Cc}/gu, ' '],
  [/ {2,}/g, ' '],
  [/ (?=[.,;:!?](?:\s|$))/g, ''],
];

/** What Flite pronounces, once the above is replaced. */
const spoken = /^[A-Za-z0-9\s.,;:!?'"()$/-]*$/;

/**
 * Rewrites a text so that Flite speaks all of it, in American English. Returns null if it has signs
 * that Flite would leave out (other scripts, pictures), or nothing to speak: texts for eSpeak NG.
 */
export function fliteText(text: string): string | null {
  let plain = text
    .toWellFormed()
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[ÆæØøŒœßŁłĐđ]/g, (letter) => plainLetters[letter] ?? '');
  for (const [pattern, replacement] of replacements) plain = plain.replace(pattern, replacement as string);
  return spoken.test(plain) && /[A-Za-z0-9]/.test(plain) ? plain : null;
}
