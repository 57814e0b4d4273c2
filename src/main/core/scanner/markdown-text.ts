import MarkdownIt, { type Token } from 'markdown-it';

/** Ends with a mark at which a voice pauses, perhaps inside quotation marks or brackets. */
const endsSentence = /[.!?:;,…。！？：；，、]["'”’»)\]]*$/u;

/** Text that stands alone, such as a heading: as a sentence, so that a voice pauses after it. */
const asSentence = (text: string): string => (text === '' || endsSentence.test(text) ? text : `${text}.`);

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

/** What is said of a part of a paragraph: of a picture what it shows, nothing of a tag. */
function inlineText({ type, content, children }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak') return '\n';
  if (type === 'image') return inlineTexts(children);
  return type === 'html_inline' ? '' : content;
}

const inlineTexts = (children: readonly Token[] | null): string => (children ?? []).map(inlineText).join('').trim();

/** The box of a task in a list. */
const withoutBox = (text: string): string => text.replace(/^\[[ xX]\] /, '');

/** HTML is recognized, so that it can be left out; it is never rendered. */
const parser = new MarkdownIt({ html: true });

/** The text of Markdown without its marks. Code blocks, front matter and HTML are left out; links say their text. */
export function markdownText(source: string): string {
  /** Each is a paragraph, or the lines of a list. */
  const blocks: string[][] = [];
  let lists = 0;
  let cells: string[] | null = null;
  let parent = '';
  for (const { type, tag, nesting, children } of parser.parse(withoutFrontMatter(source), {})) {
    if (type !== 'inline') {
      if (nesting === 1 && lists === 0 && cells === null) blocks.push([]);
      if (tag === 'ul' || tag === 'ol') lists += nesting;
      if (tag === 'tr') {
        if (cells) blocks.at(-1)?.push(asSentence(cells.filter((cell) => cell !== '').join(', ')));
        cells = nesting === 1 ? [] : null;
      }
      parent = tag;
      continue;
    }
    const text = inlineTexts(children);
    if (cells) cells.push(text);
    else if (lists > 0) blocks.at(-1)?.push(asSentence(withoutBox(text)));
    else blocks.at(-1)?.push(parent === 'p' ? text : asSentence(text));
  }
  return blocks
    .map((lines) => lines.filter((line) => line !== '').join('\n'))
    .filter((block) => block !== '')
    .join('\n\n');
}
