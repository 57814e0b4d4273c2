import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { textLength } from './text-parts.ts';
import { runAtOnce } from '../time-slicing.ts';
import { joinMark, splitMark } from './passage-marks.ts';
import { paragraphsSliced, splitText } from './split-text.ts';

const long = ' It goes on and on, as a story does that somebody tells by the fire.'.repeat(5).trimStart();
const split = (text: string, language = 'en-GB', maxLength: number | null = null) =>
  splitText(text, { language, maxLength }).map((passage) => passage.text);
/** The sentences before a tail that makes the text long enough to be split. */
const sentences = (text: string, language = 'en-GB') => split(`${text}\n\n${long}`, language).slice(0, -5);

const paragraphsOf = (text: string): readonly string[] => runAtOnce(paragraphsSliced(text));

describe('a text', () => {
  it('that is short is spoken as a whole', () => {
    expect(split('Good evening. It is late.')).toEqual(['Good evening. It is late.']);
  });

  it('of several paragraphs is split into sentences, and says what ends where', () => {
    expect(
      splitText('One. Two!\n\n“Three?” he said.', { language: 'en', maxLength: null }).map(({ text, ends }) => [
        text,
        ends,
      ]),
    ).toEqual([
      ['One.', 'sentence'],
      ['Two!', 'paragraph'],
      ['“Three?” he said.', 'paragraph'],
    ]);
  });

  it.each([
    ['en-US', 'It is No. 5. No. That is six.', ['It is No. 5.', 'No.', 'That is six.']],
    ['en-GB', 'Dr. Smith met Mr. J. R. Brown. He left.', ['Dr. Smith met Mr. J. R. Brown.', 'He left.']],
    [
      'en-US',
      'We sell nails, e.g. Big ones, etc. Then we went.',
      ['We sell nails, e.g. Big ones, etc.', 'Then we went.'],
    ],
    [
      'de-DE',
      'Am 3. Mai kam Prof. Meier, z. B. Um acht. Er ging.',
      ['Am 3. Mai kam Prof. Meier, z. B. Um acht.', 'Er ging.'],
    ],
    ['de-DE', '„Komm!“, rief sie. „Nein.“ Er blieb.', ['„Komm!“, rief sie.', '„Nein.“', 'Er blieb.']],
    ['fr-FR', 'M. Dupont et Mme Curie. Ils partent.', ['M. Dupont et Mme Curie.', 'Ils partent.']],
    ['es-ES', '¿Qué? El Sr. López no sabe. ¡Vamos!', ['¿Qué?', 'El Sr. López no sabe.', '¡Vamos!']],
    ['ru-RU', 'В г. Москве жил А. С. Пушкин. Он писал.', ['В г. Москве жил А. С. Пушкин.', 'Он писал.']],
    ['ja-JP', '今日は。元気ですか？はい。', ['今日は。', '元気ですか？', 'はい。']],
    ['en-GB', 'So said Bilbo [J.R.R. Tolkien]. He left.', ['So said Bilbo [J.R.R. Tolkien].', 'He left.']],
    ['en-GB', 'J.R.R. Tolkien met C.S. Lewis. They talked.', ['J.R.R. Tolkien met C.S. Lewis.', 'They talked.']],
    ['en-GB', 'He was a saint.[1][2] The emperor knew.[a]', ['He was a saint.[1][2]', 'The emperor knew.[a]']],
    ['en-GB', 'She works at Yahoo! in Oslo. Why?', ['She works at Yahoo! in Oslo.', 'Why?']],
    ['fr-FR', '« Oui ! » dit-il. « Non. » Elle rit.', ['« Oui ! » dit-il.', '« Non. »', 'Elle rit.']],
    ['de-DE', 'Sie kam. »Komm!« Er blieb.', ['Sie kam.', '»Komm!«', 'Er blieb.']],
    [
      'ja-JP',
      '「はい。」と言った。「いいえ。」彼は。「でも」と。',
      ['「はい。」と言った。', '「いいえ。」', '彼は。', '「でも」と。'],
    ],
    ['ja-JP', 'でも、Dr. Smithは来た。はい。', ['でも、Dr. Smithは来た。', 'はい。']],
    ['ko-KR', '"정말요?"라고 물었다. “네.” 그가 말했다.', ['"정말요?"라고 물었다.', '“네.”', '그가 말했다.']],
    ['zh-CN', '他走了。“走！”他说。', ['他走了。', '“走！”', '他说。']],
    ['de-DE', 'Ludwig XIV. Bourbon starb.', ['Ludwig XIV. Bourbon starb.']],
    ['es-ES', 'EE. UU. firmó. Bien.', ['EE. UU. firmó.', 'Bien.']],
    ['en-GB', 'See Sec. 4. It took a sec. Then we left.', ['See Sec. 4.', 'It took a sec.', 'Then we left.']],
    ['zh-CN', '他来了。（真的！）走吧。', ['他来了。', '（真的！）', '走吧。']],
    [
      'en-US',
      'He lives in the U.S. She left at 5 p.m. Then he came. It was 9 a.m. The boat had left the U.K. There it stays.',
      [
        'He lives in the U.S.',
        'She left at 5 p.m.',
        'Then he came.',
        'It was 9 a.m.',
        'The boat had left the U.K.',
        'There it stays.',
      ],
    ],
    [
      'en-US',
      'The U.S. Army came at 5 p.m. Monday with the U.S. Then-President and J.K. He. The U.S. And China Agree.',
      ['The U.S. Army came at 5 p.m. Monday with the U.S. Then-President and J.K. He.', 'The U.S. And China Agree.'],
    ],
    [
      'en-US',
      'Mr. C. She left the U.S. “It is late.” A. The end.',
      ['Mr. C. She left the U.S. “It is late.”', 'A. The end.'],
    ],
    ['de-DE', 'Er liest C.S. Then schreibt J.R.R. They.', ['Er liest C.S. Then schreibt J.R.R. They.']],
    ['xx_invalid-tag!', 'One. Two.', ['One.', 'Two.']],
  ])('in %s ends its sentences where they end', (language, text, expected) => {
    expect(sentences(text, language)).toEqual(expected);
  });

  it('is joined across lines that a program wrapped, and not across verses', () => {
    const wrapped = 'The ferry had left without him again, and so he stood\nwhere the ramp had been. He counted.';
    expect(sentences(wrapped)).toEqual([
      'The ferry had left without him again, and so he stood where the ramp had been.',
      'He counted.',
    ]);
    expect(sentences('Shopping\r\nNails\r\nA hammer')).toEqual(['Shopping', 'Nails', 'A hammer']);
  });

  it('keeps the number of an item or a chapter with its words', () => {
    expect(
      sentences('1. Buy nails.\n2. Go home.\n\n• 10.) Rest.\n\n2.1. Tools\n\nIV. The end. B.) Later. 1999. Then.'),
    ).toEqual([
      ...['1. Buy nails.', '2. Go home.', '• 10.) Rest.', '2.1. Tools', 'IV. The end.', 'B.) Later.', '1999.', 'Then.'],
    ]);
  });

  it('begins each item of a list anew, and not a line with a dash or a day', () => {
    const list = '* The first item of the list is a rather long one\n  that goes on\n* the second one is not';
    expect(sentences(list)).toEqual([
      '* The first item of the list is a rather long one that goes on',
      '* the second one is not',
    ]);
    expect(sentences('Wir kommen mit dem Schiff aus dem Norden an am\n3. Mai und bleiben.', 'de-DE')).toEqual([
      'Wir kommen mit dem Schiff aus dem Norden an am 3. Mai und bleiben.',
    ]);
  });

  it('is joined before a word that did not fit into the line', () => {
    const url = `https://${'a'.repeat(50)}.test`;
    expect(sentences(`He must use the native\n${url}\nObject. One.`)).toEqual([
      `He must use the native ${url} Object.`,
      'One.',
    ]);
  });

  it('of Chinese, Japanese or Korean is joined across wrapped lines, without a blank where the script has none', () => {
    const chinese =
      '它通过为非开发者编写的命令示例来涵盖系统管理的方\n  方面面，旨在作为一份 Debian 系统安装后的用户指南的\nDebian 概论。下一句。';
    expect(sentences(chinese, 'zh-CN')).toEqual([
      '它通过为非开发者编写的命令示例来涵盖系统管理的方方面面，旨在作为一份 Debian 系统安装后的用户指南的 Debian 概论。',
      '下一句。',
    ]);
    const japanese =
      '本書は非開発者を対象にシェルコマンドの例を通し\r\nてシステム管理の多くの局面を説明します。\n\n　短い行です\n　次の段落';
    expect(sentences(japanese, 'ja-JP')).toEqual([
      '本書は非開発者を対象にシェルコマンドの例を通してシステム管理の多くの局面を説明します。',
      '短い行です',
      '次の段落',
    ]);
    const korean =
      '자유 소프트웨어는 자유 소프트웨어 사본을 배포하고\n소스 코드를 받거나, 원한다면 가져올 수 있습니다.';
    expect(sentences(korean, 'ko-KR')).toEqual([korean.replace('\n', ' ')]);
    expect(sentences('床前明月光\n疑是地上霜', 'zh-CN')).toEqual(['床前明月光', '疑是地上霜']);
  });

  it('keeps what cannot be spoken with a sentence, and leaves paragraphs of it out', () => {
    expect(sentences('He left. *** She stayed.\n\n* * *\n\nThe end.')).toEqual([
      'He left.',
      '*** She stayed.',
      'The end.',
    ]);
    expect(split('***')).toEqual([]);
  });

  it('is joined and split where the user marked it', () => {
    expect(sentences(`He said. ${joinMark}Then he left. And${splitMark} came back.`)).toEqual([
      'He said. Then he left.',
      'And',
      'came back.',
    ]);
    expect(split(`Good${splitMark} evening.`)).toEqual(['Good', 'evening.']);
  });

  it('is split within a sentence that is too long for one call: at clauses, between words, or anywhere', () => {
    expect(split('one two three, four five six seven, eight nine ten', 'en', 24)).toEqual([
      'one two three,',
      'four five six seven,',
      'eight nine ten',
    ]);
    expect(split('abcdefghij', 'en', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(split('😀a😀b😀c', 'en', 2)).toEqual(['😀a', '😀b', '😀c']);
  });

  it('is split alike whatever was split before', () => {
    const books = [
      'One. Two.\n\nThree, four.',
      'Two. One.\n\nThree, four.\n\nThree, four.',
      'One. Two.\nand three\n\nThree, four.',
    ];
    const alone = books.map((book) => {
      splitText('Something else.\n\nEntirely.', { language: 'fr', maxLength: 9 });
      return splitText(book, { language: 'en', maxLength: 12 });
    });
    const inTurn = [...books, ...books].map((book) => splitText(book, { language: 'en', maxLength: 12 }));
    expect(inTurn).toEqual([...alone, ...alone]);
  });

  it.each([
    ['letters', 'a'],
    ['blanks', ' '],
    ['tabs and line breaks', '\t\n'],
    ['line breaks', '\r\n'],
    ['commas', 'a, '],
    ['initials', 'A. '],
    ['sentences in one line', 'Grüße aus dem Hafen. 🌊 '],
    ['marks', `a${splitMark}${joinMark}`],
    ['quotation marks', '“'],
    ['characters of two units', '🌊'],
  ])('of a million characters of %s is split', (_name, unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    const passages = splitText(text, { language: 'de', maxLength: 1000 });
    expect(passages.every((passage) => textLength(passage.text) <= 1000)).toBe(true);
    expect(passages.length > 0).toBe(/[\p{L}🌊]/u.test(unit));
  });

  it('loses nothing that can be spoken, keeps the order and every limit', () => {
    const anything = fc.array(
      fc.oneof(
        fc.constantFrom(
          '. ',
          '! ',
          '\n',
          '\r\n',
          '\n\n',
          ' ',
          ', ',
          'Dr. ',
          'U.S. ',
          '5 p.m. ',
          'She went ',
          'Then ',
          '3. ',
          '“',
          '”',
          '😀',
          'é',
          '日本。',
          joinMark,
          splitMark,
        ),
        fc.string({ unit: 'grapheme' }),
      ),
      { maxLength: 60 },
    );
    const spoken = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
    fc.assert(
      fc.property(
        anything,
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('de', 'en'),
        (pieces, maxLength, language) => {
          const text = pieces.join('');
          const passages = splitText(text, { language, maxLength });
          expect(spoken(passages.map((passage) => passage.text).join(''))).toBe(spoken(text));
          for (const [k, { text: words, start, end }] of passages.entries()) {
            expect(textLength(words)).toBeLessThanOrEqual(maxLength);
            expect(start).toBeGreaterThanOrEqual(passages[k - 1]?.end ?? 0);
            expect(spoken(text.slice(start, end))).toBe(spoken(words));
          }
        },
      ),
    );
  });
});

describe('the paragraphs of a text', () => {
  it('are what blank lines separate, each with its line breaks', () => {
    expect(paragraphsOf('\n\nOne.\nTwo.\r\n \t\r\n\r\nThree.\n')).toEqual(['One.\nTwo.', 'Three.']);
  });

  it('of which nothing is heard go with the one before or, at the start, after', () => {
    expect(paragraphsOf('***\n\nOne.\n\n* * *\n\n…\n\nTwo.')).toEqual(['***\n\nOne.\n\n* * *\n\n…', 'Two.']);
    expect(paragraphsOf('***')).toEqual(['***']);
    expect(paragraphsOf(' \n')).toEqual([]);
  });

  it('have the sentences that the whole text has, so that none is spoken twice', () => {
    const line = fc.constantFrom(
      'Anna: Good evening. It is late.',
      'He left.',
      'The ferry had left without him again, and so he stood',
      'where the ramp had been.',
      '  ',
      '',
      '***',
      `Mr.${joinMark} Brown. One,${splitMark} two.`,
      '“Three?” he said.',
      long,
    );
    const options = { language: 'en-GB', maxLength: 60, speakers: ['Anna'] };
    const said = (text: string, isParagraph: boolean) =>
      splitText(text, { ...options, isParagraph }).map(({ text: words, ends, speaker }) => ({ words, ends, speaker }));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 2, maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        (lines, lineBreak) => {
          const text = lines.join(lineBreak);
          const paragraphs = paragraphsOf(text);
          fc.pre(paragraphs.length > 1);
          expect(paragraphs.flatMap((paragraph) => said(paragraph, true))).toEqual(said(text, false));
        },
      ),
    );
  });
});
