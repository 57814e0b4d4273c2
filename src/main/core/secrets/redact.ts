import type { Problem } from '../../../shared/errors.ts';
import type { Connection } from '../voice-service/connection.ts';

/** Stands where a secret stood: the same in every language. */
export const redacted = '•••';

/** Takes a connection's tokens out of what a service said. */
export interface Redactor {
  strike(text: string): string;
  /** As `strike`, and cut to what a person reads: never before, because a token that was cut is not found. */
  strikeWords(words: string): string;
  problemWithout(problem: Problem): Problem;
  /** An address that can be kept: `restore` puts back what stood where a token did. */
  hide(address: string): string;
  restore(address: string): string;
  /** The longest form of the token: what is cut may end in a part of it. */
  readonly longest: number;
}

/** As much of a service's words is held until tokens are struck out of it: more than twice the longest form of the longest token. */
export const heldWords = 2 ** 20;
/** Words are shown on a row and cross to the page: a paragraph of them is enough. */
const shownWords = 1000;
/** Shorter pieces of base64 and hexadecimal stand in texts by chance. */
const leastEncoded = 6;
const htmlNames: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** One way to spell a token. */
interface Form {
  readonly text: string;
  /** Characters of base64 on either side that hold a part of the token beside their neighbours'. */
  readonly shares: { readonly before: boolean; readonly after: boolean } | null;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly form: number;
}

/** What base64 makes of a text wherever it stands among others: the characters that are the text's alone. */
function base64Forms(text: string): readonly Form[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const whole = bytes
      .toString('base64')
      .replace(/=+$/, '')
      .slice(offset === 0 ? 0 : offset + 1);
    const shares = { before: offset > 0, after: bytes.length % 3 !== 0 };
    const own = shares.after ? whole.slice(0, -1) : whole;
    if (own.length < leastEncoded) return [];
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')].map((form) => ({ text: form, shares }));
  });
}

/** The ways in which a service may say a token back: as it is, in an address, in JSON, in HTML, in base64, in hexadecimal. */
function formsOf(token: string): readonly Form[] {
  const inJson = JSON.stringify(token).slice(1, -1);
  const inAddress = encodeURIComponent(token);
  const hex = Buffer.from(token).toString('hex');
  const texts = new Set([
    token,
    inAddress,
    inAddress.replaceAll('%20', '+'),
    encodeURI(token),
    inJson,
    inJson.replaceAll('/', '\\/'),
    // JSON that a service quotes in its own.
    JSON.stringify(inJson).slice(1, -1),
    token.replace(/[&<>"']/g, (character) => htmlNames[character] ?? character),
    token.replace(/[&<>]/g, (character) => htmlNames[character] ?? character),
    ...(hex.length < leastEncoded ? [] : [hex]),
  ]);
  return [...[...texts].map((text) => ({ text, shares: null })), ...base64Forms(token)];
}

/** In small letters, each character where it was. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The forms' places in a text, none of which overlaps another, from the first on. */
function find(text: string, forms: readonly Form[]): readonly Span[] {
  const within = folded(text);
  const spans: Span[] = [];
  for (const [form, { text: wanted }] of forms.entries()) {
    const needle = folded(wanted);
    for (let start = within.indexOf(needle); start >= 0; start = within.indexOf(needle, start + needle.length)) {
      spans.push({ start, end: start + needle.length, form });
    }
  }
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  return spans;
}

const isBase64 = /^[\w+/-]$/;

/** The span with the characters beside it that hold a part of the token. */
function widened(text: string, { start, end, form }: Span, forms: readonly Form[]): Pick<Span, 'start' | 'end'> {
  const shares = forms[form]?.shares;
  const from = shares?.before && isBase64.test(text.charAt(start - 1)) ? start - 1 : start;
  if (!shares?.after || !isBase64.test(text.charAt(end))) return { start: from, end };
  const padding = /^={0,2}/.exec(text.slice(end + 1, end + 3))?.[0].length ?? 0;
  return { start: from, end: end + 1 + padding };
}

export function createRedactor(...tokens: readonly (string | null)[]): Redactor {
  const forms = tokens.flatMap((token) => (token ? formsOf(token.toWellFormed()) : []));
  // With the characters that base64 shares with its neighbours.
  const longest = forms.reduce((most, { text }) => Math.max(most, text.length + 4), 0);

  function strike(text: string): string {
    if (forms.length === 0) return text;
    let left = '';
    let at = 0;
    for (const span of find(text, forms)) {
      const { start, end } = widened(text, span, forms);
      if (end <= at) continue;
      if (start >= at) left += text.slice(at, start) + redacted;
      at = end;
    }
    return left + text.slice(at);
  }

  function strikeWords(words: string): string {
    const said = strike(words);
    // What was cut already may end in a part of a token.
    const sure = words.length < heldWords ? said : said.slice(0, Math.max(0, said.length - longest));
    return Array.from(sure.slice(0, 2 * shownWords))
      .slice(0, shownWords)
      .join('');
  }

  return {
    strike,
    strikeWords,
    hide(address) {
      let left = '';
      let at = 0;
      for (const { start, end, form } of find(address, forms)) {
        if (start < at) continue;
        left += `${address.slice(at, start)}{token:${form}}`;
        at = end;
      }
      return left + address.slice(at);
    },
    restore: (address) => address.replace(/\{token:(\d+)\}/g, (mark, form) => forms[Number(form)]?.text ?? mark),
    longest,
    problemWithout({ code, facts, words }) {
      const told = Object.entries(facts ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? strike(value) : value,
      ]);
      return {
        code,
        ...(facts && { facts: Object.fromEntries(told) as NonNullable<Problem['facts']> }),
        ...(words !== undefined && { words: strikeWords(words) }),
      };
    },
  };
}

/** The token that a connection has now; null where it has none, or cannot be asked and so has sent none. */
export const tokenOf = async ({ access }: Connection, signal: AbortSignal): Promise<string | null> =>
  (await access(signal).catch(() => null))?.token ?? null;
