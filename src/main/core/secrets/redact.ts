import type { Problem } from '../../../shared/errors.ts';

/** Replacement for a secret, the same in every language. */
export const redacted = '•••';

/** Removes a connection's tokens from text of its service. */
export interface Redactor {
  redact(text: string): string;
  /** A problem without the tokens, and with its words cut to a readable length. */
  problemWithout(problem: Problem): Problem;
  /** A redacted URL that can be stored; `restore` inserts the token again. */
  hide(address: string): string;
  restore(address: string): string;
  /** Length of the longest form of the token: cut text may end in part of it. */
  readonly longest: number;
}

/**
 * Amount of service text kept until it is redacted: more than twice the longest form of the longest
 * token.
 */
export const heldWords = 2 ** 20;
/** Service messages are shown in a row and sent to the page: a paragraph is enough. */
const shownWords = 1000;
/** Shorter pieces of base64 and hexadecimal occur in text by chance. */
const leastEncoded = 6;
const htmlNames: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** One encoding of a token. */
interface Form {
  readonly text: string;
  /** Whether the adjacent base64 characters encode part of the token together with its neighbours. */
  readonly shares: { readonly before: boolean; readonly after: boolean } | null;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly form: number;
}

/** The base64 forms of a text at each alignment, only the characters that depend on nothing else. */
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

/** All encodings in which a service may echo a token: plain, URL, JSON, HTML, base64, hexadecimal. */
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
    // JSON quoted inside JSON.
    JSON.stringify(inJson).slice(1, -1),
    token.replace(/[&<>"']/g, (character) => htmlNames[character] ?? character),
    token.replace(/[&<>]/g, (character) => htmlNames[character] ?? character),
    ...(hex.length < leastEncoded ? [] : [hex]),
  ]);
  return [...[...texts].map((text) => ({ text, shares: null })), ...base64Forms(token)];
}

/** Lower case with unchanged character positions. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Non-overlapping occurrences of the forms in a text, in order. */
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

/** The span extended by the adjacent characters that encode part of the token. */
function widened(text: string, { start, end, form }: Span, forms: readonly Form[]): Pick<Span, 'start' | 'end'> {
  const shares = forms[form]?.shares;
  const from = shares?.before && isBase64.test(text.charAt(start - 1)) ? start - 1 : start;
  if (!shares?.after || !isBase64.test(text.charAt(end))) return { start: from, end };
  const padding = /^={0,2}/.exec(text.slice(end + 1, end + 3))?.[0].length ?? 0;
  return { start: from, end: end + 1 + padding };
}

export function createRedactor(...tokens: readonly (string | null)[]): Redactor {
  const forms = tokens.flatMap((token) => (token ? formsOf(token.toWellFormed()) : []));
  // Includes the characters that base64 shares with its neighbours.
  const longest = forms.reduce((most, { text }) => Math.max(most, text.length + 4), 0);

  function redact(text: string): string {
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

  /** Like `redact`, then cut to a readable length. Never cut before: a truncated token would not be found. */
  function redactMessage(words: string): string {
    const redacted = redact(words);
    // Text that was already cut may end in part of a token.
    const sure = words.length < heldWords ? redacted : redacted.slice(0, Math.max(0, redacted.length - longest));
    return Array.from(sure.slice(0, 2 * shownWords))
      .slice(0, shownWords)
      .join('');
  }

  return {
    redact,
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
      const redactedFacts = Object.entries(facts ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? redact(value) : value,
      ]);
      return {
        code,
        ...(facts && { facts: Object.fromEntries(redactedFacts) as NonNullable<Problem['facts']> }),
        ...(words !== undefined && { words: redactMessage(words) }),
      };
    },
  };
}
