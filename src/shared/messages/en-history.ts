import {
  longestQuery,
  type RepeatResult,
  type HistoryExport,
  type HistoryImport,
  type HistoryRemoval,
  type RestoredResults,
  type QueryError,
} from '../schemas/history.ts';
import { sentences } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# recording', other: '# recordings' });
const entries = (n: number) => count(n, { one: '# entry', other: '# entries' });
const files = (n: number) => count(n, { one: '# file', other: '# files' });

function skipped(n: number, name: string | null): string {
  if (name === null) return count(n, { one: '# was skipped.', other: '# were skipped.' });
  return n === 1 ? `${name} was skipped.` : `${format.number(n)} were skipped, starting with ${name}.`;
}

const fault: Readonly<Record<QueryError['kind'], (word: string) => string>> = {
  empty: (word) => `Enter a word after “${word}”.`,
  'unknown-filter': (word) => `There is no filter “${word}”. Put it in quotes to search for it as text.`,
  'bad-date': (word) => `“${word}” isn’t a date. Use 2026, 2026-11 or 2026-11-18.`,
  'bad-value': (word) => `“${word}” isn’t a value of this filter. Choose one of the suggestions.`,
  'no-word': (word) => `“${word}” can’t be searched for. Use letters, digits or emoji.`,
  'too-long': () => `Only the first ${format.number(longestQuery)} characters are used. Shorten the search.`,
  'open-quote': () => 'A quotation mark isn’t closed. Close or remove it.',
};

export const enHistory = {
  label: 'Recordings',
  count: (matches: number, all: number) =>
    matches === all ? recordings(all) : `${format.number(matches)} of ${recordings(all)}`,
  loading: 'Loading history',
  emptyTitle: 'No history yet',
  empty: 'Everything you convert or have spoken appears here. You can search it, even offline.',
  toConvert: 'Convert a recording',
  noMatchTitle: 'No matches',
  noMatch: (all: number) => `None of ${recordings(all)} matches this search.`,
  removeFilter: (filter: string) => `Remove “${filter}”`,
  clear: 'Clear search',
  today: 'Today',
  yesterday: 'Yesterday',
  day: (n: number, seconds: number) =>
    seconds > 0 ? `${recordings(n)}, ${format.longLength(seconds)}` : recordings(n),
  import: 'Import',
  importHint: 'Import a list exported by Timbre',
  export: 'Export',
  exportList: 'Export list…',
  exportSound: 'Export list and audio…',
  search: {
    label: 'Search history',
    hint: 'Names, texts, voices, folders',
    suggestions: 'Search suggestions',
    filter: (name: string, value: string, isNot: boolean) => `${isNot ? 'not ' : ''}${name}: ${value}`,
    removeFilter: (filter: string) => `Remove the filter ${filter}`,
    names: {
      voice: 'voice',
      status: 'status',
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
      uncertain: 'unknown',
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
    otherTime: 'Custom',
    filters: 'Filters',
    favourites: 'Favourites',
    failed: 'Failed',
    conversions: 'Conversions',
    speech: 'Speech',
    byVoice: 'By voice…',
    byTag: 'By tag…',
    byLanguage: 'By language…',
    error: (kind: QueryError['kind'], word: string) => fault[kind](word),
  },
  monthScrubber: {
    label: 'Months',
    at: (month: string, matches: number) => `${month}, ${recordings(matches)}`,
  },
  row: {
    speech: 'Speech',
    watched: 'From a watched folder',
    favourite: 'Favourite',
    waiting: 'Loading',
    missing: 'File moved or deleted.',
    away: 'Disk not connected.',
    find: 'Find file',
    restore: 'Restore',
    uncertain: 'Lost the response',
  },
  state: { done: 'Done', failed: 'Failed', cancelled: 'Cancelled', uncertain: 'Unknown' },
  actions: {
    more: 'More',
    listen: 'Listen',
    show: 'Show file',
    tryVoices: 'Try voices on this recording…',
    repeat: 'Convert again',
    repeatWithChanges: 'Convert again with changes…',
    repeatWithVoice: 'Convert again with another voice…',
    copy: 'Copy path',
    copyFile: 'Copy file',
    copyFiles: 'Copy files',
    share: 'Share…',
    tags: 'Tags…',
    favourite: 'Add to favourites',
    removeFavourite: 'Remove from favourites',
    export: 'Export…',
    exportSound: 'Export with audio…',
    restore: 'Restore from copy',
    remove: 'Remove…',
  },
  panel: {
    label: 'Selected recording',
    nothing: 'Select a recording to see its details.',
    drag: 'Drag the waveform out of the window to copy the file.',
    missingResult: 'The file was moved or deleted.',
    missingWithCopy: 'The file was moved or deleted. Timbre has a copy of it.',
    restore: 'Restore file',
    missingSource: 'The original was moved or deleted.',
    changedSource: 'The original has changed since. If you still have the earlier version, find it.',
    awayResult: 'The file is on a disk that isn’t connected. Connect the disk to use it.',
    changedResult: 'The file has changed since Timbre saved it.',
    changedWithCopy: 'The file has changed since Timbre saved it. Timbre has a copy of the original result.',
    restoreBeside: 'Restore beside it',
    convertAgain: 'Create file again',
    text: 'Text',
    several: (n: number) => `${recordings(n)} selected`,
    total: (seconds: number) => `${format.longLength(seconds)} in total`,
    others: 'Other results from this original',
    listenTo: (name: string) => `Listen to ${name}`,
  },
  details: {
    voice: 'Voice',
    speakers: 'Speakers',
    pronunciation: 'Pronunciation',
    changed: 'Changes',
    through: 'Connection',
    took: 'Time taken',
    from: 'Source',
    folder: (name: string) => `watched folder ${name}`,
    byHand: 'added manually',
    when: 'Finished',
    original: 'Original',
    result: 'Result',
    state: 'Status',
    task: 'Task',
    attempts: 'Attempts',
    tags: 'Tags',
    addTag: 'Add a tag',
    removeTag: (tag: string) => `Remove the tag ${tag}`,
    unknownSize: 'unknown size',
  },
  largest: {
    title: 'Largest results',
    lead: 'Show a result in its folder to move or delete it there. History keeps its entry.',
    searching: 'Looking for the largest results…',
    none: 'Timbre’s results take up no space here. Delete or move other files.',
    disk: (disk: string, freeBytes: number) => `${disk}, ${format.bytes(freeBytes)} free`,
  },
  repeat: {
    title: 'Convert again with changes',
    convert: 'Convert again',
    speak: 'Speak again',
    adding: 'Adding to the queue',
    cancel: 'Cancel',
    unchanged: 'No changes yet.',
    changed: 'Changes',
    fromTo: (word: string, from: string, to: string) => `${word}: ${from} → ${to}`,
    reset: (word: string) => `Reset ${word}`,
    on: 'on',
    off: 'off',
    none: 'none',
    connectionMissing: (name: string) => `The connection ${name} no longer exists. Choose another one.`,
    removedConnection: (name: string) => `${name} (removed)`,
    voiceMissing: (name: string, connection: string) => `${connection} doesn’t offer ${name}. Choose another voice.`,
    findVoice: (connection: string) => `Find a voice from ${connection}`,
    sourceMissing: 'The original was moved or deleted. Find it, or put it back.',
  },
  tagging: {
    title: (n: number) => `Tags for ${recordings(n)}`,
    lead: 'A new tag is added to all of them.',
    add: 'Add',
    done: 'Done',
  },
  removing: {
    title: (n: number) => `Remove ${entries(n)}?`,
    lead: 'You can undo this until you close Timbre.',
    leadWithCopies:
      'You can undo this until you close Timbre. Then its copies of these results are deleted too, unless another entry needs them.',
    entries: (n: number): string => (n === 1 ? 'Entry only' : 'Entries only'),
    entriesHint: 'Files stay where they are.',
    entriesAndResults: (n: number): string => (n === 1 ? 'Entry and result' : 'Entries and results'),
    entriesAndResultsHint: 'Removes results that Timbre saved, but never originals.',
    cancel: 'Cancel',
    confirm: 'Remove',
  },
  tasks: {
    export: 'Exporting',
    import: 'Importing',
    find: 'Searching for the file',
    mark: 'Updating entries',
    remove: 'Removing',
    restore: 'Restoring files',
    undo: 'Restoring',
    soFar: {
      export: (n: number) => recordings(n),
      import: (n: number) => entries(n),
      find: (n: number) => files(n),
      mark: (n: number) => entries(n),
      remove: (n: number) => entries(n),
      restore: (n: number) => entries(n),
      undo: (n: number) => entries(n),
    },
    stop: 'Stop',
  },
  results: {
    stopped: {
      export: 'Export stopped. No file was saved.',
      import: 'Import stopped. Entries imported so far are kept; import the same file again to continue.',
      find: 'Search stopped.',
      mark: 'Stopped. Entries updated so far stay updated.',
      remove: 'Stopped. You can restore the entries removed so far.',
      restore: 'Stopped. Files restored so far stay.',
      undo: 'Stopped.',
    },
    removed: ({ entries: n, files: f, keptFiles }: HistoryRemoval) =>
      sentences(
        f > 0 ? `${entries(n)} and ${files(f)} removed.` : `${entries(n)} removed.`,
        keptFiles > 0
          ? count(keptFiles, {
              one: '# file was kept because it is still needed, has changed, or wasn’t saved by Timbre.',
              other: '# files were kept because they are still needed, have changed, or weren’t saved by Timbre.',
            })
          : undefined,
      ),
    undo: 'Undo',
    restored: (n: number) => `${entries(n)} restored.`,
    repeated: ({ added, skipped: left, firstSkipped }: RepeatResult, isChanged: boolean) =>
      added === 0
        ? 'Nothing to convert again.'
        : sentences(
            isChanged
              ? `${recordings(added)} added to the queue with your changes.`
              : `${recordings(added)} added to the queue with the same settings.`,
            left > 0 ? skipped(left, firstSkipped?.name ?? null) : undefined,
          ),
    exported: ({ entries: n, files: f, withoutFile, name }: HistoryExport) =>
      sentences(
        f > 0 ? `${entries(n)} and ${files(f)} exported to ${name}.` : `${entries(n)} exported to ${name}.`,
        withoutFile > 0 ? count(withoutFile, { one: '# file is missing.', other: '# files are missing.' }) : undefined,
      ),
    imported: ({ added, known, refused, withoutFile }: HistoryImport) =>
      sentences(
        `${entries(added)} added.`,
        known > 0
          ? count(known, { one: '# entry was already here.', other: '# entries were already here.' })
          : undefined,
        refused > 0
          ? count(refused, { one: '# line contains no entry.', other: '# lines contain no entry.' })
          : undefined,
        withoutFile > 0
          ? count(withoutFile, {
              one: '# file isn’t in the archive: export it again from where it is.',
              other: '# files aren’t in the archive: export them again from where they are.',
            })
          : undefined,
      ),
    filesRestored: ({ restored, there, none, damaged, away, failed }: RestoredResults) =>
      sentences(
        restored > 0 ? `${files(restored)} restored.` : 'No file restored.',
        there > 0 ? count(there, { one: '# is where it was.', other: '# are where they were.' }) : undefined,
        none > 0 ? count(none, { one: 'Timbre has no copy of #.', other: 'Timbre has no copy of #.' }) : undefined,
        damaged > 0
          ? count(damaged, {
              one: '# copy was damaged and has been deleted.',
              other: '# copies were damaged and have been deleted.',
            })
          : undefined,
        away > 0
          ? count(away, {
              one: '# is on a disk that isn’t connected.',
              other: '# are on a disk that isn’t connected.',
            })
          : undefined,
        failed > 0 ? count(failed, { one: '# couldn’t be saved.', other: '# couldn’t be saved.' }) : undefined,
      ),
    tooMany: (most: number) => `You can drag up to ${format.number(most)} files at once.`,
    copiedFiles: (n: number) =>
      n === 0 ? 'No files to copy.' : count(n, { one: '# file copied.', other: '# files copied.' }),
    copied: (n: number) =>
      n === 0 ? 'No paths to copy.' : count(n, { one: '# path copied.', other: '# paths copied.' }),
    found: (n: number) => `File found and linked to ${entries(n)}.`,
    notFound: (n: number) => `The file wasn’t found (${files(n)} searched).`,
  },
  keys: { all: 'select all', undo: 'undo adding or removing' },
};
