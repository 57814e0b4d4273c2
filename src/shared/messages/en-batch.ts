import { badRowsOf, numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

/** Problems of rows of a table that is spoken, and what is said of subtitles. */
export const enBatchProblems: ProblemTextsOf<'table' | 'speech'> = {
  'table/no-text': () => ({
    title: 'No text to speak',
    advice: 'Write the text in the first column, or in the one named “text”.',
  }),
  'table/columns': (facts) => ({
    title: `${numberFact(facts, 'actual') ?? 'More'} columns instead of ${numberFact(facts, 'expected') ?? 'fewer'}`,
    advice: 'Put the text in quotation marks if it has commas or semicolons in it.',
  }),
  'table/quotes': () => ({
    title: 'A quotation mark is missing or too many',
    advice: 'Put the text in quotation marks, and write each one within it twice.',
  }),
  'table/language': (facts) => ({
    title: `${textFact(facts, 'language') ?? 'This'} isn’t a language`,
    advice: 'Write a tag such as en-GB, or leave it empty for the language of the voice.',
  }),
  'table/no-voice': (facts) => ({
    title: `No voice is called ${textFact(facts, 'name') ?? 'that'}`,
    advice: 'Write the name or id of a voice as the connection lists it.',
  }),
  'table/several-voices': (facts) => ({
    title: `Several voices are called ${textFact(facts, 'name') ?? 'that'}`,
    advice: 'Write the id of the one you mean.',
  }),
  'table/too-many-rows': (facts) => ({
    title: 'Too many texts at once',
    advice: sentences(
      `The limit is ${format.number(numberFact(facts, 'limit') ?? 0)}, and these are ${format.number(numberFact(facts, 'actual') ?? 0)}.`,
      'Split the table into several files.',
    ),
  }),
  'table/bad-rows': (facts) => ({
    title: count(numberFact(facts, 'count') ?? 0, { one: '# row can’t be spoken', other: '# rows can’t be spoken' }),
    advice: sentences(
      ...badRowsOf(facts).map(({ row, code }) => `Row ${row}: ${enBatchProblems[code]({}).title}.`),
      'Correct them and save the table. Only these rows are then spoken.',
    ),
  }),
  'speech/late-cues': (facts) => ({
    title: count(numberFact(facts, 'count') ?? 0, {
      one: '# subtitle starts late',
      other: '# subtitles start late',
    }),
    advice: `The speech before ${numberFact(facts, 'count') === 1 ? 'it' : 'them'} is longer than its time, by up to ${format.number(numberFact(facts, 'seconds') ?? 0)} s. A higher speed makes it fit.`,
  }),
};

/** Texts of files that are spoken together, in the Speech view. */
export const enBatch = {
  list: 'Texts of the files',
  files: (n: number) => count(n, { one: '# file', other: '# files' }),
  close: 'Close the files',
  edit: 'Edit as text',
  loading: 'Reading the texts',
  chapters: { label: 'Results', each: 'A file per chapter', whole: 'One file' },
  columns: { row: 'Row', text: 'Text', voice: 'Voice', language: 'Language', name: 'Name', state: 'To speak' },
  subtitles: (n: number) => count(n, { one: '# subtitle', other: '# subtitles' }),
  spoken: 'Spoken, free',
  left: (n: number, characters: number) =>
    `${count(n, { one: '# text', other: '# texts' })}, ${count(characters, { one: '# character', other: '# characters' })} to speak`,
  allSpoken: (n: number) => count(n, { one: 'The text is spoken', other: 'All # texts are spoken' }),
  bad: (n: number) =>
    count(n, { one: '# text can’t be spoken and is left out', other: '# texts can’t be spoken and are left out' }),
  speak: (n: number) => count(n, { one: 'Speak # text', other: 'Speak # texts' }),
  added: (added: number, known: number) =>
    sentences(
      added > 0 || known === 0
        ? `${count(added, { one: '# text', other: '# texts' })} added to the list below.`
        : undefined,
      known > 0 ? count(known, { one: '# was already there.', other: '# were already there.' }) : undefined,
    ),
};
