import { createAgo } from './ago.ts';
import { formatFor } from './format.ts';

const { count, number } = formatFor('en');
const ago = createAgo('en');

/** What stands in the catalogue of voices. */
export const enVoices = {
  number: (n: number) => count(n, { one: '# voice', other: '# voices' }),
  /** `of` is null while nobody knows how many there are. */
  match: (n: number, of: number | null) =>
    of === null ? count(n, { one: '# matches', other: '# match' }) : `${number(n)} of ${number(of)} match`,
  read: (seconds: number) => `read ${ago(seconds) ?? 'just now'}`,
  copyOf: (when: string) => `copy of ${when}`,
  fromCopy: (when: string) => `You see the copy of ${when}.`,
  readAgain: 'Read again',
  which: 'Which voices',
  all: 'All',
  favourites: 'Favourites',
  search: 'Search the voices',
  searchHint: 'Name, language, category',
  language: 'Language',
  gender: 'Gender',
  category: 'Category',
  anyLanguage: 'Any language',
  anyGender: 'Any gender',
  anyCategory: 'Any category',
  perPage: (n: number) => `${number(n)} a page`,
  perPageLabel: 'Voices per page',
  version: 'Data v2',
  versionHint: 'The version of the voices data that the service is asked for',
  pages: 'Pages',
  page: (n: number, of: number) => `Page ${number(n)} of ${number(of)}`,
  before: 'Previous page',
  next: 'Next page',
  about: 'About this voice',
  use: 'Use this voice',
  speak: 'Speak a text with it',
  inUse: 'In use',
  using: (name: string) => `Recordings are now converted to ${name}.`,
  favourite: 'Favourite',
  isFavourite: (name: string) => `${name} is a favourite.`,
  isNoFavourite: (name: string) => `${name} is no favourite any more.`,
  pitch: 'Pitch',
  speed: 'Speed',
  formats: 'Formats',
  id: 'Id',
  readingDetail: 'Reading what there is to say',
  noMatch: 'No voice fits these filters',
  fitWithout: (n: number, filter: string) =>
    count(n, { one: `# voice fits without “${filter}”.`, other: `# voices fit without “${filter}”.` }),
  noneWithout: 'None of them alone is the reason.',
  drop: (filter: string) => `Drop “${filter}”`,
  dropAll: 'Clear all filters',
  noFavourites: 'No favourites yet',
  noFavouritesHint: 'Mark a voice with its star or the key F, and it stands here.',
  showAll: 'Show all voices',
  empty: 'No voices yet',
  emptyHint: (connection: string) => `${connection} offers no voices.`,
  unread: 'The voices could not be read',
  keys: { move: 'move', details: 'about it', favourite: 'favourite', use: 'use this voice' },
};
