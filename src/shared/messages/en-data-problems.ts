import type { Facts } from '../errors.ts';
import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');

function locationOf(facts: Facts): string | undefined {
  const name = textFact(facts, 'name');
  return name === undefined ? undefined : `It is stored in ${name}.`;
}

function recovered(facts: Facts): string | undefined {
  const jobs = numberFact(facts, 'count');
  const lost = numberFact(facts, 'lost');
  if (jobs === undefined) return undefined;
  const all = `${format.number(jobs)} ${jobs === 1 ? 'job was' : 'jobs were'} recovered`;
  if (lost === undefined) return `${all}. Some may be missing.`;
  return lost === 0 ? `${all}, and none are missing.` : `${all}, and ${format.number(lost)} couldn’t be read.`;
}

/** Problems of the database, which the user knows as “Timbre’s data”. */
export const enDataProblems: ProblemTextsOf<'data'> = {
  'data/unreadable': (facts) => ({
    title: 'Can’t open the list of your jobs',
    advice: sentences(
      locationOf(facts),
      'Nothing was changed. Check that the disk is connected and that you may write to it, then try again.',
    ),
  }),
  'data/newer': () => ({
    title: 'This data is from a newer version of Timbre',
    advice: 'Install the latest version to use it. Nothing was changed.',
  }),
  'data/unreleased': (facts) => ({
    title: 'This data is from a development version of Timbre',
    advice: sentences(
      locationOf(facts),
      'Nothing was changed. To keep it, export the history with that version. Then move the file away, start Timbre and import the history.',
    ),
  }),
  'data/damaged': (facts) => {
    const name = textFact(facts, 'name');
    if (name === undefined) {
      return {
        title: 'Timbre’s data is damaged',
        advice: 'Nothing more is sent. Close Timbre and open it again to repair the data.',
      };
    }
    return {
      title: 'Timbre’s data was damaged and has been repaired',
      advice: sentences(recovered(facts), 'Your recordings weren’t touched.', `The damaged file is kept as ${name}.`),
    };
  },
  'data/in-use': () => ({
    title: 'Timbre’s data is damaged and in use',
    advice: 'Nothing was deleted. Stop other Timbre commands, then close Timbre and open it again to repair the data.',
  }),
  'data/unchecked': () => ({
    title: 'Timbre couldn’t check its data',
    advice:
      'You can keep working. Close Timbre and open it again to check; if you see this again, check the disk that holds the data.',
  }),
  'data/new-here': () => ({
    title: 'Timbre’s portable data is new on this computer',
    advice:
      'The queue and the watched folders are paused, the program after each result is off, and results are placed beside their originals. Turn on what you need.',
  }),
  'data/safe-start': () => ({
    title: 'Timbre was started safely',
    advice:
      'The queue and the watched folders are paused. Until you quit, Timbre works offline with the default settings, and doesn’t keep changes to them. Nothing was deleted. Resume what you need, or quit and open Timbre again to have your settings back.',
  }),
  'data/portable-not-writable': (facts) => ({
    title: 'Timbre can’t write to its portable data',
    advice: sentences(
      locationOf(facts),
      'Free up space on that disk, and check that you may write to it. To use the data of this computer instead, rename the folder.',
    ),
  }),
  'data/not-writable': () => ({
    title: 'Timbre can’t save its data',
    advice:
      'Free up space on the disk that holds Timbre’s data, and check that you may write to it. Nothing is lost; Timbre resumes automatically.',
  }),
};
