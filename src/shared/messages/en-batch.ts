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
