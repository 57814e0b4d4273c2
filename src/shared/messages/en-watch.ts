import type { ErrorCode, Facts } from '../errors.ts';
import { type Hours, timeOfDay } from '../text/hours.ts';
import { cutShort, ffmpegAdvice, textLimit } from './en-problems.ts';
import { sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# recording', other: '# recordings' });
const texts = (n: number) => count(n, { one: '# text', other: '# texts' });
/** Of `files`, so many are texts. */
const filesWith = (files: number, textCount: number) =>
  [files > textCount || files === 0 ? recordings(files - textCount) : '', textCount > 0 ? texts(textCount) : '']
    .filter((part) => part !== '')
    .join(', ');
const comingIn = (n: number) => count(n, { one: '# file arriving', other: '# files arriving' });

/** The total length of some files, and how many of them are texts. `isMeasured` is false while some lengths are unknown. */
export interface Measured {
  readonly texts: number;
  readonly seconds: number;
  readonly isMeasured: boolean;
}

type Advice = Readonly<Partial<Record<ErrorCode, (facts: Facts) => string>>>;

const saveAgain = 'Save it again and Timbre will try again.';

/** Advice for files of a watched folder, where it differs from that for files added by hand. */
const advice: Advice = {
  'input/cut': (facts) => sentences(cutShort(facts), saveAgain),
  'input/empty': () => saveAgain,
  'input/not-audio': () => 'Save it as wav, mp3, flac or ogg and Timbre will try again.',
  'input/needs-ffmpeg': (facts) => sentences(ffmpegAdvice(facts), 'Timbre then takes the file up by itself.'),
  'input/missing': () => 'Put it back and Timbre will try again.',
  'input/not-a-file': () => 'Only ordinary files are converted.',
  'input/text-empty': () => 'This file holds no text. Write something in it and Timbre will try again.',
  'input/text-too-long': (facts) => sentences(textLimit(facts), 'Split it into several files.'),
  'input/not-text': () => 'Save it as plain text in UTF-8 and Timbre will try again.',
  'voice/missing': () => 'Choose a voice for the folder.',
  'voice/not-found': (facts) =>
    `The connection no longer offers ${textFact(facts, 'name') ?? 'it'}. Choose another voice for the folder.`,
  'connection/not-found': () => 'Choose another connection for the folder.',
  'output/not-writable': () => 'Allow writing to the results folder, or choose another one.',
};

export const enWatch = {
  /** For the narrow sidebar. */
  short: 'Watch folders',
  lead: 'New recordings are converted automatically',
  add: 'Add folder',
  emptyTitle: 'No watched folders',
  empty: 'Choose a folder and a voice. Timbre converts each recording you save there, once.',
  loading: 'Loading folders',
  folders: 'Folders',
  needAttention: (n: number) => count(n, { one: '# folder needs you', other: '# folders need you' }),
  pause: 'Pause',
  resume: 'Resume',
  show: 'Show',
  more: 'More',
  edit: 'Edit…',
  stop: 'Stop watching…',
  why: 'Why wasn’t this converted?',
  /** The status line of a folder. */
  mode: {
    idle: 'Watching, no new files',
    incoming: (n: number) => `Watching, ${comingIn(n)}`,
    polling: (seconds: number) => `Checked every ${format.length(seconds)}: this disk doesn’t report changes`,
    pollingLimit: (seconds: number) => `Checked every ${format.length(seconds)}: the system can’t watch more folders`,
    pollingNetwork: (seconds: number) => `Checked every ${format.length(seconds)}: this is a network drive`,
    withIncoming: (line: string, n: number) => `${line}; ${comingIn(n)}`,
    offline: (at: string) => `Unavailable since ${at}.`,
    unreadable: (at: string) => `Can’t be opened since ${at}.`,
    replaced: (at: string) => `Replaced by another folder since ${at}.`,
    resumesWithDisk: 'Nothing is lost; watching resumes when the disk is back.',
    resumesWithFolder: 'Nothing is lost; watching resumes when the folder is back.',
    paused: (at: string) => `Paused since ${at}`,
    starting: 'Scanning the folder',
    elsewhere: 'Watched by another Timbre',
    baseline: (n: number, textCount: number) =>
      `${filesWith(n, textCount)} ${n === 1 ? 'was already here: convert it?' : 'were already here: convert them?'}`,
    attention: (n: number) => count(n, { one: '# file needs you', other: '# files need you' }),
  },
  details: {
    label: 'About this folder',
    into: 'into',
    beside: 'next to the original',
    checked: (seconds: number) => `checked ${format.length(seconds)} ago`,
    checkedNow: 'checked just now',
    notChecked: 'not checked yet',
    bySubfolder: 'or by subfolder',
    texts: 'texts too',
    hours: ({ from, to }: Hours) => `${timeOfDay(from)} to ${timeOfDay(to)}`,
    known: (n: number) => count(n, { one: '# known file', other: '# known files' }),
    today: (minutes: number, limit: number | null) =>
      limit === null
        ? `${format.number(minutes)}\u00a0min today`
        : `${format.number(minutes)} of ${format.number(limit)}\u00a0min today`,
  },
  existing: {
    title: (n: number, { texts: textCount, seconds, isMeasured }: Measured) => {
      const length = seconds > 0 ? ` (${isMeasured ? '' : 'at least '}${format.length(seconds)})` : '';
      return `${filesWith(n, textCount)} ${n === 1 ? 'was' : 'were'} already here${length}`;
    },
    lead: 'New recordings are converted automatically. What about these?',
    measuring: 'Still checking how long they are.',
    all: (n: number): string => (n === 1 ? 'Convert it' : 'Convert all'),
    none: 'Only new ones',
  },
  files: {
    label: (folder: string) => `Files in ${folder}`,
    lists: 'Filter files',
    all: 'All',
    attention: 'Needs you',
    file: 'File',
    audio: 'Audio',
    status: 'Status',
    when: 'Time',
    now: 'now',
    empty: 'No files yet',
    emptyLead: 'Save a recording in this folder. Its status appears here.',
    emptyAttention: 'Nothing needs you',
    emptyAttentionLead: 'Files that Timbre couldn’t convert appear here.',
    loading: 'Loading files',
    retryAll: (n: number) => `Retry all ${format.number(n)}`,
    attentionNow: (name: string) => `${name} needs you`,
  },
  file: {
    quiet: (bytes: number, quiet: number, needed: number) =>
      `Still being written, ${format.bytes(bytes)} so far: unchanged for ${format.number(Math.floor(quiet))} of ${format.span(needed)}.`,
    writer: (bytes: number, program: string | null) =>
      `Open in ${program ?? 'another program'}, ${format.bytes(bytes)} so far. Starts when it is closed.`,
    reading: 'Unchanged, reading it for a last check',
    budget: (used: number, limit: number) =>
      `Waiting until tomorrow: ${format.number(used)} of ${format.number(limit)}\u00a0min used today`,
    hours: ({ from, to }: Hours) =>
      `Waiting until ${timeOfDay(from)}: this folder converts from ${timeOfDay(from)} to ${timeOfDay(to)}`,
    turn: 'Found, waiting for its turn',
    step: (words: string, step: number, of: number) => `${words}, step ${format.number(step)} of ${format.number(of)}`,
    queued: 'Waiting in the queue',
    converted: 'Converted',
    convertedIn: (seconds: number) => `Converted in ${format.length(seconds)}`,
    movedTo: (place: string) => `The original is now ${place}.`,
    cancelled: 'Not converted: cancelled',
    retrying: (at: string | null, n: number) =>
      `${at === null ? 'Trying again now' : `Next try ${at}`}, ${count(n, { one: 'failed once', other: 'failed # times' })}.`,
    quarantined: (n: number) => count(n, { one: 'Failed once and needs you.', other: 'Failed # times and needs you.' }),
    before: 'Not converted: was here before you watched this folder',
    sameSound: (name: string) => `Not converted: same audio as ${name}`,
    otherSettings: 'Already converted with the folder’s earlier settings',
    ownOutput: 'Not converted: created by Timbre',
    link: 'Not converted: a link, which may lead outside the folder',
    placeholder: 'Not converted: this file is online only. Make it available offline.',
  },
  /** For texts, instead of those of `file`. */
  textFile: {
    converted: 'Spoken',
    convertedIn: (seconds: number) => `Spoken in ${format.length(seconds)}`,
    cancelled: 'Not spoken: cancelled',
    before: 'Not spoken: was here before you watched this folder',
    sameSound: (name: string) => `Not spoken: same text as ${name}`,
    otherSettings: 'Already spoken with the folder’s earlier settings',
    link: 'Not spoken: a link, which may lead outside the folder',
    placeholder: 'Not spoken: this file is online only. Make it available offline.',
  },
  advice,
  actions: {
    convert: 'Convert',
    'convert-anyway': 'Convert what’s there',
    'convert-again': 'Convert again',
    retry: 'Try again',
    leave: 'Dismiss',
    'show-file': 'Show file',
    edit: 'Edit folder',
  },
  /** For texts, instead of those of `actions`. */
  textActions: { convert: 'Speak', 'convert-again': 'Speak again' },
  removing: {
    title: (name: string) => `Stop watching “${name}”?`,
    lead: (n: number) =>
      n === 0
        ? 'The folder and its files aren’t changed.'
        : count(n, {
            one: 'Recordings and results are kept. Timbre forgets the status of # file: if you watch this folder again, it asks about the recordings in it.',
            other:
              'Recordings and results are kept. Timbre forgets the status of # files: if you watch this folder again, it asks about the recordings in it.',
          }),
    confirm: 'Stop watching',
    cancel: 'Keep watching',
  },
  form: {
    titleNew: 'Watch a folder',
    titleEdit: (name: string) => `Edit “${name}”`,
    leadEdit: 'Recordings that are already converted aren’t converted again.',
    folder: 'Folder',
    change: 'Change folder',
    depth: 'Include',
    depths: { flat: 'This folder only', deep: 'Subfolders too' },
    formats: 'Formats',
    noFormats: 'Select at least one format.',
    connection: 'Connection',
    voice: 'Voice',
    noVoice: 'Choose a voice for your recordings.',
    voiceMissing: 'The connection no longer offers this voice. Choose another one.',
    saveAs: 'Save as',
    into: 'Save results',
    places: { folder: 'In a folder', beside: 'Next to the original' },
    placeHint: 'Subfolders are kept.',
    changePlace: 'Change folder',
    afterwards: 'Original',
    afterwardsChoices: { keep: 'Keep', done: 'Move to Done', trash: 'Move to trash' },
    afterwardsHint: {
      keep: 'Recordings are never changed.',
      done: 'Moved to the folder Done in this folder, once the result on the disk is verified.',
      trash: 'Moved to the trash once the result on the disk is verified. You can restore it from there.',
    },
    limit: 'Daily limit',
    limitUnit: 'minutes of audio a day',
    limitNone: 'none',
    limitHint: 'When the limit is reached, the rest waits until tomorrow. Leave empty for no limit.',
    limitError: 'Enter a number of minutes from 1 to 100,000, or leave this empty.',
    hours: 'Time of day',
    hoursFrom: 'From',
    hoursTo: 'to',
    hoursHint: 'Recordings wait outside these hours; those that were accepted are finished. Leave empty for any time.',
    hoursError: 'Enter two different times, such as 22:00, or leave both empty.',
    subfolders: 'Subfolders',
    subfolderVoices: 'Voices by subfolder',
    subfolderVoicesHint:
      'A recording in a subfolder named after a voice, such as “Anna”, is converted with that voice. Recordings in other subfolders wait for you.',
    texts: 'Texts',
    speakTexts: 'Speak text files (.txt, .md, .srt, .vtt, .csv)',
    speakTextsHint:
      'Each text is spoken once with the voice of the folder, and again when it says something else. Marks of Markdown, code and HTML aren’t spoken.',
    save: 'Watch this folder',
    saveEdit: 'Save',
    saving: 'Saving…',
    cancel: 'Cancel',
    invalidFields: (n: number) => count(n, { one: '# field needs fixing.', other: '# fields need fixing.' }),
  },
  preview: {
    title: 'Preview',
    lead: 'Shows what would be converted now. Nothing is sent or converted.',
    run: 'Show preview',
    again: 'Update preview',
    running: 'Scanning the folder…',
    stale: 'You’ve changed the form since.',
    count: (recordingCount: number, textCount: number) => filesWith(recordingCount + textCount, textCount),
    none: 'No recordings in this folder yet',
    minutes: (seconds: number) => `${format.length(seconds)} of audio`,
    about: (length: string) => `about ${length}`,
    unmeasured: (n: number) =>
      count(n, {
        one: 'and # more whose length is unknown until it is read',
        other: 'and # more whose lengths are unknown until they are read',
      }),
    days: (days: number, minutes: number) =>
      `At ${format.number(minutes)}\u00a0min a day: ${count(days, { one: '# day', other: '# days' })}`,
    refused: (n: number) =>
      count(n, { one: '# can’t be converted; the list says why', other: '# can’t be converted; the list says why' }),
    skipped: (n: number) => count(n, { one: '# other file is skipped', other: '# other files are skipped' }),
    links: (n: number) => count(n, { one: '# link isn’t followed', other: '# links aren’t followed' }),
    list: 'Files',
    first: (shown: number, all: number) => `First ${format.number(shown)} of ${format.number(all)}`,
    lengthUnknown: 'length unknown',
  },
  answer: {
    folder: (folder: string) => `In “${folder}”:`,
    outside: 'It isn’t in a watched folder.',
    missing: 'This file no longer exists.',
    paused: (folder: string) => `“${folder}” is paused. Timbre checks this file when you resume the folder.`,
    offline: (folder: string) =>
      `“${folder}” is unavailable right now. Nothing is lost; watching resumes when the disk is back.`,
    subfolder: (folder: string) => `It is in a subfolder, and “${folder}” doesn’t include subfolders.`,
    excluded: (folder: string) => `It is in a part of “${folder}” that is skipped, such as the results folder.`,
    hidden: (folder: string) => `It is hidden, and hidden files in “${folder}” are skipped.`,
    temporary: (folder: string, pattern: string) =>
      `Its name matches ${pattern}, which is used for temporary files. “${folder}” converts it once it has its final name.`,
    ending: (folder: string, ending: string) =>
      ending === ''
        ? `Its name has no extension, so “${folder}” can’t tell that it is audio.`
        : `“${folder}” doesn’t convert ${ending} files.`,
    link: (folder: string) => `It is a link, which may lead outside “${folder}”. Links aren’t followed.`,
    unseen: (folder: string) => `“${folder}” hasn’t found it yet. The next scan of the folder will.`,
    showInList: 'Show in the list',
  },
};
