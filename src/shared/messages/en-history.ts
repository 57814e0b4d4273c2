import {
  longestQuery,
  type RepeatResult,
  type HistoryExport,
  type HistoryImport,
  type HistoryRemoval,
  type QueryError,
} from '../schemas/history.ts';
import { sentences } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('en');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# recording', other: '# recordings' });
const entries = (n: number) => count(n, { one: '# entry', other: '# entries' });
const files = (n: number) => count(n, { one: '# file', other: '# files' });

function leftOut(n: number, name: string | null): string {
  if (name === null) return count(n, { one: '# was left out.', other: '# were left out.' });
  return n === 1 ? `${name} was left out.` : `${format.number(n)} were left out, the first is ${name}.`;
}

const fault: Readonly<Record<QueryError['kind'], (word: string) => string>> = {
  empty: (word) => `“${word}” needs a word after the colon.`,
  'unknown-filter': (word) => `There is no filter “${word}”. Put it in quotes to search for it as words.`,
  'bad-date': (word) => `“${word}” is no date. Write it as 2026, 2026-11 or 2026-11-18.`,
  'bad-value': (word) => `“${word}” does not fit this filter. Choose one of those that are offered.`,
  'no-word': (word) => `“${word}” is no word. Write a letter, a digit or an emoji to search for.`,
  'too-long': () => `Only the first ${format.number(longestQuery)} characters are searched for. Shorten the search.`,
  'open-quote': () => 'A quotation mark is open. Close it, or take it away.',
};

/** Everything that was ever made, and how it is found again. */
export const enHistory = {
  label: 'Recordings',
  count: (matches: number, all: number) =>
    matches === all ? recordings(all) : `${format.number(matches)} of ${recordings(all)}`,
  loading: 'Reading the history',
  emptyTitle: 'Nothing here yet',
  empty: 'Everything that you convert or have spoken is kept here, searchable, also without a network.',
  toConvert: 'Convert a recording',
  noMatchTitle: 'Nothing matches',
  noMatch: (all: number) => `None of ${recordings(all)} fits this search.`,
  drop: (filter: string) => `Drop “${filter}”`,
  clear: 'Clear the search',
  today: 'Today',
  yesterday: 'Yesterday',
  day: (n: number, seconds: number) =>
    seconds > 0 ? `${recordings(n)}, ${format.longLength(seconds)}` : recordings(n),
  import: 'Import',
  importHint: 'Import a list that Timbre exported',
  export: 'Export',
  exportList: 'Export list…',
  exportSound: 'Export list and sound…',
  search: {
    label: 'Search history',
    hint: 'Names, texts, voices, folders',
    suggestions: 'How the search may go on',
    filter: (name: string, value: string, isNot: boolean) => `${isNot ? 'not ' : ''}${name}: ${value}`,
    removeFilter: (filter: string) => `Remove the filter ${filter}`,
    names: {
      voice: 'voice',
      status: 'state',
      kind: 'kind',
      from: 'from',
      after: 'since',
      before: 'before',
      language: 'language',
      tag: 'tag',
      is: 'is',
    },
    values: {
      done: 'done',
      failed: 'failed',
      cancelled: 'cancelled',
      uncertain: 'uncertain',
      conversion: 'conversion',
      speech: 'speech',
      favourite: 'favourite',
    } as Readonly<Record<string, string>>,
    time: 'Time',
    anyTime: 'Any time',
    today: 'Today',
    week: 'Last 7 days',
    month: 'Last 30 days',
    year: 'This year',
    otherTime: 'As written',
    filters: 'Filters',
    favourites: 'Favourites',
    failed: 'Failed',
    conversions: 'Conversions',
    speech: 'Speech',
    byVoice: 'By voice…',
    byTag: 'By tag…',
    byLanguage: 'By language…',
    fault: (kind: QueryError['kind'], word: string) => fault[kind](word),
  },
  spine: {
    label: 'Months',
    at: (month: string, matches: number) => `${month}, ${recordings(matches)}`,
  },
  row: {
    speech: 'Speech',
    watched: 'From a watched folder',
    favourite: 'Favourite',
    waiting: 'Being read',
    gone: 'File moved or deleted.',
    away: 'On a disk that is not here.',
    find: 'Find it',
    uncertain: 'The answer was lost',
  },
  state: { done: 'Done', failed: 'Failed', cancelled: 'Cancelled', uncertain: 'Uncertain' },
  actions: {
    more: 'More',
    listen: 'Listen',
    show: 'Show file',
    again: 'Again',
    changed: 'Again with changes…',
    otherVoice: 'Again with another voice…',
    copy: 'Copy path',
    tags: 'Tags…',
    favourite: 'Mark as favourite',
    noFavourite: 'Take the mark away',
    export: 'Export…',
    exportSound: 'Export with sound…',
    remove: 'Remove…',
  },
  pane: {
    label: 'Chosen recording',
    nothing: 'Choose a recording to see all about it.',
    drag: 'Drag the waveform out of the window to copy the file.',
    goneResult: 'The file was moved or deleted.',
    goneSource: 'The original was moved or deleted.',
    changedSource: 'The original has been changed since: find the recording as it was, if you still have it.',
    awayResult: 'The file is on a disk that is not here. It is found again when the disk is back.',
    changedResult: 'The file has been changed since Timbre wrote it.',
    makeAgain: 'Make it again',
    text: 'Text',
    several: (n: number) => `${recordings(n)} chosen`,
    together: (seconds: number) => `${format.longLength(seconds)} together`,
    others: 'Other results of this source',
    listenTo: (name: string) => `Listen to ${name}`,
  },
  facts: {
    voice: 'Voice',
    changed: 'Changed',
    through: 'Through',
    took: 'Took',
    from: 'From',
    folder: (name: string) => `watched folder ${name}`,
    byHand: 'added by hand',
    when: 'When',
    original: 'Original',
    result: 'Result',
    state: 'State',
    task: 'Task',
    attempts: 'Attempts',
    tags: 'Tags',
    addTag: 'Add a tag',
    removeTag: (tag: string) => `Remove the tag ${tag}`,
    unknownSize: 'size not known',
  },
  again: {
    title: 'Same again with changes',
    convert: 'Convert again',
    speak: 'Speak again',
    sending: 'Adding to the queue',
    cancel: 'Cancel',
    same: 'Nothing changed yet.',
    changed: 'Changed',
    fromTo: (word: string, from: string, to: string) => `${word}: ${from} → ${to}`,
    takeBack: (word: string) => `${word} as it was`,
    on: 'on',
    off: 'off',
    none: 'none',
    connectionGone: (name: string) => `The connection ${name} is gone. Choose another one.`,
    gone: (name: string) => `${name}, gone`,
    voiceGone: (name: string, connection: string) => `${connection} does not offer ${name}. Choose another voice.`,
    findVoice: (connection: string) => `Find a voice of ${connection}`,
    sourceGone: 'The original was moved or deleted. Find it, or put it back where it was.',
  },
  tagging: {
    title: (n: number) => `Tags of ${recordings(n)}`,
    lead: 'A tag is added to all of them.',
    add: 'Add',
    done: 'Done',
  },
  removing: {
    title: (n: number) => `Remove ${entries(n)}?`,
    lead: 'You can bring them back until Timbre is closed.',
    leadOne: 'You can bring it back until Timbre is closed.',
    record: (n: number): string => (n === 1 ? 'Only the entry' : 'Only the entries'),
    recordHint: 'Files stay where they are.',
    files: (n: number): string => (n === 1 ? 'The entry and its result' : 'The entries and their results'),
    filesHint: 'Results that Timbre made are removed; originals never are.',
    no: 'Keep',
    yes: 'Remove',
  },
  work: {
    export: 'Exporting',
    import: 'Importing',
    find: 'Looking for the file',
    mark: 'Changing entries',
    remove: 'Removing',
    undo: 'Bringing back',
    soFar: {
      export: (n: number) => recordings(n),
      import: (n: number) => entries(n),
      find: (n: number) => files(n),
      mark: (n: number) => entries(n),
      remove: (n: number) => entries(n),
      undo: (n: number) => entries(n),
    },
    stop: 'Stop',
  },
  outcome: {
    stopped: {
      export: 'Export stopped. No file was written.',
      import: 'Import stopped. What was read is here; the same file goes on from there.',
      find: 'Search stopped.',
      mark: 'Stopped. Entries that were changed by then stay changed.',
      remove: 'Stopped. Entries that were removed by then can be brought back.',
      undo: 'Stopped.',
    },
    removed: ({ entries: n, files: f, keptFiles }: HistoryRemoval) =>
      sentences(
        f > 0 ? `${entries(n)} and ${files(f)} removed.` : `${entries(n)} removed.`,
        keptFiles > 0
          ? count(keptFiles, {
              one: '# file stays: it is still needed, was changed, or Timbre did not make it.',
              other: '# files stay: they are still needed, were changed, or Timbre did not make them.',
            })
          : undefined,
      ),
    undo: 'Undo',
    broughtBack: (n: number) => `${entries(n)} brought back.`,
    again: ({ added, left, first }: RepeatResult, isChanged: boolean) =>
      added === 0
        ? 'Nothing to make again.'
        : sentences(
            `${recordings(added)} put in the queue, ${isChanged ? 'with what was changed' : 'with the same settings'}.`,
            left > 0 ? leftOut(left, first?.name ?? null) : undefined,
          ),
    exported: ({ entries: n, files: f, withoutFile, name }: HistoryExport) =>
      sentences(
        f > 0 ? `${entries(n)} and ${files(f)} exported to ${name}.` : `${entries(n)} exported to ${name}.`,
        withoutFile > 0
          ? count(withoutFile, { one: 'The file of # is not there.', other: 'The files of # are not there.' })
          : undefined,
      ),
    imported: ({ added, known, refused, withoutFile }: HistoryImport) =>
      sentences(
        `${entries(added)} added.`,
        known > 0 ? `${format.number(known)} ${known === 1 ? 'was' : 'were'} here already.` : undefined,
        refused > 0 ? count(refused, { one: '# line holds no entry.', other: '# lines hold no entry.' }) : undefined,
        withoutFile > 0
          ? count(withoutFile, {
              one: 'The file of # is not in the archive: export it again where it is.',
              other: 'The files of # are not in the archive: export them again where they are.',
            })
          : undefined,
      ),
    tooMany: (most: number) => `Up to ${format.number(most)} files can be taken at once.`,
    copied: (n: number) =>
      n === 0 ? 'No file is there to copy the path of.' : count(n, { one: '# path copied.', other: '# paths copied.' }),
    found: (n: number) => `Found. ${entries(n)} linked again.`,
    notFound: (n: number) => `None of ${files(n)} there is the one that was written.`,
  },
  keys: { all: 'choose all', undo: 'undo a removal' },
};
