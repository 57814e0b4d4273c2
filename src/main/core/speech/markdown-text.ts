import MarkdownIt, { type Token } from 'markdown-it';
import { isSpoken, isWideLine, joinsTightly } from '../../../shared/text/split-text.ts';
import type { Sliced } from '../../../shared/time-slicing.ts';

/** Ends with a mark at which a voice pauses, perhaps inside quotation marks or brackets. */
const endsWithPause = /[.!?:;,…。！？：；，、]["'”’»)\]]*$/u;

/** Text that stands alone, such as a heading: as a sentence, so that a voice pauses after it. */
const asSentence = (text: string): string => (text === '' || endsWithPause.test(text) ? text : `${text}.`);

/**
 * Leaves out metadata at the beginning: lines between two fences, the first of them not blank, as otherwise the first fence is a
 * rule and the lines are text.
 */
function withoutFrontMatter(source: string): string {
  const [first = '', ...lines] = source.split(/\r\n|\r|\n/);
  const fence = first.trimEnd();
  if ((fence !== '---' && fence !== '+++') || !lines[0]?.trim()) return source;
  const end = lines.findIndex((line) => line.trimEnd() === fence || (fence === '---' && line.trimEnd() === '...'));
  return end < 0 ? source : lines.slice(end + 1).join('\n');
}

/** A break of the source that may only wrap a line: no character of any text. */
const softBreak = '\ufdd0';

/** Elements of which nothing is said; of the reading of a character, the character is. */
const silentElements = 'script|style|pre|svg|math|template|head|title|rt|rp';
const opensSilence = new RegExp(`^<(?:${silentElements})\\b[^>]*[^/>]?>$`, 'i');
const closesSilence = new RegExp(`^</(?:${silentElements})\\b`, 'i');

/** References to footnotes, and what their texts begin with. */
const footnote = /\[\^[^\s\]]{1,99}\](?:: ?)?/g;
const address = /\bhttps?:\/\/(?:www\.)?([\w.-]*\w)(?:[/?#:][^\s<>()[\]"]*[\w/])?/g;

/** What is said of a text: nothing of footnote marks, and of an address its host, as people name it. */
const said = (text: string): string => text.replace(footnote, '').replace(address, '$1');

/** What is said of a part of a paragraph: of a picture what it shows, nothing of a tag. */
function inlineText({ type, content, children }: Token): string {
  if (type === 'softbreak') return softBreak;
  if (type === 'hardbreak' || (type === 'html_inline' && /^<br\b/i.test(content))) return '\n';
  if (type === 'image') return inlineTexts(children);
  if (type === 'html_inline') return '';
  return type === 'text' ? said(content) : content;
}

function inlineTexts(children: readonly Token[] | null): string {
  const parts: string[] = [];
  let silent = 0;
  for (const child of children ?? []) {
    const tag = child.type === 'html_inline' ? child.content : '';
    if (closesSilence.test(tag)) silent = Math.max(0, silent - 1);
    else if (opensSilence.test(tag)) silent += 1;
    else if (silent === 0) parts.push(inlineText(child));
  }
  return parts.join('').trim();
}

/** `[!NOTE]`, as the notes of some programs begin, perhaps with a title. */
const noteTitle = new RegExp(`^\\[!(\\w)(\\w*)\\][+-]?[ \\t]*([^\\n${softBreak}]*)(?:[\\n${softBreak}]|$)`);

/** The text of a paragraph, whose source has breaks that only wrap its lines if one of these is long. */
function paragraphText(content: string, children: readonly Token[]): string {
  const isWrapped = content.split('\n').slice(0, -1).some(isWideLine);
  const lines = inlineTexts(children)
    .replace(
      noteTitle,
      (_, first: string, rest: string, title: string) =>
        asSentence(title || first.toUpperCase() + rest.toLowerCase()) + '\n',
    )
    .trim()
    .split(softBreak);
  if (!isWrapped) return lines.join('\n');
  const words = lines.map((line) => line.trim()).filter((line) => line !== '');
  return words.map((line, k) => (k === 0 || joinsTightly(words[k - 1] ?? '', line) ? line : ` ${line}`)).join('');
}

/** Elements that are within a line. */
const inlineElements =
  'a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|img|ins|kbd|mark|picture|q|s|samp|small|source|span|strong|sub|sup|time|tt|u|var|wbr|ruby|rb';
const silence = new RegExp(`<!--[^]*?(?:-->|$)|<(${silentElements})\\b[^]*?(?:</\\1\\s*>|$)`, 'gi');
const inlineTag = new RegExp(`</?(?:${inlineElements})\\b[^<>]*>`, 'gi');

/** The text of HTML, each block of it as a sentence. */
const htmlLines = (html: string): readonly string[] =>
  html
    .replace(silence, '')
    .replace(inlineTag, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?<br\b[^<>]*> ?/gi, '\n')
    .split(/<[/!?]?[a-z][^<>]*>/i)
    .map((line) => asSentence(said(parser.utils.unescapeAll(line).trim())))
    .filter((line) => line !== '');

/** The box of a task in a list. */
const withoutBox = (text: string): string => text.replace(/^\[[ xX]\] /, '');

/** The text of a footnote, which CommonMark takes for the address of a link if it is one word. */
const footnoteText = /^(?= {0,3}\[\^[^\s\]]{1,99}\]:)/gm;

/** HTML is recognized, so that its tags can be left out; it is never rendered. */
const parser = new MarkdownIt({ html: true });
/** Finds the paragraphs, whose marks are read one paragraph at a time. */
const blockParser = new MarkdownIt({ html: true });
blockParser.core.ruler.disable(['inline', 'text_join']);

/** Nobody writes longer ones, and reading this much of nothing but marks takes a third of a second. */
const longestParagraph = 10_000;

/** The parts of a paragraph whose marks are read together: all of it, unless it is of no use to anybody. */
function* partsOf(paragraph: string): Generator<string> {
  let from = 0;
  while (paragraph.length - from > longestParagraph) {
    const end = Math.max(
      paragraph.lastIndexOf(' ', from + longestParagraph),
      paragraph.lastIndexOf('\n', from + longestParagraph),
    );
    const to = end > from ? end + 1 : from + longestParagraph;
    yield paragraph.slice(from, to);
    from = to;
  }
  yield paragraph.slice(from);
}

/** A paragraph, a heading, or the lines of a list. */
interface Block {
  readonly lines: string[];
  /** Level of a heading that is in nothing else, and 0 of anything else. */
  readonly level: number;
}

function* blocksOf(source: string): Sliced<readonly Block[]> {
  const blocks: Block[] = [];
  let lists = 0;
  let cells: string[] | null = null;
  let parent = '';
  const links = {};
  for (const token of blockParser.parse(withoutFrontMatter(source).replace(footnoteText, '\\'), links)) {
    const { type, tag, nesting, level, content } = token;
    if (type === 'html_block') {
      if (lists === 0 && cells === null) blocks.push({ lines: [], level: 0 });
      blocks.at(-1)?.lines.push(...htmlLines(content));
      continue;
    }
    if (type !== 'inline') {
      if (nesting === 1 && lists === 0 && cells === null)
        blocks.push({ lines: [], level: level === 0 && /^h\d$/.test(tag) ? Number(tag[1]) : 0 });
      if (tag === 'ul' || tag === 'ol') lists += nesting;
      if (tag === 'tr') {
        if (cells) blocks.at(-1)?.lines.push(asSentence(cells.filter((cell) => cell !== '').join(', ')));
        cells = nesting === 1 ? [] : null;
      }
      parent = tag;
      continue;
    }
    const children: Token[] = [];
    for (const part of partsOf(content)) {
      yield;
      children.push(...parser.parseInline(part, links).flatMap((each) => each.children ?? []));
    }
    const text = paragraphText(content, children);
    if (cells) cells.push(text.replace(/[.,;:]?\n/g, ', '));
    else if (lists > 0) blocks.at(-1)?.lines.push(asSentence(withoutBox(text)));
    else blocks.at(-1)?.lines.push(parent === 'p' ? text : asSentence(text));
  }
  return blocks;
}

const textOf = (blocks: readonly Block[]): string =>
  blocks
    .map(({ lines }) => lines.filter((line) => line !== '').join('\n'))
    .filter((block) => block !== '')
    .join('\n\n');
/** The text of Markdown without its marks. Code blocks and front matter are left out; links say their text. */
export function* markdownTextSliced(source: string): Sliced<string> {
  return textOf(yield* blocksOf(source));
}

export interface Chapter {
  /** Its heading; null for what is before the first one. */
  readonly title: string | null;
  /** With its heading. */
  readonly text: string;
}

/** What begins at each heading of a level. A part of which nothing is heard goes with the one before it or, at the start, after it. */
function chaptersOf(blocks: readonly Block[], level: number): readonly Chapter[] {
  const parts: Block[][] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (last && block.level !== level) last.push(block);
    else parts.push([block]);
  }
  const chapters: { title: string | null; blocks: Block[] }[] = [];
  const silent: Block[] = [];
  for (const part of parts) {
    const [first] = part;
    const last = chapters.at(-1);
    if (isSpoken(textOf(part))) {
      const title = first?.level === level ? first.lines.join(' ').replace(/\.$/, '') : null;
      chapters.push({ title, blocks: [...silent.splice(0), ...part] });
    } else (last?.blocks ?? silent).push(...part);
  }
  return chapters.map(({ title, blocks: own }) => ({ title, text: textOf(own) }));
}

/**
 * The chapters of Markdown: what is below each heading of the highest level that has several, as the only heading above them
 * is the title of all. Empty if there are fewer than two headings of one level.
 */
export function* markdownChaptersSliced(source: string): Sliced<readonly Chapter[]> {
  const blocks = yield* blocksOf(source);
  for (const level of [1, 2, 3, 4, 5, 6]) {
    const hasSeveral = blocks.filter((block) => block.level === level).length > 1;
    const chapters = hasSeveral ? chaptersOf(blocks, level) : [];
    if (chapters.length > 1) return chapters;
  }
  return [];
}
