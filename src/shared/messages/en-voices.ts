import { createAgo, formatFor } from './locale-format.ts';

const { clockLength, count, number } = formatFor('en');
const tenths = (seconds: number) => number(Math.round(seconds * 10) / 10);
const conversions = (n: number) => count(n, { one: '# conversion', other: '# conversions' });
const ago = createAgo('en');

/** The Voices view. */
export const enVoices = {
  number: (n: number) => count(n, { one: '# voice', other: '# voices' }),
  /** `of` is null if the total is unknown. */
  match: (n: number, of: number | null) =>
    of === null ? count(n, { one: '# matches', other: '# match' }) : `${number(n)} of ${number(of)} match`,
  updated: (seconds: number) => `updated ${ago(seconds) ?? 'just now'}`,
  copyOf: (when: string) => `saved copy from ${when}`,
  fromCopy: (when: string) => `This is the saved copy from ${when}.`,
  refresh: 'Refresh',
  filters: 'Filter voices',
  all: 'All',
  favourites: 'Favourites',
  order: 'Order',
  orders: { service: 'Default order', name: 'By name', pitch: 'Low to high', recent: 'Used lately' },
  search: 'Search voices',
  searchHint: 'Name, language, note',
  language: 'Language',
  gender: 'Gender',
  category: 'Category',
  anyLanguage: 'Any language',
  anyGender: 'Any gender',
  anyCategory: 'Any category',
  version: 'Data v2',
  versionHint: 'The version of the voice data that Timbre requests',
  pages: 'Pages',
  page: (n: number, of: number) => `Page ${number(n)} of ${number(of)}`,
  before: 'Previous page',
  next: 'Next page',
  about: 'About this voice',
  use: 'Use this voice',
  speak: 'Speak a text',
  inUse: 'In use',
  using: (name: string) => `Recordings are now converted to ${name}.`,
  favourite: 'Favourite',
  favouriteAdded: (name: string) => `${name} added to favourites`,
  favouriteRemoved: (name: string) => `${name} removed from favourites`,
  note: 'Your note',
  noteHint: 'What you use it for',
  hasNote: 'has a note',
  similar: {
    title: 'Sounds similar',
    pitch: (hz: number) => `${number(Math.round(hz))} Hz`,
    unheard: 'Listen to this voice to compare its sound with the voices you have heard.',
    onlyOne: 'Listen to more voices: only voices you have heard can be compared.',
    none: (n: number) =>
      count(n, {
        one: 'Not the one other voice you have heard. Listen to more to find some.',
        other: 'None of the # other voices you have heard. Listen to more to find some.',
      }),
    basis: (n: number) =>
      count(n, {
        one: 'By measured pitch and brightness, of the one other voice you have heard.',
        other: 'By measured pitch and brightness, of the # other voices you have heard.',
      }),
  },
  pitch: 'Pitch',
  speed: 'Speed',
  formats: 'Formats',
  id: 'ID',
  loadingDetails: 'Loading details',
  noMatch: 'No voices match these filters',
  matchWithout: (n: number, filter: string) =>
    count(n, { one: `# voice matches without “${filter}”.`, other: `# voices match without “${filter}”.` }),
  noneWithout: 'Removing a single filter won’t help.',
  removeFilter: (filter: string) => `Remove “${filter}”`,
  clearFilters: 'Clear all filters',
  noFavourites: 'No favourites yet',
  noFavouritesHint: 'Select a voice’s star or press F to add it here.',
  showAll: 'Show all voices',
  empty: 'No voices yet',
  emptyHint: (connection: string) => `${connection} offers no voices.`,
  loadFailed: 'Can’t load the voices',
  keys: { move: 'move', details: 'details', favourite: 'favourite', use: 'use' },
};

/** Previews of voices, in every list of voices. */
export const enPreview = {
  listen: 'Listen',
  listenTo: (name: string) => `Listen to ${name}`,
  stop: 'Stop',
  playing: 'playing',
  loading: 'Preparing',
  text: 'Preview text',
  textHint: 'A sentence in the voice’s language',
  with: 'Listen to voices with',
  choices: { sentence: 'Sentence', text: 'Own text', recording: 'Recording' },
  onRecording: (name: string) => `On your recording ${name}`,
  recording: {
    title: 'Try voices on your recording',
    hint: 'Hear up to ten seconds of your own recording in any voice.',
    choose: 'Choose recording…',
    chooseOther: 'Choose another…',
    change: 'Change part…',
    remove: 'Remove the recording from Timbre',
    drop: 'Drop a recording to try voices on it',
    opening: 'Reading the recording',
    stillKept: 'Voices are still heard on the part you chose before.',
    lead: 'Every voice you listen to says this part.',
    part: 'Part',
    start: 'Beginning of the part',
    end: 'End of the part',
    span: (start: number, seconds: number) =>
      `${clockLength(start)} to ${clockLength(start + seconds)}, ${tenths(seconds)}\u00a0s`,
    of: (all: number) => `of ${clockLength(all)}`,
    listen: 'Listen',
    use: 'Use this part',
    keeping: 'Keeping the part',
    keys: { move: 'move', resize: 'longer or shorter' },
  },
  keys: { listen: 'listen' },
  question: {
    first: {
      title: (name: string) => `Listen to ${name}?`,
      lead: (service: string) =>
        `${service} has to speak this text and may charge for it. Timbre keeps the recording, so each voice is requested once. From now on, selecting a voice of this connection is enough.`,
    },
    lost: {
      title: (name: string) => `Request the preview of ${name} again?`,
      lead: (service: string) =>
        `The reply to an earlier request was lost. ${service} may have charged for it and may charge again.`,
    },
    gone: {
      title: (name: string) => `Request the preview of ${name} again?`,
      lead: (service: string) =>
        `The recording of an earlier request is no longer on this computer. ${service} may charge for it again.`,
    },
    tried: {
      title: (name: string) => `Try ${name} on your recording?`,
      lead: (service: string, seconds: number) =>
        `Each voice you try is one conversion of ${tenths(seconds)}\u00a0s at ${service}, which may charge for it. Timbre keeps the result, so each voice is converted once. From now on, selecting a voice of this connection is enough for this part.`,
    },
    confirm: 'Listen',
    cancel: 'Cancel',
  },
};

/** Comparing voices side by side. */
export const enCompare = {
  title: 'Compare voices',
  compare: 'Compare',
  addAnother: 'Add another voice to compare.',
  full: 'Four voices can be compared. Remove one first.',
  clear: 'Clear',
  takeOut: (name: string) => `Remove ${name} from the comparison`,
  added: (name: string) => `${name} added to the comparison`,
  removed: (name: string) => `${name} removed from the comparison`,
  compared: 'compared as',
  counts: (cached: number, of: number, calls: number) =>
    `${cached === 0 ? 'None' : number(cached)} of ${number(of)} previews ${cached === 1 ? 'is' : 'are'} on this computer. The others take ${count(calls, { one: '# speech call', other: '# speech calls' })}.`,
  countsOfRecording: (cached: number, of: number, calls: number, seconds: number) =>
    `${cached === 0 ? 'None' : number(cached)} of ${number(of)} previews ${cached === 1 ? 'is' : 'are'} on this computer. The others take ${conversions(calls)} of ${tenths(seconds)}\u00a0s.`,
  cost: (service: string) => `${service} may charge for each. Timbre keeps the recordings, so each is requested once.`,
  repeated: (n: number) =>
    count(n, {
      one: '# of them was requested before and may be charged for again.',
      other: '# of them were requested before and may be charged for again.',
    }),
  agree: (n: number) => count(n, { one: 'Request # preview', other: 'Request # previews' }),
  preparing: 'Preparing the previews',
  equallyLoud: 'All play at the same instant and equally loud.',
  use: (name: string) => `Use ${name}`,
  keys: { switch: 'switch', play: 'play or pause', compare: 'compare' },
};
