import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSubtitles, readSubtitles, splitSubtitles } from './subtitles.ts';

const options = { language: 'en', maxLength: 2000 };
const timed = (text: string) => splitSubtitles(text, options).map(({ atSeconds, text: words }) => [atSeconds, words]);

const subRip = `1
00:00:01,500 --> 00:00:03,000
Good morning.

2
00:00:04,000 --> 00:00:05,250
- How are you?
- <i>Fine</i>, thanks.
`;

const webVtt = `WEBVTT - Interview

STYLE
::cue { color: red }

NOTE
Not heard.

intro
00:01.500 --> 00:03.000 align:start position:10%
<v Anna>Good <b>morning</b>.</v>

00:04.000 --> 01:00:05.250
Tom &amp; <00:04.500><c.loud>Ann</c> &lt;3, it&#39;s &quot;she&QUOT;&#x110000;
`;

describe('subtitles', () => {
  it.each([
    ['SubRip', subRip, 2],
    ['SubRip of Windows, with a mark and blank lines before it', `\ufeff\r\n\r\n${subRip.replaceAll('\n', '\r\n')}`, 2],
    ['SubRip without numbers', subRip.replace('1\n', ''), 2],
    ['WebVTT', webVtt, 2],
    ['WebVTT with nothing in it', 'WEBVTT\n\n', null],
    ['a text', 'One.\n\nTwo.', null],
    ['a text that is about them', `Write this:\n${subRip}`, null],
    ['a text that begins with a number', '1\nOne --> two.', null],
    ['no text', '', null],
  ])('are counted in %s', (_, text, count) => {
    expect(countSubtitles(text)?.n ?? null).toBe(count);
  });

  it('are cues with their times, without numbers, tags and dashes', () => {
    expect(timed(subRip)).toEqual([
      [1.5, 'Good morning.'],
      [4, 'How are you? Fine, thanks.'],
    ]);
    expect(timed(webVtt)).toEqual([
      [1.5, 'Good morning.'],
      [4, 'Tom & Ann <3, it\'s "she"'],
    ]);
  });

  it.each([
    ['a byte order mark and Windows line breaks', `\ufeff${subRip.replaceAll('\n', '\r\n')}`],
    ['line breaks of old Macs', subRip.replaceAll('\n', '\r')],
    ['full stops for commas', subRip.replaceAll(/(\d),(\d)/g, '$1.$2')],
    ['no blank line between cues', subRip.replaceAll('\n\n', '\n')],
    ['no numbers', subRip.replaceAll(/^\d\n/gm, '')],
    ['coordinates after the times', subRip.replaceAll(/(-->.*)/g, '$1  X1:40 X2:600 Y1:20 Y2:50')],
    ['positions', subRip.replace('Good', String.raw`{\an8}Good`)],
    ['another order', subRip.split('\n\n').toReversed().join('\n\n')],
    ['spaces around times', subRip.replaceAll(/(.*-->.*)/g, '  $1 ')],
  ])('may have %s', (_, text) => {
    expect(timed(text).map(([, words]) => words)).toEqual(['Good morning.', 'How are you? Fine, thanks.']);
    expect(readSubtitles(text).badLines).toEqual([]);
  });

  it('keep what is after a blank line in a cue, and numbers that are spoken', () => {
    expect(timed('1\n00:01 --> 00:02\nOne\n\ntwo.\n\n2\n00:03 --> 00:04\nIn\n1984\n')).toEqual([
      [1, 'One two.'],
      [3, 'In 1984'],
    ]);
  });

  it.each([
    ['breaks of ASS', String.raw`One\Ntwo,\hthree`, 'One two, three'],
    ['styles of MicroDVD', '{y:i}One {normal}', 'One {normal}'],
    ['the reading of a character', '<ruby>漢<rt>かん</rt>字<rt>じ</ruby>', '漢字'],
    ['arrows before speakers', '&gt;&gt; One\n>>> Two', 'One Two'],
    ['a dash before a speaker', '- One\n-2 o’clock', 'One 2 o’clock'],
    ['an arrow between words', 'From A\nto --> B', 'From A to --> B'],
    ['the sign of a number', '-5 degrees', '-5 degrees'],
  ])('are spoken with %s as people read it', (_, payload, words) => {
    expect(timed(`00:01 --> 00:02\n${payload}\n`)).toEqual([[1, words]]);
  });

  it('that roll up say each line once, when it appears', () => {
    const rolling = `WEBVTT
Kind: captions

00:00:00.000 --> 00:00:02.500 align:start position:0%
 
hello<00:00:00.500><c> there</c>

00:00:02.500 --> 00:00:02.510 align:start position:0%
hello there
 

00:00:02.510 --> 00:00:05.000 align:start position:0%
hello there
welcome<00:00:03.000><c> back</c>

00:00:05.000 --> 00:00:05.010 align:start position:0%
welcome back
 
`;
    expect(timed(rolling)).toEqual([
      [0, 'hello there'],
      [2.51, 'welcome back'],
    ]);
    const calls = ['Help!', 'Help!', 'Help!'].map((words, k) => `00:0${k} --> 00:0${k + 1}\n${words}\n`);
    expect(timed(calls.join('\n')).map(([, words]) => words)).toEqual(['Help!', 'Help!', 'Help!']);
  });

  it('leave out notes about sounds, and count those that are nothing else', () => {
    const text = [
      'ANNA: Come in.',
      '[door slams]',
      '(sighs) It is late',
      '(she said).',
      '♪ La la ♪',
      '<i>(Applause)</i>',
      '',
    ]
      .map((words, k) => `00:00:0${k},000 --> 00:00:0${k},900\n${words}\n`)
      .join('\n');
    expect(timed(text)).toEqual([
      [0, 'ANNA: Come in.'],
      [2, 'It is late'],
      [3, '(she said).'],
    ]);
    expect(readSubtitles(text).notes).toBe(3);
    const plain = text.replace(/[.]$/gm, '').replace('(she said)', '(door slams)');
    expect(timed(plain).map(([, words]) => words)).toEqual(['ANNA: Come in', 'It is late']);
  });

  it('leave out cues without words', () => {
    expect(timed('00:01 --> 00:02\n♪\n\n00:03 --> 00:04\n<i></i>\n\n00:05 --> 00:06\nYes\n')).toEqual([[5, 'Yes']]);
  });

  it.each(['00:61:00,0 --> 01:02:00,0', '00:00:05 --> 00:00:04', '25:00:00 --> 25:00:01', 'a --> b', '00:01 -->'])(
    'with a time that cannot be are named by line: %s',
    (line) => {
      expect(readSubtitles(`1\n00:01 --> 00:02\nOne\n\n2\n${line}\nTwo\n`).badLines).toEqual([6]);
    },
  );

  it('that overlap or start at once stay in their order', () => {
    expect(timed('00:05 --> 00:09\nB\n\n00:05 --> 00:06\nC\n\n00:01 --> 00:08\nA')).toEqual([
      [1, 'A'],
      [5, 'B'],
      [5, 'C'],
    ]);
  });

  it('with a long cue are spoken in several calls, of which only the first has a time', () => {
    const words = `${'A sentence of some length. '.repeat(20)}End.`;
    const passages = splitSubtitles(`00:01 --> 00:02\n${words}\n`, options);
    expect(passages).toHaveLength(21);
    expect(passages.map(({ atSeconds }) => atSeconds).slice(0, 3)).toEqual([1, undefined, undefined]);
    expect(new Set(passages.map(({ start }) => start)).size).toBe(21);
    expect(passages.at(-1)?.ends).toBe('nothing');
  });

  it('of any content are read without an error, within the text and in order', () => {
    const piece = fc.constantFrom(
      '\n',
      '\r\n',
      '1',
      '00:01',
      '00:00:02,5',
      ' --> ',
      'Hi',
      '<v A>',
      '</',
      '&amp;',
      '{\\',
      'WEBVTT',
      'NOTE',
      '-',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const { cues } = readSubtitles(text);
        for (const { start, end } of cues) expect(0 <= start && start <= end && end <= text.length).toBe(true);
        expect(cues.map(({ fromSeconds }) => fromSeconds)).toEqual(
          cues.map(({ fromSeconds }) => fromSeconds).toSorted((a, b) => a - b),
        );
        splitSubtitles(text, options);
      }),
    );
  });

  it('of ten thousand cues are read at once', () => {
    const text = Array.from({ length: 10_000 }, (_, k) => `${k}\n00:00:01,000 --> 00:00:02,000\nWord ${k}\n`).join(
      '\n',
    );
    expect(readSubtitles(text).cues).toHaveLength(10_000);
  });
});
