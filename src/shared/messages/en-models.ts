import { formatFor } from './format.ts';

const { count, number, list } = formatFor('en');

/** Each in quotation marks, because a folder may be called anything. */
const names = (folders: readonly string[]): string => list(folders.map((name) => `“${name}”`));

/** What stands in the list of a person's own voices. */
export const enModels = {
  lead: (connection: string) => `Voices that you made, kept by ${connection}`,
  leadLocal: 'Voices that you made, kept on this computer',
  readAgain: 'Read again',
  list: 'Your voices',
  name: 'Name',
  language: 'Language',
  gender: 'Gender',
  made: 'Made',
  id: 'Id',
  bell: 'Bell',
  range: (first: number, last: number, of: number) => `${number(first)} to ${number(last)} of ${number(of)}`,
  namesakes: (n: number) =>
    n === 2 ? 'one of two with this name' : count(n, { one: 'one of #', other: 'one of # with this name' }),
  loading: 'Reading your voices',
  empty: 'No voice of your own yet',
  emptyLocal: 'Give Timbre a recording of somebody who speaks, and it makes a voice of it.',
  emptyRemote: (connection: string) =>
    `Voices that you train at ${connection} stand here, to be used like any other, and to be deleted.`,
  make: 'Make a voice',
  makeTitle: 'Make a voice from a recording',
  makeLead:
    'The recording is listened to on this computer and not kept. One person speaking, without music, works best.',
  nameHint: 'What the voice is called',
  choose: 'Choose the recording…',
  making: 'Listening to the recording…',
  cancel: 'Cancel',
  nameTaken: (name: string) => `You have a voice “${name}” already. Give this one another name.`,
  wasMade: (name: string) => `${name} is made.`,
  about: 'The chosen voice',
  delete: 'Delete…',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  twoOfAName: 'Two of your models have this name. The service deletes by name, so it may delete either or both.',
  severalOfAName: (n: number) =>
    `${number(n)} of your models have this name. The service deletes by name, so it may delete any or all of them.`,
  forGood: (connection: string) => `The voice is removed at ${connection} and can’t be brought back.`,
  forGoodLocal: 'The voice is removed from this computer and can’t be brought back.',
  resultsStay: 'What was converted with it stays where it is.',
  isUsed: 'Recordings are converted to it just now: choose another voice then.',
  watched: (folders: readonly string[]) =>
    folders.length === 1
      ? `The watched folder ${names(folders)} converts to it: its next files will fail. Choose another voice there first.`
      : `${number(folders.length)} watched folders convert to it: ${names(folders)}. Their next files will fail. Choose another voice there first.`,
  waiting: (n: number) =>
    count(n, {
      one: '# recording still waits for it and will fail.',
      other: '# recordings still wait for it and will fail.',
    }),
  typeName: 'Type the name to confirm',
  deleteIt: 'Delete it',
  deleteBoth: 'Delete both',
  deleteAll: (n: number) => `Delete all ${number(n)}`,
  deleting: 'Deleting…',
  keep: 'Keep',
  deleted: (name: string) => `${name} is deleted.`,
  gone: (name: string) => `${name} was gone already. The list is read again.`,
  keys: { move: 'move', use: 'use this voice', delete: 'delete' },
};
