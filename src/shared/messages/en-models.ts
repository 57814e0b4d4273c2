import { formatFor } from './locale-format.ts';

const { count, number, list } = formatFor('en');

/** Quoted, because a folder name may contain anything. */
const names = (folders: readonly string[]): string => list(folders.map((name) => `“${name}”`));

/** The Models view: voices that the user created. */
export const enModels = {
  lead: (connection: string) => `Your custom voices at ${connection}`,
  leadLocal: 'Your custom voices on this computer',
  refresh: 'Refresh',
  list: 'Your voices',
  name: 'Name',
  language: 'Language',
  gender: 'Gender',
  createdAt: 'Created',
  id: 'ID',
  icon: 'Icon',
  range: (first: number, last: number, of: number) => `${number(first)}–${number(last)} of ${number(of)}`,
  namesakes: (n: number) => (n === 2 ? 'one of two with this name' : `one of ${number(n)} with this name`),
  loading: 'Loading your voices',
  empty: 'No custom voices yet',
  emptyLocal: 'Timbre can create a voice from a recording of someone speaking.',
  emptyRemote: (connection: string) =>
    `Voices that you train at ${connection} appear here. You can use them like any other voice, and delete them.`,
  create: 'Create voice',
  createTitle: 'Create a voice from a recording',
  createLead:
    'The recording is analysed on this computer and isn’t kept. One person speaking, without music, works best.',
  nameHint: 'Name of the voice',
  choose: 'Choose recording…',
  creating: 'Analysing the recording…',
  cancel: 'Cancel',
  nameTaken: (name: string) => `You already have a voice “${name}”. Choose another name.`,
  created: (name: string) => `${name} created`,
  about: 'Selected voice',
  delete: 'Delete…',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  twoWithName: 'Two of your models have this name. The service deletes by name, so it may delete either or both.',
  severalWithName: (n: number) =>
    `${number(n)} of your models have this name. The service deletes by name, so it may delete any or all of them.`,
  permanent: (connection: string) => `The voice is deleted at ${connection}. You can’t undo this.`,
  permanentLocal: 'The voice is deleted from this computer. You can’t undo this.',
  resultsStay: 'Recordings that you converted with it are kept.',
  isCurrent: 'This is your current voice: choose another one afterwards.',
  watched: (folders: readonly string[]) =>
    folders.length === 1
      ? `The watched folder ${names(folders)} uses it, so its next files will fail. Choose another voice there first.`
      : `${number(folders.length)} watched folders use it: ${names(folders)}. Their next files will fail. Choose another voice there first.`,
  waiting: (n: number) =>
    count(n, {
      one: '# waiting recording uses it and will fail.',
      other: '# waiting recordings use it and will fail.',
    }),
  typeName: 'Type the name to confirm',
  deleteIt: 'Delete',
  deleteBoth: 'Delete both',
  deleteAll: (n: number) => `Delete all ${number(n)}`,
  deleting: 'Deleting…',
  deleted: (name: string) => `${name} deleted`,
  alreadyDeleted: (name: string) => `${name} was already deleted. The list has been refreshed.`,
  keys: { move: 'move', use: 'use this voice', delete: 'delete' },
};
