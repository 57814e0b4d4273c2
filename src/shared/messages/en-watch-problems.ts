import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';
import type { Facts } from '../errors.ts';

const format = formatFor('en');
const { count } = format;

function looksEvery(facts: Facts): string {
  const seconds = numberFact(facts, 'seconds');
  return seconds === undefined ? 'Timbre looks by itself instead.' : `Timbre looks every ${format.length(seconds)}.`;
}

/** Why a folder is not watched as it should be, and why a file of one is not converted. */
export const enWatchProblems: ProblemTextsOf<'watch'> = {
  'watch/not-a-folder': () => ({
    title: 'This is not a folder',
    advice: 'Choose the folder that recordings are saved in.',
  }),
  'watch/missing': (facts) => ({
    title: textFact(facts, 'folder') === undefined ? 'The folder is gone' : `There is no ${textFact(facts, 'folder')}`,
    advice: 'Nothing was forgotten. It goes on when the disk is back or the folder stands in its place again.',
  }),
  'watch/unreadable': () => ({
    title: 'This folder can’t be opened',
    advice: 'Allow Timbre to read it. Nothing was forgotten; it goes on by itself.',
  }),
  'watch/another-folder': () => ({
    title: 'Another folder stands in its place',
    advice:
      'Nothing of it is converted, and nothing was forgotten. Put the folder back, or stop watching and add this one.',
  }),
  'watch/overlaps': (facts) => {
    const folder = textFact(facts, 'folder');
    return {
      title: `It lies in ${folder ?? 'another watched folder'}, or holds it`,
      advice:
        'A recording would be converted twice. Choose another folder, or let the one that is watched take its subfolders.',
    };
  },
  'watch/elsewhere': () => ({
    title: 'Another Timbre watches this folder',
    advice: 'A recording would be converted twice. This one begins when the other one stops.',
  }),
  'watch/no-hints': (facts) => ({
    title: 'The system tells nothing of this disk',
    advice: sentences(looksEvery(facts), 'New recordings are found a little later, and none is missed.'),
  }),
  'watch/too-many-folders': (facts) => ({
    title: 'The system watches no more folders',
    advice: sentences(
      looksEvery(facts),
      'None is missed. To be told at once, raise its limit, fs.inotify.max_user_watches.',
    ),
  }),
  'watch/network-drive': (facts) => ({
    title: 'This folder is on a network drive',
    advice: sentences(
      looksEvery(facts),
      'What other computers save there is found a little later, and none is missed.',
    ),
  }),
  'watch/unreadable-inside': (facts) => {
    const folder = textFact(facts, 'folder');
    const others = (numberFact(facts, 'count') ?? 1) - 1;
    const which = folder === undefined ? 'A subfolder' : folder;
    return {
      title:
        others > 0
          ? `${which} and ${count(others, { one: '# other subfolder', other: '# other subfolders' })} can’t be opened`
          : `${which} can’t be opened`,
      advice: 'What is in there is not converted. Allow Timbre to read it; all else goes on.',
    };
  },
  'watch/unreadable-name': (facts) => {
    const name = textFact(facts, 'name') ?? 'A file';
    const others = (numberFact(facts, 'count') ?? 1) - 1;
    return {
      title:
        others > 0
          ? `The names of ${name} and ${count(others, { one: '# other', other: '# others' })} can’t be read`
          : `The name of ${name} can’t be read`,
      advice: 'Names in an old encoding can’t be opened. Rename them, and they are found.',
    };
  },
  'watch/length-open': () => ({
    title: 'The header leaves the length open',
    advice: 'It may still be recorded. Save it again, or convert what is there.',
  }),
  'watch/length-unknown': () => ({
    title: 'Its length can’t be told',
    advice: 'The folder has a limit of minutes a day, so this one is converted only when you say so.',
  }),
  'watch/too-long': (facts) => {
    const minutes = numberFact(facts, 'minutes');
    return {
      title: 'Longer than the folder’s minutes of a day',
      advice:
        minutes === undefined
          ? 'Raise the limit, or convert it once.'
          : `It takes ${format.number(Math.ceil(minutes))} min. Raise the limit, or convert it once.`,
    };
  },
  'watch/source-stays': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'The original'} stayed where it was`,
    advice: 'It is converted, but could not be moved. Move it yourself, or allow Timbre to.',
  }),
};
