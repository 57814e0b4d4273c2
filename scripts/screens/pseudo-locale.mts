import { parse, type Token } from '@messageformat/parser';
import type { Catalogue } from '../compile-messages.mts';

const accents: Readonly<Record<string, string>> = {
  ...{ a: 'á', b: 'ƀ', c: 'ç', d: 'ð', e: 'é', g: 'ĝ', h: 'ĥ', i: 'î', j: 'ĵ', k: 'ķ', l: 'ļ', n: 'ñ', o: 'ó' },
  ...{ p: 'þ', r: 'ŕ', s: 'š', t: 'ţ', u: 'ú', w: 'ŵ', y: 'ý', z: 'ž', A: 'Å', B: 'Ɓ', C: 'Ç', D: 'Ð', E: 'É' },
  ...{ G: 'Ĝ', H: 'Ĥ', I: 'Î', J: 'Ĵ', K: 'Ķ', L: 'Ļ', N: 'Ñ', O: 'Ö', P: 'Þ', R: 'Ŕ', S: 'Š', T: 'Ţ', U: 'Û' },
  ...{ W: 'Ŵ', Y: 'Ý', Z: 'Ž' },
};

/** How much longer than English a text of few words may be. */
const growth = 0.4;

const accented = (text: string): string => text.replace(/[a-z]/gi, (letter) => accents[letter] ?? letter);

function sourceOf(token: Token, isPlural: boolean): string {
  switch (token.type) {
    case 'content':
      return accented(token.value).replace(isPlural ? /[{}#]/g : /[{}]/g, "'$&'");
    case 'argument':
      return `{${token.arg}}`;
    case 'octothorpe':
      return '#';
    case 'function':
      return `{${token.arg}, ${token.key}}`;
    default: {
      const cases = token.cases.map(
        ({ key, tokens }) => `${key} {${tokens.map((inner) => sourceOf(inner, token.type !== 'select')).join('')}}`,
      );
      return `{${token.arg}, ${token.type}, ${cases.join(' ')}}`;
    }
  }
}

/** English with accents, in brackets and two fifths longer: what is not in a catalogue, cut or glued together can be seen. */
export const pseudoLocale = (english: Catalogue): Catalogue =>
  Object.fromEntries(
    Object.entries(english).map(([key, message]) => {
      const tokens = parse(message);
      const length = tokens.reduce((sum, token) => sum + (token.type === 'content' ? token.value.length : 8), 0);
      const filling = '~'.repeat(Math.ceil(length * growth)).replaceAll(/~{12}(?=~)/g, '$& ');
      return [key, `[${tokens.map((token) => sourceOf(token, false)).join('')}${filling}]`];
    }),
  );
