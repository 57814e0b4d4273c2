import type { Problem } from '../errors.ts';
import type { Sliced } from '../time-slicing.ts';
import { binaryCharacters } from './control-characters.ts';
import { foldText } from './fold-text.ts';

/** A row of a table that is spoken. */
export interface TableRow {
  /** As a spreadsheet counts, from 1; the header and blank rows count. */
  readonly row: number;
  readonly text: string;
  /** Name or id of a voice, a language and the name of the result; null where the table leaves it open. */
  readonly voice: string | null;
  readonly language: string | null;
  readonly name: string | null;
  /** Why the row cannot be spoken; null if it can. */
  readonly problem: Problem | null;
}

type Column = 'text' | 'voice' | 'language' | 'name';

const columns: readonly Column[] = ['text', 'voice', 'language', 'name'];
/** What columns are called in the languages of Timbre, without blanks. The first of each language is what the window calls it. */
const names: Readonly<Record<Column, string>> = {
  text: 'text النص نص texto texte testo テキスト 文章 本文 텍스트 본문 문장 tekst текст 文本 正文 文字',
  voice: 'voice الصوت صوت stimme voz voix voce ボイス 音声 声 목소리 음성 głos голос 音色 语音 声音',
  language: 'language اللغة لغة sprache idioma lengua langue lingua 言語 언어 język língua язык 语言',
  name:
    'name file filename الاسم اسم الملف ملف اسمالملف datei dateiname nombre archivo nombredearchivo nombredelarchivo ' +
    'nom fichier nomdefichier nomdufichier nome nomefile nomedelfile 名前 ファイル ファイル名 이름 파일 파일명 파일이름 ' +
    'nazwa plik nazwapliku arquivo nomedoarquivo nomedearquivo имя файл имяфайла 名称 文件 文件名 文件名称',
};

/** "File name" and "file_name" are one name, whatever their accents. */
const columnName = (field: string): string => foldText(field).replace(/[\s_-]/g, '');

const columnByName: ReadonlyMap<string, Column> = new Map(
  columns.flatMap((column) => names[column].split(' ').map((name) => [columnName(name), column] as const)),
);

interface CsvRecord {
  readonly fields: readonly string[];
  /** False if its quotes do not match. */
  readonly isQuotedWell: boolean;
}

/** Reading these takes a fraction of a millisecond. */
const recordsPerSlice = 100;

const delimiters = ['\t', ';', ','] as const;
type Delimiter = (typeof delimiters)[number] | null;

/** Finds what may end a field. */
const fieldEnd = (delimiter: Delimiter): RegExp =>
  delimiter === null ? /["\r\n]|$/g : new RegExp(`["\\r\\n${delimiter}]|$`, 'g');

/** One field, from `at`; undefined if its quotes do not match. `end` is where the delimiter or the line break is. */
function readField(text: string, at: number, plain: RegExp): { field: string; end: number } | undefined {
  const endAt = (from: number): number => {
    plain.lastIndex = from;
    return plain.exec(text)?.index ?? text.length;
  };
  if (text[at] !== '"') {
    const end = endAt(at);
    return text[end] === '"' ? undefined : { field: text.slice(at, end), end };
  }
  const parts: string[] = [];
  for (let from = at + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return undefined;
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') {
      const end = quote + 1;
      return endAt(end) === end ? { field: parts.join(''), end } : undefined;
    }
    parts.push('"');
    from = quote + 2;
  }
}

/**
 * Reads records as RFC 4180 has them, with any of three line breaks. A record whose quotes do not match ends with its line, so
 * that a forgotten one does not take the rest of the table along. https://www.rfc-editor.org/rfc/rfc4180
 */
function* recordsOf(text: string, delimiter: Delimiter): Sliced<readonly CsvRecord[]> {
  const records: CsvRecord[] = [];
  const plain = fieldEnd(delimiter);
  const lineBreak = /\r\n|\n|\r|$/g;
  for (let at = 0; at < text.length;) {
    const fields: string[] = [];
    let isQuotedWell = true;
    let end: number;
    for (let from = at; ;) {
      const read = readField(text, from, plain);
      if (!read) {
        isQuotedWell = false;
        lineBreak.lastIndex = at;
        end = lineBreak.exec(text)?.index ?? text.length;
        break;
      }
      fields.push(read.field);
      end = read.end;
      if (delimiter === null || text[end] !== delimiter) break;
      from = end + 1;
    }
    records.push({ fields, isQuotedWell });
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (records.length % recordsPerSlice === 0) yield;
  }
  return records;
}

const isBlank = ({ fields }: CsvRecord): boolean => fields.every((field) => field.trim() === '');

/** Which column each field of a header is; undefined if the record is none: it names neither the text nor only other columns. */
function headerOf({ fields }: CsvRecord): readonly (Column | undefined)[] | undefined {
  const named = fields.map((field) => columnByName.get(columnName(field)));
  const isOnlyNames = named.length > 1 && !named.includes(undefined);
  return named.includes('text') || isOnlyNames ? named : undefined;
}

interface Layout {
  readonly records: readonly CsvRecord[];
  readonly columns: readonly (Column | undefined)[];
  readonly hasHeader: boolean;
}

/** Most tables without a header have as many fields in most rows; one with commas in its only column does not. */
const consistentShare = 0.8;

function* layoutOf(text: string): Sliced<Layout> {
  const wide: Layout[] = [];
  for (const delimiter of delimiters) {
    const records = yield* recordsOf(text, delimiter);
    const first = records.find((record) => !isBlank(record));
    if (!first && records.every(({ isQuotedWell }) => isQuotedWell)) return { records: [], columns, hasHeader: false };
    const header = first && headerOf(first);
    if (header && header.length > 1) return { records, columns: header, hasHeader: true };
    const counts = new Map<number, number>();
    let filled = 0;
    for (const [k, record] of records.entries()) {
      if (k % recordsPerSlice === 0) yield;
      if (isBlank(record)) continue;
      filled += 1;
      counts.set(record.fields.length, (counts.get(record.fields.length) ?? 0) + 1);
    }
    const [width = 1, count = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
    if (width > 1 && width <= columns.length && count >= consistentShare * filled)
      wide.push({ records, columns: columns.slice(0, width), hasHeader: false });
  }
  const [best] = wide;
  if (best) return best;
  const records = yield* recordsOf(text, null);
  const first = records.find((record) => !isBlank(record));
  return { records, columns: ['text'], hasHeader: first !== undefined && headerOf(first) !== undefined };
}

const languageTag = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8}){0,4}$/i;

/** What spreadsheets write before the first row, and do not count as one: a byte order mark, and which delimiter they chose. */
const preamble = /^\ufeff?(?:sep=[;,\t|][ \t]*(?:\r\n|\n|\r))?/i;

/** Reads the rows of a comma-, semicolon- or tab-separated table. Rows without anything in them are left out. */
export function* readTableSliced(text: string): Sliced<readonly TableRow[]> {
  const { records, columns: order, hasHeader } = yield* layoutOf(text.replace(preamble, ''));
  const rows: TableRow[] = [];
  let isHeader = hasHeader;
  for (const [k, record] of records.entries()) {
    if (k % recordsPerSlice === 0) yield;
    if (isBlank(record) && record.isQuotedWell) continue;
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const { fields } = record;
    const field = (column: Column): string | null => fields[order.indexOf(column)]?.trim() || null;
    const row = { row: k + 1, text: field('text') ?? '', voice: field('voice'), language: field('language') };
    rows.push({ ...row, name: field('name'), problem: problemOf(record, order.length, row) });
  }
  return rows;
}

function problemOf(
  { fields, isQuotedWell }: CsvRecord,
  width: number,
  { text, language }: Pick<TableRow, 'text' | 'language'>,
): Problem | null {
  if (!isQuotedWell) return { code: 'table/quotes' };
  const extra = fields.slice(width).some((field) => field.trim() !== '');
  if (extra) return { code: 'table/columns', facts: { actual: fields.length, expected: width } };
  if (text === '') return { code: 'table/no-text' };
  if (binaryCharacters.test(text)) return { code: 'input/not-text' };
  if (language !== null && !languageTag.test(language)) return { code: 'table/language', facts: { language } };
  return null;
}
