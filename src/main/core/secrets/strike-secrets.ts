import type { Problem } from '../../../shared/problem.ts';
import type { Connection } from '../voice-service/connection.ts';

/** Stands where a secret stood: the same in every language. */
export const struck = '•••';

/** Takes a connection's tokens out of what a service said. */
export interface Secrets {
  strike(text: string): string;
  problemWithout(problem: Problem): Problem;
  /** The longest form of the token: what is cut may end in a part of it. */
  readonly longest: number;
}

/** Shorter pieces stand in texts by chance. */
const leastBase64 = 6;
const htmlNames: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * What base64 makes of a text wherever it stands among others, as patterns: the characters that are the text's alone, and the one on
 * either side that it shares with its neighbours.
 */
function base64Patterns(text: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const whole = bytes
      .toString('base64')
      .replace(/=+$/, '')
      .slice(offset === 0 ? 0 : offset + 1);
    const own = bytes.length % 3 === 0 ? whole : whole.slice(0, -1);
    if (own.length < leastBase64) return [];
    const before = offset === 0 ? '' : '[\\w+/-]?';
    const after = bytes.length % 3 === 0 ? '' : '(?:[\\w+/-]={0,2})?';
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')].map((form) => before + literally(form) + after);
  });
}

/** The ways in which a service may say a token back, as patterns: as it is, in an address, in JSON, in HTML, in base64, in hexadecimal. */
function patternsOf(token: string): readonly string[] {
  const inJson = JSON.stringify(token).slice(1, -1);
  const forms = [
    token,
    encodeURIComponent(token),
    encodeURI(token),
    inJson,
    inJson.replaceAll('/', '\\/'),
    // JSON that a service quotes in its own.
    JSON.stringify(inJson).slice(1, -1),
    token.replace(/[&<>"']/g, (character) => htmlNames[character] ?? character),
    Buffer.from(token).toString('hex'),
  ];
  return [...new Set([...forms.map(literally), ...base64Patterns(token)])];
}

export function createSecrets(...tokens: readonly (string | null)[]): Secrets {
  const patterns = tokens
    .flatMap((token) => (token ? patternsOf(token.toWellFormed()) : []))
    .sort((a, b) => b.length - a.length);
  const pattern = patterns.length > 0 ? new RegExp(patterns.join('|'), 'gi') : null;
  const strike = (text: string): string => (pattern ? text.replace(pattern, struck) : text);
  return {
    strike,
    // A pattern is no shorter than what it finds.
    longest: patterns[0]?.length ?? 0,
    problemWithout({ code, facts, words }) {
      const told = Object.entries(facts ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? strike(value) : value,
      ]);
      return {
        code,
        ...(facts && { facts: Object.fromEntries(told) as NonNullable<Problem['facts']> }),
        ...(words !== undefined && { words: strike(words) }),
      };
    },
  };
}

/** The token that a connection has now; null where it has none, or cannot be asked and so has sent none. */
export const tokenOf = async ({ access }: Connection, signal: AbortSignal): Promise<string | null> =>
  (await access(signal).catch(() => null))?.token ?? null;
