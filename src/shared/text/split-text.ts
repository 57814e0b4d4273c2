import { textLength } from './text-parts.ts';

/** A part of a text that is spoken by one call: a sentence, a part of a long one, or a short text as a whole. */
export interface Passage {
  /** Where it is in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** What is spoken: without line breaks and marks. */
  readonly text: string;
  /** What ends here. Nothing does within a sentence that is too long for one call. */
  readonly ends: 'nothing' | 'sentence' | 'paragraph';
}

/**
 * Marks of the user's, which are not spoken: a sentence does not end at a word joiner, and a passage ends at an invisible
 * separator. Being characters, they survive undo, copying and files. https://www.unicode.org/charts/PDF/U2000.pdf
 */
export const joinMark = '\u2060';
export const splitMark = '\u2063';

export const withoutMarks = (text: string): string => text.replaceAll(joinMark, '').replaceAll(splitMark, '');

/** A text of one paragraph with up to so many characters is spoken as a whole: its change costs one call either way. */
const shortLength = 300;
/** A sentence that is longer has no full stops, as a list; no listener waits for all of it. */
const longestPassage = 2000;
/** A line of this length is wrapped by a program; a shorter one is a verse, an item or a heading. */
const wrappedLength = 45;

/**
 * Abbreviations that a capital letter often follows, without their last full stop and in lower case. After others, such as
 * "etc.", a capital letter starts a sentence. From CLDR's sentence break suppressions, which Intl.Segmenter does not have.
 */
const abbreviations: Readonly<Record<string, string>> = {
  en: 'adm approx capt cf cmdr co col corp dept dr e.g ed eds fig gen gov hon i.e inc jan feb mar apr jun jul aug sep sept oct nov dec jr lt ltd maj messrs mr mrs ms mt no nos op p.m a.m pp prof rep rev sen sgt sr st vol vs',
  de: 'abb abs allg art bd bsp bspw bzw ca d.h dipl dr evtl fr ggf hl hr hrsg ing inkl jh kap max med min mio mrd nr phil pos prof s.o s.u sog st std str tel u.a usf v.a vgl vol z.b z.t zzgl jan feb apr aug sept okt nov dez',
  fr: 'av c.-à-d cf chap dr éd env ex fig fév janv juil m me mgr mlle mm mme mmes n° p p.ex pp pr sept st ste tél vol',
  es: 'av avda c cap cía d dña dr dra ed ej fig gral ing lic núm p p.ej pág págs prof profa sr sra sres srta st sta tel ud uds vol',
  pt: 'av cap cia d dr dra ed eng ex exmo exma fig gen núm p p.ex pág págs prof profa sr sra srta sto sta tel vol',
  it: 'art avv cap cfr dott dott.ssa ecc ed es fig geom ing mons n p pag pagg prof prof.ssa rag sig sig.ra sig.na spett st tel vol',
  nl: 'bijv blz ca dhr dr drs fig ing ir jhr mevr mr nl nr o.a prof resp st tel vgl',
  pl: 'al dr gen hab inż im in itp mgr min m.in np nr o oo ok os p por prof r red rys s str św tel tj tzn ul ur wg zob',
  ru: 'акад в вв г гг гл гр д др ин им кв кн л м напр обл оз п пл пос пр проф р рис с см ср ст стр т т.е т.к т.н ул чл',
};
/** Languages that write ordinal numbers with a full stop: "am 3. Mai". */
const dotsOrdinals: ReadonlySet<string> = new Set('de da nb nn no fi cs sk pl hu hr sr sl et lv tr is'.split(' '));

const isSpoken = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** A paragraph as it is in the text, without line breaks that only wrap it: each becomes spaces of the same length. */
function unwrap(paragraph: string): string {
  return paragraph.replace(/(.*)(\r\n|\n|\r)(?=(.?))/g, (whole, line: string, lineBreak: string, next: string) => {
    const isWrapped = line.trimEnd().length >= wrappedLength || /^\p{Ll}/u.test(next);
    return isWrapped && next !== '' ? line + ' '.repeat(lineBreak.length) : whole;
  });
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function* separated({ start, end }: Range, text: string, separator: RegExp): Generator<Range> {
  let from = start;
  for (const match of text.slice(start, end).matchAll(separator)) {
    const at = start + match.index;
    yield { start: from, end: at };
    from = at + match[0].length;
  }
  yield { start: from, end };
}

/** True if what seems to be a sentence goes on with `next`. */
function goesOn(before: string, next: string, language: string): boolean {
  const sentence = before.trimEnd();
  if (sentence.endsWith(joinMark) || next.startsWith(joinMark)) return true;
  // “Three?” he said.
  if (/^\p{Ll}/u.test(next)) return /[\p{Pf}\p{Pe}"'“‘»«]$/u.test(sentence);
  const word = /([^\s("„“«'’]+)\.$/u.exec(sentence)?.[1];
  if (word === undefined) return false;
  // An initial, or a half of "z. B.".
  if (/^\p{L}$/u.test(word)) return true;
  if (dotsOrdinals.has(language) && /^\d{1,2}$/.test(word)) return true;
  return ` ${abbreviations[language] ?? ''} `.includes(` ${word.toLowerCase()} `);
}

/** The sentences of a paragraph. What holds nothing to speak, such as a dash, belongs to the sentence before. */
function sentencesOf(range: Range, text: string, language: string, segmenter: Intl.Segmenter): readonly Range[] {
  const found: { start: number; end: number }[] = [];
  for (const { segment, index } of segmenter.segment(text.slice(range.start, range.end))) {
    const start = range.start + index;
    const end = start + segment.length;
    const last = found.at(-1);
    const before = last && text.slice(last.start, last.end);
    const isSame =
      before !== undefined && (!isSpoken(segment) || !isSpoken(before) || goesOn(before, segment, language));
    if (last && isSame) last.end = end;
    else found.push({ start, end });
  }
  return found;
}

/** Splits what is too long for one call: after a clause if possible, else between words, else within one. */
function* limited(range: Range, text: string, maxLength: number): Generator<Range> {
  let { start } = range;
  while (textLength(text.slice(start, range.end).trim()) > maxLength) {
    let units = 0;
    for (const [character] of text.slice(start, start + 2 * maxLength).matchAll(/./gsu)) {
      if (textLength(text.slice(start, start + units + character.length)) > maxLength) break;
      units += character.length;
    }
    const head = text.slice(start, start + units);
    const clause = /^.*[,;:–—、，；：](?=\s|[^ -~])/su.exec(head)?.[0].length ?? 0;
    const word = /^.*\s/su.exec(head)?.[0].length ?? 0;
    const length = clause > units / 2 ? clause : word > units / 4 ? word : units;
    yield { start, end: start + length };
    start += length;
  }
  yield { start, end: range.end };
}

export interface SplitOptions {
  /** A tag such as `en-GB`; empty if unknown. */
  readonly language: string;
  /** Characters, as services count them; null for no limit. */
  readonly maxLength: number | null;
}

const segmenterFor = (language: string): Intl.Segmenter => {
  const known = Intl.Segmenter.supportedLocalesOf(language === '' ? [] : [language.replaceAll('_', '-')]);
  return new Intl.Segmenter(known[0] ?? 'en', { granularity: 'sentence' });
};

/**
 * Splits a text into the passages that are spoken one by one: its sentences, unless it is short. Nothing that can be spoken is
 * left out, and no passage is longer than `maxLength`.
 */
export function splitText(text: string, { language, maxLength }: SplitOptions): readonly Passage[] {
  const limit = Math.min(maxLength ?? longestPassage, longestPassage);
  const spoken = ({ start, end }: Range): string => withoutMarks(text.slice(start, end)).replace(/\s+/g, ' ').trim();
  const whole = { start: 0, end: text.length };
  const paragraphs = [...separated(whole, text, /[ \t]*(?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))+/g)].filter(
    ({ start, end }) => isSpoken(text.slice(start, end)),
  );
  const [only] = paragraphs;
  const isShort = text.length <= 2 * shortLength && textLength(spoken(whole)) <= Math.min(shortLength, limit);
  if (!only) return [];
  if (paragraphs.length === 1 && isShort && !text.includes(splitMark) && !/[\r\n]/.test(text.trim()))
    return [{ ...whole, text: spoken(whole), ends: 'paragraph' }];
  let segmenter: Intl.Segmenter;
  try {
    segmenter = segmenterFor(language);
  } catch {
    // Catalogues name languages that are no tags.
    segmenter = segmenterFor('');
  }
  const base = language.split(/[-_]/)[0]?.toLowerCase() ?? '';
  const passages: Passage[] = [];
  for (const paragraph of paragraphs) {
    const { start } = paragraph;
    const flat = unwrap(text.slice(start, paragraph.end));
    const inParagraph = sentencesOf({ start: 0, end: flat.length }, flat, base, segmenter);
    for (const sentence of inParagraph) {
      for (const part of separated(sentence, flat, new RegExp(splitMark, 'g'))) {
        for (const piece of limited(part, flat, limit)) {
          const range = { start: start + piece.start, end: start + piece.end };
          const words = spoken(range);
          if (!isSpoken(words)) continue;
          passages.push({ ...range, text: words, ends: piece.end < part.end ? 'nothing' : 'sentence' });
        }
      }
    }
    const last = passages.pop();
    if (last) passages.push({ ...last, ends: 'paragraph' });
  }
  return passages;
}
