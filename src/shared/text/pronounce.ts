import { unspaced } from './fold-text.ts';

/** How a word is spoken: what is sent in its place. */
export interface Pronunciation {
  /** A tag such as `en` or `en-GB`; empty for every language. */
  readonly language: string;
  readonly word: string;
  readonly spoken: string;
}

/** A word with a capital after its first letter, such as `US`, is not found in lower case. */
const isCaseSensitive = (word: string): boolean => {
  const [first = ''] = word;
  const rest = word.slice(first.length);
  return rest !== rest.toLowerCase();
};

/** In lower case, as long as before: a few letters, such as `İ`, would become two. */
const lowerCase = (text: string): string =>
  text.replace(/./gsu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

/** As words are compared: both apostrophes are the same, and both small sigmas. */
const comparable = (word: string, isExact: boolean): string =>
  (isExact ? word : lowerCase(word).replaceAll('ς', 'σ')).replaceAll('\u2019', "'");

/** Entries with the same key are one. */
export const pronunciationKey = ({ language, word }: Pick<Pronunciation, 'language' | 'word'>): string =>
  `${language.toLowerCase()}\n${comparable(word.normalize('NFC'), isCaseSensitive(word))}`;

/** The list with an entry, in place of the one with the same word. */
export const withPronunciation = (list: readonly Pronunciation[], entry: Pronunciation): readonly Pronunciation[] => {
  const key = pronunciationKey(entry);
  const index = list.findIndex((one) => pronunciationKey(one) === key);
  return index < 0 ? [...list, entry] : list.with(index, entry);
};

/** True if an entry for a language applies to a text in another, more exact one: `en` to `en-GB`. */
export function appliesTo(entry: string, language: string): boolean {
  const [wanted, given] = [entry, language].map((tag) => tag.toLowerCase().replaceAll('_', '-'));
  return wanted === '' || given === wanted || given?.startsWith(`${wanted}-`) === true;
}

const spaced = `[[\\p{L}\\p{M}\\p{N}]--[${unspaced}]]`;
/** Letters of a script that puts spaces between words, as far as they go. */
const run = new RegExp(`${spaced}+`, 'vy');

/** What decides whether a word can begin at a place: all its letters up to the first sign, or one character of another script. */
function leadAt(text: string, index: number): string {
  run.lastIndex = index;
  return run.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(index) ?? 0);
}

const endsInLetter = new RegExp(`${spaced}$`, 'v');

/** A blank, a dash before it, or a letter of a script that does not separate words. */
const boundary = new RegExp(`\\s|^\\p{Pd}|[${unspaced}]`, 'v');

/** True if a text can be divided at a place without cutting a word, as far as its script shows words. */
export function isBetweenWords(text: string, at: number): boolean {
  const around = text.slice(at - 1, at + 1);
  return around.isWellFormed() && boundary.test(around) && !/^\p{M}/u.test(text.slice(at, at + 2));
}

interface Pattern {
  readonly entry: Pronunciation;
  /** As it is compared. */
  readonly word: string;
  readonly isExact: boolean;
}

/** Replaces words in texts of one language. */
export interface Pronouncer {
  /** Calls `onUsed` for each entry that applies. What was put in is not replaced again. */
  pronounce(text: string, onUsed?: (entry: Pronunciation) => void): string;
}

export function createPronouncer(entries: readonly Pronunciation[], language: string): Pronouncer {
  /** By what they begin with, in lower case; the longest first. */
  const byLead = new Map<string, Pattern[]>();
  // The entry for the more exact language wins.
  const sorted = entries
    .filter((entry) => entry.word !== '' && appliesTo(entry.language, language))
    .toSorted((a, b) => b.language.length - a.language.length);
  for (const entry of sorted) {
    const isExact = isCaseSensitive(entry.word);
    for (const form of new Set([entry.word.normalize('NFC'), entry.word.normalize('NFD')])) {
      const word = comparable(form, isExact);
      const lead = lowerCase(leadAt(word, 0));
      const patterns = byLead.get(lead) ?? [];
      byLead.set(lead, patterns);
      if (!patterns.some((one) => one.word === word && one.isExact === isExact))
        patterns.push({ entry, word, isExact });
    }
  }
  for (const patterns of byLead.values())
    patterns.sort((a, b) => b.word.length - a.word.length || Number(b.isExact) - Number(a.isExact));

  /** True if a word that ends here is whole. */
  function endsAt(text: string, end: number, word: string): boolean {
    run.lastIndex = end;
    return !endsInLetter.test(word.slice(-2)) || !run.test(text);
  }

  return {
    pronounce(text, onUsed) {
      if (byLead.size === 0) return text;
      const parts: string[] = [];
      let from = 0;
      // Nothing but whole runs of letters is skipped, so a word cannot begin within one.
      for (let index = 0; index < text.length;) {
        const lead = leadAt(text, index);
        const found = byLead.get(comparable(lead, false))?.find(({ word, isExact }) => {
          const written = text.slice(index, index + word.length);
          return comparable(written, isExact) === word && endsAt(text, index + word.length, word);
        });
        if (found) {
          parts.push(text.slice(from, index), found.entry.spoken);
          onUsed?.(found.entry);
          from = index + found.word.length;
        }
        index += found ? found.word.length : lead.length;
      }
      return from === 0 ? text : parts.join('') + text.slice(from);
    },
  };
}
