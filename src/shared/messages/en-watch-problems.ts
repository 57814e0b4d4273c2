import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';
import type { Facts } from '../errors.ts';

const format = formatFor('en');
const { count } = format;

function polls(facts: Facts): string {
  const seconds = numberFact(facts, 'seconds');
  return seconds === undefined
    ? 'Timbre checks it regularly instead.'
    : `Timbre checks it every ${format.length(seconds)} instead.`;
}

/** Problems of a watched folder and of the files in it. */
export const enWatchProblems: ProblemTextsOf<'watch'> = {
  'watch/not-a-folder': () => ({
    title: 'This isn’t a folder',
    advice: 'Choose the folder where you save recordings.',
  }),
  'watch/missing': (facts) => ({
    title: `Can’t find ${textFact(facts, 'folder') ?? 'the folder'}`,
    advice: 'Nothing is lost. Watching resumes when the disk or folder is back.',
  }),
  'watch/unreadable': () => ({
    title: 'Can’t open this folder',
    advice: 'Allow Timbre to read it. Nothing is lost; watching resumes automatically.',
  }),
  'watch/another-folder': () => ({
    title: 'Another folder has taken its place',
    advice:
      'Timbre doesn’t convert anything in it, and nothing is lost. Put the original folder back, or stop watching it and add this one.',
  }),
  'watch/overlaps': (facts) => ({
    title: `Overlaps with ${textFact(facts, 'folder') ?? 'another watched folder'}`,
    advice:
      'Recordings would be converted twice. Choose another folder, or include subfolders in the one you already watch.',
  }),
  'watch/elsewhere': (facts) => ({
    title: `Another Timbre watches ${textFact(facts, 'folder') ?? 'this folder'}`,
    advice: 'Recordings would be converted twice. This Timbre starts when the other one stops.',
  }),
  'watch/no-hints': (facts) => ({
    title: 'This disk doesn’t report changes',
    advice: sentences(polls(facts), 'New recordings are found a little later, but none are missed.'),
  }),
  'watch/too-many-folders': (facts) => ({
    title: 'The system can’t watch more folders',
    advice: sentences(
      polls(facts),
      'No recordings are missed. To find them at once, raise the limit fs.inotify.max_user_watches.',
    ),
  }),
  'watch/network-drive': (facts) => ({
    title: 'This folder is on a network drive',
    advice: sentences(
      polls(facts),
      'Recordings that other computers save there are found a little later, but none are missed.',
    ),
  }),
  'watch/unreadable-inside': (facts) => {
    const folder = textFact(facts, 'folder') ?? 'a subfolder';
    const others = (numberFact(facts, 'count') ?? 1) - 1;
    return {
      title:
        others > 0
          ? `Can’t open ${folder} and ${count(others, { one: '# other subfolder', other: '# other subfolders' })}`
          : `Can’t open ${folder}`,
      advice: 'Recordings in there aren’t converted. Allow Timbre to read it; everything else is still watched.',
    };
  },
  'watch/unreadable-name': (facts) => {
    const name = textFact(facts, 'name') ?? 'a file';
    const others = (numberFact(facts, 'count') ?? 1) - 1;
    return {
      title:
        others > 0
          ? `Can’t read the names of ${name} and ${count(others, { one: '# other', other: '# others' })}`
          : `Can’t read the name of ${name}`,
      advice: 'Files with names in an old encoding can’t be opened. Rename them and Timbre will find them.',
    };
  },
  'watch/length-open': () => ({
    title: 'Length unknown: it may still be recording',
    advice: 'Save it again, or convert what’s there.',
  }),
  'watch/length-unknown': () => ({
    title: 'Length unknown',
    advice: 'This folder has a daily limit in minutes, so this file is only converted if you choose to.',
  }),
  'watch/too-long': (facts) => {
    const minutes = numberFact(facts, 'minutes');
    return {
      title: 'Longer than the folder’s daily limit',
      advice: sentences(
        minutes === undefined ? undefined : `It is ${format.number(Math.ceil(minutes))} min long.`,
        'Raise the limit, or convert it once.',
      ),
    };
  },
  'watch/source-stays': (facts) => ({
    title: `Couldn’t move ${textFact(facts, 'name') ?? 'the original'}`,
    advice: 'It is converted. Move the original yourself, or allow Timbre to move it.',
  }),
  'watch/no-voice': (facts) => ({
    title: `“${textFact(facts, 'folder') ?? '?'}” doesn’t name a voice`,
    advice: 'Rename the subfolder after a voice, or convert it with the folder’s voice.',
  }),
  'watch/several-voices': (facts) => ({
    title: `Several voices are called “${textFact(facts, 'name') ?? '?'}”`,
    advice: 'Rename the subfolder to the ID of a voice, or convert it with the folder’s voice.',
  }),
  'watch/another-voice': (facts) => ({
    title: 'Converted with another voice before',
    advice: sentences(
      `It has the same content as ${textFact(facts, 'name') ?? 'another file'}.`,
      'Convert it to have it with this voice, too.',
    ),
  }),
};
