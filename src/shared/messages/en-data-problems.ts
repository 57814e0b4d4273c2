import type { Facts } from '../errors.ts';
import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('en');

function placeOf(facts: Facts): string | undefined {
  const name = textFact(facts, 'name');
  return name === undefined ? undefined : `It is kept in ${name}.`;
}

function rescued(facts: Facts): string | undefined {
  const jobs = numberFact(facts, 'count');
  const lost = numberFact(facts, 'lost') ?? 0;
  if (jobs === undefined) return undefined;
  const all = `${format.number(jobs)} ${jobs === 1 ? 'job was' : 'jobs were'} rescued`;
  return lost === 0 ? `${all}, none is missing.` : `${all}, ${format.number(lost)} could not be read.`;
}

/** Why the record of all work is not read as it stands. */
export const enDataProblems: ProblemTextsOf<'data'> = {
  'data/unreadable': (facts) => ({
    title: 'The list of your jobs could not be opened',
    advice: sentences(
      placeOf(facts),
      'Nothing was changed. Check that the disk is there and that you may write to it, then try again.',
    ),
  }),
  'data/newer': () => ({
    title: 'A newer Timbre wrote this data',
    advice: 'Install the newest Timbre to go on with it. Nothing was changed.',
  }),
  'data/unreleased': (facts) => ({
    title: 'A development version of Timbre wrote this data',
    advice: sentences(
      placeOf(facts),
      'Nothing was changed. To go on with it, export the history with that version. Then move the file away, start Timbre and import the history.',
    ),
  }),
  'data/damaged': (facts) => ({
    title: 'Timbre’s record of your work was damaged, and was put right',
    advice: sentences(
      rescued(facts),
      'No recording was touched.',
      textFact(facts, 'name') && `The damaged file is kept as ${textFact(facts, 'name') ?? ''}.`,
    ),
  }),
  'data/in-use': () => ({
    title: 'Timbre’s record of your work is damaged, and is in use',
    advice:
      'Nothing was deleted. End other commands of Timbre, then close Timbre and open it again: it puts the record right.',
  }),
  'data/unchecked': () => ({
    title: 'Timbre could not check its record of your work',
    advice:
      'Work goes on. Close Timbre and open it again to check; if this is told again, look at the disk that holds its data.',
  }),
  'data/not-writable': () => ({
    title: 'Timbre can’t save its record of your work',
    advice:
      'Make room on the disk that holds Timbre’s data, and check that you may write to it. Nothing is forgotten; it goes on by itself.',
  }),
};
