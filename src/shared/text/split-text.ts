import { runAtOnce, type Sliced } from '../time-slicing.ts';
import { unspaced } from './fold-text.ts';
import { type Line, linesOf } from './lines.ts';
import { joinMark, splitMark, withoutMarks } from './passage-marks.ts';
import { turnsSliced } from './speakers.ts';
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
  /** Whose line it is of; missing if it is nobody's. */
  readonly speaker?: string;
}

/** A text of one paragraph with up to so many characters is spoken as a whole: its change costs one call either way. */
const shortLength = 300;
/** A sentence that is longer has no full stops, as a list; no listener waits for all of it. */
const longestPassage = 2000;
/** A line of so many columns is wrapped by a program; a shorter one is a verse, an item or a heading. */
const wrappedWidth = 45;

/**
 * Abbreviations that a capital letter often follows, without their last full stop and in lower case. After others, such as
 * "etc.", a capital letter starts a sentence. Intl.Segmenter does not have CLDR's list of them.
 */
const abbreviations: Readonly<Record<string, string>> = {
  en: 'adm approx capt cf cmdr co col corp dept dr e.g ed eds fig gen gov hon i.e inc jan feb mar apr jun jul aug sep sept oct nov dec jr lt ltd maj messrs mr mrs ms mt nos op p.m a.m pp prof rep rev sen sgt sr st vol vs',
  de: 'abb abs allg art bd bsp bspw bzw ca d.h dipl dr evtl fa fr ggf hl hr hrsg ing inkl jh kap max med min mio mrd nr phil pos prof s.o s.u sog st std str tel u.a usf v.a vgl vol z.b z.t zzgl jan feb apr aug sept okt nov dez',
  fr: 'av c.-à-d cf al approx chap dr éd env ex fig fév janv juil m me mgr mlle mm mme mmes n° p p.ex pp pr sept st ste tél vol',
  es: 'aa aprox av avda c cap cía d dña dr dra ed ee ej ff fig gral ing lic núm p p.ej pág págs prof profa sr sra sres srta st sta tel ud uds uu vol',
  pt: 'av cap cia d dr dra ed eng ex exmo exma fig gen núm p p.ex pág págs prof profa sr sra srta sto sta tel vol',
  it: 'art avv cap cfr dott dott.ssa ecc ed es fig geom ing mons n p pag pagg prof prof.ssa rag sig sig.ra sig.na spett st tel vol',
  nl: 'bijv blz ca dhr dr drs fig ing ir jhr mevr mr nl nr o.a prof resp st tel vgl',
  pl: 'al dn dr gen godz hab inż im in itp mgr min m.in np nr o oo ok os p por prof r red rys s str św tel tj tzn ul ur wg zob',
  ru: 'акад в вв г гг гл гр д др ин им кв кн л м напр обл оз п пл пос пр проф р рис с см ср ст стр т т.е т.к т.н ул чл',
};
/** Titles before names, also in languages of other letters. */
const titles = 'dr mr mrs ms prof st';
/** Before a number, a part of it is named; before anything else, these may end a sentence. */
const numbered = /^(?:no|sec|ch|eq|art|par)$/i;
/** Languages that write ordinal numbers with a full stop: "am 3. Mai". */
const dotsOrdinals: ReadonlySet<string> = new Set('de da nb nn no fi cs sk pl hu hr sr sl et lv tr is'.split(' '));

/** True if something of a text is heard. Programs say emoji and currencies, too. */
export const isSpoken = (text: string): boolean => /[\p{L}\p{N}\p{Sc}\p{Emoji_Presentation}]/u.test(text);

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Paragraph extends Range {
  /** As long as it is in the text, with blanks or seams for breaks that only wrap lines. */
  readonly flat: string;
}

/** Characters that take two columns. */
const wide = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff01-\uff60]/gu;
const widthOf = (line: string): number => line.length + (line.match(wide)?.length ?? 0);

/** True for a line that a program would wrap. */
export const isWideLine = (line: string): boolean => widthOf(line.trimEnd()) >= wrappedWidth;

/** What a line begins with that no program divides; of Chinese, a character and the sign that may not begin a line. */
const firstWord = /^(?:[!-~]+|\S{1,2})/u;

/** True if a line was only wrapped before the next one, in a paragraph with lines of up to `longest` columns. */
function isWrapped(line: string, next: string, longest: number): boolean {
  // The first line of a paragraph in Chinese and Japanese.
  if (next.startsWith('\u3000')) return false;
  if (isWideLine(line) || /^\p{Ll}/u.test(next)) return true;
  const word = firstWord.exec(next.trimStart())?.[0] ?? '';
  return longest >= wrappedWidth && widthOf(line.trimEnd()) + 1 + widthOf(word) > longest;
}

/** The mark of an item, if several lines of a paragraph begin with one; in one line, it may be a dash or the day of a month. */
const itemMark = /^\s*(?:[-–*•+]|(?:\d{1,3}\.)*\d{1,3}[.)]|[a-z][.)])\s/;

/** What takes the place of a break that only wraps lines where no blank belongs: no character of any text. */
const seam = '\ufdd0';
/** Ends and begins lines that no blank joins. */
const tight = `[[${unspaced}\\u3001-\\u303f\\uff01-\\uff60]--\\p{sc=Hang}]`;
const endsTightly = new RegExp(`${tight}$`, 'v');
const beginsTightly = new RegExp(`^${tight}`, 'v');

/** True if no blank belongs between two parts of a line, as their script has none between words. */
export const joinsTightly = (before: string, after: string): boolean =>
  endsTightly.test(before.trimEnd()) && beginsTightly.test(after.trimStart());

/** A paragraph of these lines. */
function* flattened(lines: readonly Line[], text: string): Sliced<Paragraph> {
  const widths = lines.map(({ start, breakAt }) => widthOf(text.slice(start, breakAt).trimEnd()));
  const longest = widths.reduce((most, width) => Math.max(most, width), 0);
  const isItem = lines.map(({ start, breakAt }) => itemMark.test(text.slice(start, breakAt)));
  const isList = isItem.filter(Boolean).length > 1;
  const parts: string[] = [];
  let isTight = false;
  for (const [k, { start, breakAt, end }] of lines.entries()) {
    yield;
    const line = text.slice(start, breakAt);
    const following = lines[k + 1];
    const next = following ? text.slice(following.start, following.breakAt) : '';
    const words = line.trimStart();
    const indent = line.slice(0, line.length - words.length);
    parts.push(isTight ? seam.repeat(indent.length) : indent);
    const isOver = !following || (isList && isItem[k + 1] === true);
    const isJoined = !isOver && isWrapped(line, next, longest);
    isTight = isJoined && joinsTightly(words, next);
    if (isTight) parts.push(words.trimEnd(), seam.repeat(end - start - indent.length - words.trimEnd().length));
    else parts.push(words, isJoined ? ' '.repeat(end - breakAt) : text.slice(breakAt, end));
  }
  return { start: lines[0]?.start ?? 0, end: lines.at(-1)?.end ?? 0, flat: parts.join('') };
}

/** Paragraphs, which blank lines separate. */
function* readParagraphs(text: string): Sliced<readonly Paragraph[]> {
  const paragraphs: Paragraph[] = [];
  let lines: Line[] = [];
  for (const line of linesOf(text)) {
    yield;
    const isBlank = text.slice(line.start, line.breakAt).trim() === '';
    if (!isBlank) lines.push(line);
    if (lines.length === 0 || (!isBlank && line.end < text.length)) continue;
    paragraphs.push(yield* flattened(lines, text));
    lines = [];
  }
  if (lines.length > 0) paragraphs.push(yield* flattened(lines, text));
  return paragraphs;
}

function* separated({ start, end }: Range, text: string): Generator<Range> {
  let from = start;
  for (const part of text.slice(start, end).split(splitMark)) {
    yield { start: from, end: from + part.length };
    from += part.length + splitMark.length;
  }
}

/** Longer than any abbreviation. */
const tailLength = 40;

/** The number or letter of an item or a chapter: `2.1.`, `a.)`, `• IV.` */
const onlyNumber =
  /^[^\S\r\n]*(?:\p{Po}[^\S\r\n]*)?[([]?(?:(?:\d{1,3}\.)*\d{1,3}|\p{L}|[ivxlc]{1,7})[.)\]]+[^\S\r\n]*$/iu;
/** What Japanese puts behind a quotation as a part of its sentence. */
const particle = /^(?:と|って|など|なんて)/u;

/** English abbreviations that often end a sentence: "U.S.", "p.m."; of one letter, it is an initial. */
const mayEndSentence = /^(?:\p{Lu}(?:\.\p{Lu})+|[ap]\.m)$/u;
/** What no name begins with. */
const opener = /^(?:Then|There|These|They|This|Those|However)(?![\p{L}.-])/u;
/** What a name or a heading may begin with, too, but then with a capital letter behind it: "U.S. And China". */
const weakOpener =
  /^(?:A|After|An|And|As|At|Before|But|For|From|He|Her|His|How|If|In|It|Its|My|No|Now|On|One|Our|She|So|That|The|Their|We|What|When|Where|While|Who|Why|With|Yes|You|Your)(?:['’]\p{Ll}+)?,?\s+\p{Ll}/u;

/** True if an English sentence surely begins with `next` behind an abbreviation. */
const beginsSentence = (next: string): boolean => opener.test(next) || weakOpener.test(next);

/** True if what seems to be a sentence goes on with `next`. */
function goesOn(before: string, next: string, language: string): boolean {
  const tail = before.slice(-tailLength);
  const sentence = tail.trimEnd();
  if (sentence.endsWith(joinMark) || next.startsWith(joinMark)) return true;
  const isQuoted = /[\p{Pf}\p{Pe}"'“‘»«]$/u.test(sentence);
  // “Three?” he said.
  if (/^\p{Ll}/u.test(next)) return isQuoted || /[!?][^\S\r\n]*$/.test(tail);
  // "네?"라고
  if (isQuoted && (particle.test(next) || (!/\s$/.test(tail) && /^\p{sc=Hang}/u.test(next)))) return true;
  if (before.length <= tailLength && onlyNumber.test(before)) return true;
  const word = /([^\s([{"„“«'’、，。：（「『]+)\.$/u.exec(sentence)?.[1];
  if (word === undefined) return false;
  if (language === 'en' && mayEndSentence.test(word) && beginsSentence(next)) return false;
  // An initial, or several: "J.R.R.", or a half of "z. B.".
  if (/^\p{L}(?:\.\p{L})*$/u.test(word)) return true;
  if (dotsOrdinals.has(language) && /^(?:\d{1,2}|[IVX]+)$/.test(word)) return true;
  // "No. 5", but not the answer.
  if (numbered.test(word) && /^\d/.test(next)) return true;
  return ` ${abbreviations[language] ?? titles} `.includes(` ${word.toLowerCase()} `);
}

/** A number of a note, as in an encyclopedia: `end.[1][2]`. */
const note = /([.!?…。！？]["'”’»)]?)((?:\[[^\s[\]]{1,12}\])+)/gu;
/** A French quotation: `« Oui ! »`. */
const quoteEnd = /([.!?…])([ \u00a0\u202f]»)(?=[\s,;:.]|$)/gu;

/** A paragraph for Intl.Segmenter, as long as before, with the full stop behind what belongs to its sentence. */
const segmented = (paragraph: string): string => paragraph.replace(note, '$2$1').replace(quoteEnd, '$2$1');

/** What begins the next sentence, but belongs to the one before for the segmenter, as there is no space between them. */
const opening = /(?:\p{Ps}|(?<=[。！？…])[“‘])+$/u;

/** The sentences of a paragraph. What holds nothing to speak, such as a dash, belongs to the sentence before. */
function* sentencesOf(
  range: Range,
  text: string,
  language: string,
  segmenter: Intl.Segmenter,
): Sliced<readonly Range[]> {
  const found: { start: number; end: number }[] = [];
  let start = range.start;
  for (const { segment, index } of segmenter.segment(segmented(text.slice(range.start, range.end)))) {
    yield;
    const breakAt = range.start + index + segment.length;
    const end = breakAt === range.end ? breakAt : breakAt - (opening.exec(segment.slice(-tailLength))?.[0].length ?? 0);
    if (end <= start) continue;
    const words = text.slice(start, end);
    const last = found.at(-1);
    const before = last && text.slice(last.start, last.end);
    const isSame = before !== undefined && (!isSpoken(words) || !isSpoken(before) || goesOn(before, words, language));
    if (last && isSame) last.end = end;
    else found.push({ start, end });
    start = end;
  }
  return found;
}

/** UTF-16 units of the first `count` code points. */
function unitsOf(text: string, count: number): number {
  let units = 0;
  for (let k = 0; k < count && units < text.length; k += 1) units += (text.codePointAt(units) ?? 0) > 0xff_ff ? 2 : 1;
  return units;
}

/** Splits what is too long for one call: after a clause if possible, else between words, else within one. */
function* limited({ start, end }: Range, text: string, maxLength: number): Generator<Range> {
  let from = start;
  while (end - from > maxLength) {
    const units = unitsOf(text.slice(from, Math.min(end, from + 2 * maxLength)), maxLength);
    if (text.slice(from + units, end).trim() === '') break;
    const head = text.slice(from, from + units);
    const clause = /^.*[,;:–—、，；：](?=\s|[^ -~])/su.exec(head)?.[0].length ?? 0;
    const word = /^.*\s/su.exec(head)?.[0].length ?? 0;
    const length = clause > units / 2 ? clause : word > units / 4 ? word : units;
    yield { start: from, end: from + length };
    from += length;
  }
  yield { start: from, end };
}

/** The paragraphs of a text. One of which nothing is heard goes with the one before it or, at the start, after it. */
export function* paragraphsSliced(text: string): Sliced<readonly string[]> {
  const found: { start: number; end: number; isHeard: boolean }[] = [];
  for (const { start, end } of yield* readParagraphs(text)) {
    yield;
    const isHeard = isSpoken(text.slice(start, end));
    const last = found.at(-1);
    if (last && !(last.isHeard && isHeard)) Object.assign(last, { end, isHeard: last.isHeard || isHeard });
    else found.push({ start, end, isHeard });
  }
  return found.map(({ start, end }) => text.slice(start, end).trimEnd());
}

export interface SplitOptions {
  /** A tag such as `en-GB`; empty if unknown. */
  readonly language: string;
  /** Characters, as services count them; null for no limit. */
  readonly maxLength: number | null;
  /** Names whose lines are spoken without them, and never in one passage with other words. */
  readonly speakers?: readonly string[];
  /** Keeps passages of nothing but signs, which pronunciations may make words of. */
  readonly keepsSigns?: boolean;
  /** A paragraph of a longer text, whose sentences are passages however short it is. */
  readonly isParagraph?: boolean;
}

function segmenterFor(language: string): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language.replaceAll('_', '-'), { granularity: 'sentence' });
  } catch {
    // Catalogues name languages that are no tags.
    return new Intl.Segmenter('en', { granularity: 'sentence' });
  }
}

const spokenIn = (text: string): string => withoutMarks(text).replaceAll(seam, '').replace(/\s+/g, ' ').trim();

/** The passages of one paragraph, as `readParagraphs` flattens it. */
function* splitParagraph(
  text: string,
  base: string,
  limit: number,
  keepsSigns: boolean,
  segmenter: Intl.Segmenter,
): Sliced<readonly Passage[]> {
  const passages: Passage[] = [];
  for (const sentence of yield* sentencesOf({ start: 0, end: text.length }, text, base, segmenter)) {
    for (const part of separated(sentence, text)) {
      for (const { start, end } of limited(part, text, limit)) {
        yield;
        const words = spokenIn(text.slice(start, end));
        if (keepsSigns ? words !== '' : isSpoken(words))
          passages.push({ start, end, text: words, ends: end < part.end ? 'nothing' : 'sentence' });
      }
    }
  }
  const last = passages.pop();
  if (last) passages.push({ ...last, ends: 'paragraph' });
  return passages;
}

/** Splits a passage of a text further, into parts of at most so many characters. */
export function dividePassage(passage: Passage, text: string, maxLength: number): readonly Passage[] {
  const parts = [...limited(passage, text, maxLength)]
    .map(({ start, end }) => ({ ...passage, start, end, text: spokenIn(text.slice(start, end)) }))
    .filter((part) => part.text !== '');
  return parts.map((part, k) => (k < parts.length - 1 ? { ...part, ends: 'nothing' } : part));
}

/** Paragraphs of the text that was split last: while the user writes in a book, one paragraph changes at a time. */
let last: { readonly key: string; readonly paragraphs: ReadonlyMap<string, readonly Passage[]> } | undefined;

function knownParagraphs(language: string, limit: number, keepsSigns: boolean) {
  const key = `${language} ${limit} ${keepsSigns}`;
  const before = last?.key === key ? last.paragraphs : undefined;
  const paragraphs = new Map<string, readonly Passage[]>();
  const base = language.split(/[-_]/)[0]?.toLowerCase() ?? '';
  let segmenter: Intl.Segmenter | undefined;
  return {
    *passagesOf(paragraph: string): Sliced<readonly Passage[]> {
      const passages =
        paragraphs.get(paragraph) ??
        before?.get(paragraph) ??
        (yield* splitParagraph(paragraph, base, limit, keepsSigns, (segmenter ??= segmenterFor(language))));
      paragraphs.set(paragraph, passages);
      return passages;
    },
    keep: () => void (last = { key, paragraphs }),
  };
}

/** What is spoken, if that has at most so many characters; else undefined, without reading all of a book. */
function shortWords(text: string, most: number): string | undefined {
  const words: string[] = [];
  let length = -1;
  for (const [word] of withoutMarks(text).matchAll(/\S+/g)) {
    length += 1 + textLength(word);
    if (length > most) return undefined;
    words.push(word);
  }
  return words.join(' ');
}

/** Like `splitText`. */
export function* splitTextSliced(
  text: string,
  { language, maxLength, speakers = [], keepsSigns = false, isParagraph = false }: SplitOptions,
): Sliced<readonly Passage[]> {
  const limit = Math.min(maxLength ?? longestPassage, longestPassage);
  const turns = (yield* turnsSliced(text, speakers)).map(({ start, end, speaker }) => ({
    ...{ start, end, words: text.slice(start, end) },
    said: speaker === null ? {} : { speaker },
  }));
  const [first] = turns;
  if (!first) return [];
  if (turns.length === 1) {
    const whole = shortWords(first.words, Math.min(shortLength, limit));
    if (keepsSigns ? whole === '' : !isSpoken(first.words)) return [];
    const isWhole = withoutMarks(first.words) === first.words && !/[\r\n]/.test(first.words.trim());
    if (!isParagraph && whole !== undefined && isWhole)
      return [{ start: first.start, end: first.end, text: whole, ends: 'paragraph', ...first.said }];
  }
  const known = knownParagraphs(language, limit, keepsSigns);
  const passages: Passage[] = [];
  for (const turn of turns) {
    for (const { start, flat } of yield* readParagraphs(turn.words)) {
      yield;
      const from = turn.start + start;
      for (const passage of yield* known.passagesOf(flat))
        passages.push({ ...passage, start: from + passage.start, end: from + passage.end, ...turn.said });
    }
  }
  // One of many, which would replace those of the text that the user writes.
  if (!isParagraph) known.keep();
  return passages;
}

/**
 * Splits a text into the passages that are spoken one by one: its sentences, unless it is short. Nothing that can be spoken is
 * left out, and no passage is longer than `maxLength`.
 */
export const splitText = (text: string, options: SplitOptions): readonly Passage[] =>
  runAtOnce(splitTextSliced(text, options));
