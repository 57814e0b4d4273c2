import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../../shared/time-slicing.ts';
import { markdownChaptersSliced, markdownTextSliced } from './markdown-text.ts';

const markdownText = (source: string): string => runAtOnce(markdownTextSliced(source));
const markdownChapters = (source: string) => runAtOnce(markdownChaptersSliced(source));

describe('the text of Markdown', () => {
  it.each([
    [
      'headings become sentences',
      '# Day one\n\nSetext\n======\n\nAre we there?\n---',
      'Day one.\n\nSetext.\n\nAre we there?',
    ],
    ['emphasis', 'A *small* __step__, ***really***, ~~gone~~ and `code`.', 'A small step, really, gone and code.'],
    [
      'links say their text',
      'See [the *guide*](http://a.test "Title"), [two][2], <http://b.test>.\n\n[2]: http://c.test',
      'See the guide, two, b.test.',
    ],
    ['pictures say what they show', '![A cat](cat.png) sleeps.', 'A cat sleeps.'],
    [
      'lists become sentences',
      '- Milk\n- Bread, *fresh*!\n  - rye\n- [x] Done\n\n3. one\n4. two',
      'Milk.\nBread, fresh!\nrye.\nDone.\n\none.\ntwo.',
    ],
    ['quotes', '> To be,\n> or not.\n>\n> > Deep', 'To be,\nor not.\n\nDeep'],
    ['rows of tables become sentences', '| a | b |\n| - | - |\n| **c** | d |', 'a, b.\n\nc, d.'],
    ['empty cells of tables, of which a voice says nothing', '| a | |\n|-|-|\n| | b |\n| | |', 'a.\n\nb.'],
    ['code blocks', 'Run:\n\n```sh\nrm -rf *\n```\n\n    indented\n\nDone.', 'Run:\n\nDone.'],
    ['front matter', '---\ntitle: A\n---\n\nText', 'Text'],
    ['front matter in TOML', '+++\ntitle = "A"\n+++\nText', 'Text'],
    [
      'comments and tags of HTML',
      '<!-- to do -->\n\nA <b>bold</b> word. <!-- no -->\n\n<!-- <p>no</p> -->\n<script>\nno()\n</script>',
      'A bold word.',
    ],
    [
      'blocks of HTML become sentences',
      '<h1 align="center">Two\n  <em>boats</em></h1>\n\n<table><tr><td>A &amp; B</td></tr></table>\n\n<p><img src="x.png" alt="no">One<br>\ntwo</p>',
      'Two boats.\n\nA & B.\n\nOne\ntwo.',
    ],
    [
      'breaks in HTML separate words',
      'One<br>two<br/>three\n\n| a |\n|-|\n| one.<br>two |',
      'One\ntwo\nthree\n\na.\n\none, two.',
    ],
    ['readings of characters are not said twice', '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字', '漢字'],
    [
      'footnotes are said without their marks',
      'One[^1] two[^note]. `[^a]`\n\n[^1]: First.\n[^note]: Second, *too*.',
      'One two. [^a]\n\nFirst.\nSecond, too.',
    ],
    [
      'notes begin with their kind or title',
      '> [!NOTE]\n> Read on.\n\n> [!tip]- Be quick\n> Go.',
      'Note.\nRead on.\n\nBe quick.\nGo.',
    ],
    [
      'addresses are said as their hosts',
      'See https://www.a.test/b/c?d=e#f, (http://b.test:80/) or [https://c.test/d](https://c.test/d).',
      'See a.test, (b.test) or c.test.',
    ],
    [
      'lines that were wrapped are joined, whatever is left of them',
      'Browser clients must use the native\n[WebSocket](https://developer.test/en/docs/Web/API/WebSocket)\nObject.',
      'Browser clients must use the native WebSocket Object.',
    ],
    [
      'lines that were wrapped in Chinese are joined without a blank',
      '它通过为非开发者编写的命令示例来涵盖系统管理的方\n方面面，旨在作为指南。',
      '它通过为非开发者编写的命令示例来涵盖系统管理的方方面面，旨在作为指南。',
    ],
    ['rules, also with text between them', '---\n\nA\n\n---\n\nB', 'A\n\nB'],
    ['an end of front matter that never comes', '---\ntitle: A', 'title: A'],
    ['escapes and entities', 'A \\*star\\* &amp; &#8211; &copy;', 'A *star* & – ©'],
    ['line breaks', 'one  \ntwo\\\nthree\nfour', 'one\ntwo\nthree\nfour'],
    ['marks that are none', '5 * 3 * 2 and snake_case_name #1', '5 * 3 * 2 and snake_case_name #1'],
  ])('%s', (_, source, text) => {
    expect(markdownText(source)).toBe(text);
  });

  // Other readers take from minutes to a stack overflow.
  it.each(['[', '![', '*a_ ', '> ', '`a``', '[a](', '<p>a', '<!--', 'a<rt>', 'https://a.'])(
    'is found in 32 kB of %j',
    (marks) => {
      expect(markdownText(marks.repeat(2 ** 15 / marks.length))).toBeTypeOf('string');
    },
    30_000,
  );
});

describe('Markdown of a megabyte', () => {
  it.each(['[^a', '![', '*a_ '])('of %j lets others work in between', (marks) => {
    const work = markdownTextSliced(marks.repeat(100_000 / marks.length));
    expect(Array.from({ length: 4 }, () => work.next().done)).not.toContain(true);
  });

  it('in one paragraph keeps its words, links and marks', () => {
    const words = Array.from({ length: 20_000 }, (_, k) =>
      k % 100 === 0 ? `*[word](a.html)* ${k}` : `word ${k}`,
    ).join(' ');
    const said = words.replace(/\*\[(word)\]\(a.html\)\*/g, '$1');
    expect(markdownText(words)).toBe(said);
  });
});

describe('the chapters of Markdown', () => {
  const titles = (source: string) => markdownChapters(source).map(({ title }) => title);

  it('begin at the headings of the highest level that has several', () => {
    expect(markdownChapters('# One\n\nA.\n\n## Part\n\nB.\n\n# Two!\n\nC.')).toEqual([
      { title: 'One', text: 'One.\n\nA.\n\nPart.\n\nB.' },
      { title: 'Two!', text: 'Two!\n\nC.' },
    ]);
    expect(titles('# Book\n\nBy me.\n\n## One\n\nA.\n\n## Two\n\nB.')).toEqual([null, 'One', 'Two']);
  });

  it('are no chapters of their own if nothing in them is heard, and go with the one before or after', () => {
    expect(markdownChapters('***\n\n…\n\n# One\n\nA.\n\n# --\n\n# Two\n\nB.\n\n# →')).toEqual([
      { title: 'One', text: '…\n\nOne.\n\nA.\n\n--.' },
      { title: 'Two', text: 'Two.\n\nB.\n\n→.' },
    ]);
    expect(titles('# --\n\nA.\n\n# Two')).toEqual(['--', 'Two']);
    expect(titles('# One\n\nA.\n\n# --')).toEqual([]);
    expect(titles('# Book\n\n## One\n\nA.\n\n## Two\n\nB.\n\n# --')).toEqual([null, 'One', 'Two']);
  });

  it('are none without two headings of a level, in a quote or in code', () => {
    expect(titles('# Book\n\nA.')).toEqual([]);
    expect(titles('# Book\n\n> # A\n\n```\n# B\n```\n')).toEqual([]);
    expect(titles('')).toEqual([]);
  });
});
