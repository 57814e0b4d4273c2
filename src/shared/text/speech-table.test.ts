import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadMessages } from '../messages/index.ts';
import { spokenLanguages } from '../messages/languages.ts';
import { runAtOnce } from '../time-slicing.ts';
import { readTableSliced } from './speech-table.ts';

const readTable = (table: string) => runAtOnce(readTableSliced(table));
const texts = (table: string) => readTable(table).map(({ text }) => text);
const problems = (table: string) =>
  readTable(table).flatMap(({ row, problem }) => (problem ? [[row, problem.code]] : []));

describe('a table of texts', () => {
  it('has columns by name, as they are called, in any order', () => {
    const row = { row: 2, text: 'Hello.', voice: 'Anna', language: 'en-GB', name: 'greeting', problem: null };
    expect(readTable('Text,Voice,Language,Name\nHello.,Anna,en-GB,greeting\n')).toEqual([row]);
    expect(readTable('Dateiname;Stimme;Text;Sprache\ngreeting;Anna;Hello.;en-GB')).toEqual([row]);
    expect(readTable('\ufeffid\tFILE NAME\tlanguage\ttext\tVOICE\tnote\n7\tgreeting\ten-GB\tHello.\tAnna\t!')).toEqual([
      row,
    ]);
  });

  it.each(spokenLanguages)(
    'has columns by the names that the window gives them in the language %s',
    async (language) => {
      const { batch } = await loadMessages(language);
      const { name, voice, language: tag, text } = batch.columns;
      expect(readTable(`${name};${voice};${tag};${text}\ngreeting;Anna;en-GB;Hello.`)).toMatchObject([
        { row: 2, text: 'Hello.', voice: 'Anna', language: 'en-GB', name: 'greeting' },
      ]);
      expect(texts(`${text}\nHello.`)).toEqual(['Hello.']);
    },
  );

  it.each([
    ['Nom du fichier', 'TEXTE'],
    ['nombre_de_archivo', ' Texto '],
    ['nome do arquivo', 'texto'],
    ['имя файла', 'ТЕКСТ'],
    ['اسم الملف', 'نص'],
    ['ﾌｧｲﾙ名', '本文'],
    ['파일 이름', '본문'],
    ['文件名', '正文'],
    ['file-name', 'Text'],
  ])('names its results in a column called %s', (name, text) => {
    expect(readTable(`${name},${text}\ngreeting,Hello.`)).toMatchObject([{ name: 'greeting', text: 'Hello.' }]);
  });

  it('has its columns in the usual order without a header, and its texts in the first one', () => {
    expect(readTable('Hello.;Anna\nBye.;\n').map(({ text, voice, row }) => [row, text, voice])).toEqual([
      [1, 'Hello.', 'Anna'],
      [2, 'Bye.', null],
    ]);
    expect(readTable('Hello.\tAnna\ten\tone').map(({ language, name }) => [language, name])).toEqual([['en', 'one']]);
  });

  it('whose header names no text has none to speak, rather than the names in its first column', () => {
    const rows = readTable('name,voice\nintro,Low bronze\n');
    expect(rows).toMatchObject([{ row: 2, text: '', problem: { code: 'table/no-text' } }]);
  });

  it('may begin with the delimiter, as spreadsheets write it, which is no row of theirs', () => {
    expect(readTable('\ufeffsep=;\r\ntext;voice\r\nHi there;Anna\r\n')).toMatchObject([
      { row: 2, text: 'Hi there', voice: 'Anna', problem: null },
    ]);
    expect(texts('sep=x\nHi.')).toEqual(['sep=x', 'Hi.']);
  });

  it('of one column may have commas in it', () => {
    expect(texts('Hello, world.\nBye.\nOne, two, three, four, five.')).toEqual([
      'Hello, world.',
      'Bye.',
      'One, two, three, four, five.',
    ]);
    expect(texts('Text\nHello, world.\n')).toEqual(['Hello, world.']);
    expect(texts('"Hello, ""world""."\nBye')).toEqual(['Hello, "world".', 'Bye']);
  });

  it('may have delimiters, quotes and line breaks in quotes', () => {
    expect(texts('text,voice\r\n"One, ""two""\r\nthree",Anna\r\nFour,Anna\r\n')).toEqual([
      'One, "two"\r\nthree',
      'Four',
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('may end its lines with %j, and counts rows as a spreadsheet does', (end) => {
    expect(
      readTable(['', 'text;voice', 'One;', '', ';', 'Two;'].join(end)).map(({ row, text }) => [row, text]),
    ).toEqual([
      [3, 'One'],
      [6, 'Two'],
    ]);
  });

  it('names what is wrong with each row, and reads the others', () => {
    const table = [
      'text,voice,language',
      'Good.,,en',
      ',Anna,en',
      'Hello, world.,Anna,en',
      '"Not closed,Anna,en',
      'Good "too",Anna,en',
      'Good.,Anna,englisch!',
      '…,Anna,',
      'Good.',
      '"Good, ""again"".",Anna,en_GB',
    ].join('\n');
    expect(problems(table)).toEqual([
      [3, 'table/no-text'],
      [4, 'table/columns'],
      [5, 'table/quotes'],
      [6, 'table/quotes'],
      [7, 'table/language'],
    ]);
    expect(
      readTable(table)
        .filter(({ problem }) => !problem)
        .map(({ text }) => text),
    ).toEqual(['Good.', '…', 'Good.', 'Good, "again".']);
  });

  it.each(['', '\n\n', 'text,voice\n', ',,\n'])('may be empty: %j', (table) => {
    expect(readTable(table)).toEqual([]);
  });

  it('that was written by the rules is read as it was', () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', 'B', ',', ';', '\t', '"', '\n', '\r', ' ', 'é') })
      .map((text) => `x${text}x`);
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), fc.constantFrom(',', ';', '\t'), (cells, delimiter) => {
        const table = ['text', ...cells.map((each) => `"${each.replaceAll('"', '""')}"`)].map(
          (each) => `${each}${delimiter}`,
        );
        expect(texts(table.join('\n'))).toEqual(cells);
      }),
    );
  });

  it('of any content is read without an error, with each row at most once', () => {
    const piece = fc.constantFrom('"', ',', ';', '\t', '\n', '\r\n', 'text', 'a', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        const rows = readTable(pieces.join('')).map(({ row }) => row);
        expect(rows).toEqual([...new Set(rows)].toSorted((a, b) => a - b));
      }),
    );
  });
});
