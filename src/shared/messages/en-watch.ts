import type { ErrorCode, Facts } from '../errors.ts';
import { cutShort } from './en-problems.ts';
import { sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('en');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# recording', other: '# recordings' });
const comingIn = (n: number) => count(n, { one: '# file coming in', other: '# files coming in' });

/** What is known of recordings whose length was looked at. */
export interface Measured {
  readonly seconds: number;
  readonly isMeasured: boolean;
}

type Advice = Readonly<Partial<Record<ErrorCode, (facts: Facts) => string>>>;

/** What to do about a file of a watched folder, where that is something else than for one that was added by hand. */
const advice: Advice = {
  'input/cut': (facts) => sentences(cutShort(facts), 'Save it again, and it is looked at anew.'),
  'input/empty': () => 'Save it again, and it is looked at anew.',
  'input/not-audio': () => 'Save it as wav, mp3, flac or ogg, and it is looked at anew.',
  'input/missing': () => 'Put it back, and it is looked at anew.',
  'input/not-a-file': () => 'Only recordings are converted.',
  'voice/missing': () => 'Choose one for the folder.',
  'voice/not-found': (facts) =>
    sentences(
      textFact(facts, 'name') === undefined ? undefined : `${textFact(facts, 'name') ?? ''} is no longer offered.`,
      'Choose another for the folder.',
    ),
  'connection/not-found': () => 'Choose another for the folder.',
  'output/not-writable': () => 'Allow writing to the folder of the results, or choose another.',
};

/** Folders that are watched, what comes of their files, and why. */
export const enWatch = {
  /** The view in the rail, where there is little room. */
  short: 'Watch folders',
  lead: 'Save a recording into a folder; its conversion follows by itself',
  add: 'Add folder',
  emptyTitle: 'No watched folder',
  empty: 'Choose a folder and a voice. Whatever is saved there comes back converted, once.',
  loading: 'Reading the folders',
  folders: 'Folders',
  needPerson: (n: number) => count(n, { one: '# folder needs you', other: '# folders need you' }),
  pause: 'Pause',
  goOn: 'Go on',
  show: 'Show',
  more: 'More',
  edit: 'Edit…',
  stop: 'Stop watching…',
  why: 'Why was this not converted?',
  /** The live line of a folder. */
  mode: {
    quiet: 'Listening, nothing coming in',
    incoming: (n: number) => `Listening, ${comingIn(n)}`,
    polling: (seconds: number) => `No events from this disk, so it looks every ${format.length(seconds)}`,
    pollingLimit: (seconds: number) =>
      `The system watches no more folders, so it looks every ${format.length(seconds)}`,
    pollingNetwork: (seconds: number) => `A network drive, so it looks every ${format.length(seconds)}`,
    withIncoming: (line: string, n: number) => `${line}; ${comingIn(n)}`,
    offline: (at: string) => `Not reachable since ${at}.`,
    unreadable: (at: string) => `Can’t be opened since ${at}.`,
    another: (at: string) => `Another folder is in its place since ${at}.`,
    nothingForgotten: 'Nothing was forgotten; it goes on when the disk is back.',
    nothingForgottenFolder: 'Nothing was forgotten; it goes on when the folder is back.',
    paused: (at: string) => `Paused since ${at}`,
    starting: 'Looking through the folder',
    elsewhere: 'Another Timbre watches it',
    asks: (n: number) =>
      `${recordings(n)} ${n === 1 ? 'was' : 'were'} here already: convert ${n === 1 ? 'it' : 'them'}?`,
    attention: (n: number) => count(n, { one: '# file needs you', other: '# files need you' }),
  },
  facts: {
    label: 'About this folder',
    into: 'into',
    beside: 'beside the original',
    checked: (seconds: number) => `checked ${format.length(seconds)} ago`,
    checkedNow: 'checked just now',
    notChecked: 'not checked yet',
    known: (n: number) => count(n, { one: '# file known', other: '# files known' }),
    today: (minutes: number, limit: number | null) =>
      limit === null
        ? `${format.number(minutes)}\u00a0min today`
        : `${format.number(minutes)} of ${format.number(limit)}\u00a0min today`,
  },
  existing: {
    title: (n: number, { seconds, isMeasured }: Measured) => {
      const length = seconds > 0 ? ` (${isMeasured ? '' : 'at least '}${format.length(seconds)})` : '';
      return `${recordings(n)} ${n === 1 ? 'was' : 'were'} here already${length}`;
    },
    lead: 'New ones are converted by themselves. What about these?',
    measuring: 'Their lengths are still being read.',
    all: (n: number): string => (n === 1 ? 'Convert it' : 'Convert them all'),
    none: 'Only new ones',
  },
  files: {
    label: (folder: string) => `Files in ${folder}`,
    lists: 'Which files',
    all: 'All',
    attention: 'Needs you',
    file: 'File',
    sound: 'Sound',
    what: 'What happened and why',
    when: 'When',
    now: 'now',
    empty: 'Nothing has come in yet',
    emptyLead: 'Save a recording into this folder. What happens to it, and why, stands here.',
    emptyAttention: 'Nothing needs you',
    emptyAttentionLead: 'Files that could not be converted wait here for you.',
    loading: 'Reading the files',
    tryAll: (n: number) => `Try ${format.number(n)} again`,
    attentionNow: (name: string) => `${name} needs you`,
  },
  file: {
    quiet: (bytes: number, quiet: number, needed: number) =>
      `Still being written, ${format.bytes(bytes)} so far: quiet for ${format.number(Math.floor(quiet))} of ${format.span(needed)}.`,
    writer: (bytes: number, program: string | null) =>
      `${program ?? 'A program'} has it open, ${format.bytes(bytes)} so far. Starts when it is closed.`,
    reading: 'Quiet, and being read for the last check',
    budget: (used: number, limit: number) =>
      `Waits for tomorrow: ${format.number(used)} of the day’s ${format.number(limit)}\u00a0min are used`,
    turn: 'Seen, and waiting for its turn',
    step: (words: string, step: number, of: number) => `${words}, step ${format.number(step)} of ${format.number(of)}`,
    queued: 'Waiting in the queue',
    converted: 'Converted',
    convertedIn: (seconds: number) => `Converted in ${format.length(seconds)}`,
    movedTo: (place: string) => `The original is now ${place}.`,
    cancelled: 'Not converted: cancelled',
    retrying: (at: string | null, n: number) =>
      `${at === null ? 'Tries again now' : `Tries again at ${at}`}, ${count(n, { one: 'failed once', other: 'failed # times' })}.`,
    quarantined: (n: number) =>
      count(n, { one: 'It failed once and waits for you.', other: 'It failed # times and waits for you.' }),
    before: 'Not converted: was here before this folder was watched',
    sameSound: (name: string) => `Not converted: same sound as ${name}`,
    otherSettings: 'Not converted again: it was, with the settings that the folder had then',
    ownOutput: 'Not converted: Timbre made it',
    link: 'Not converted: a link, which may lead out of the folder',
    placeholder: 'Not converted: it is only in the cloud, and reading would download it. Keep it on this computer.',
  },
  advice,
  act: {
    convert: 'Convert it',
    'convert-anyway': 'Convert what is there',
    'convert-again': 'Convert again',
    retry: 'Try again',
    leave: 'Leave it',
    'show-file': 'Show file',
    edit: 'Edit the folder',
  },
  removing: {
    title: (name: string) => `Stop watching “${name}”?`,
    lead: (n: number) =>
      n === 0
        ? 'The folder and its files stay as they are.'
        : count(n, {
            one: 'Recordings and results stay. What is known of # file is forgotten: if you watch the folder again, it asks about what is there.',
            other:
              'Recordings and results stay. What is known of # files is forgotten: if you watch the folder again, it asks about what is there.',
          }),
    yes: 'Stop watching',
    no: 'Keep watching',
  },
  form: {
    titleNew: 'Watch a folder',
    titleEdit: (name: string) => `Edit “${name}”`,
    leadEdit: 'What was converted is not converted again.',
    folder: 'Folder',
    change: 'Choose another',
    depth: 'Takes',
    depths: { flat: 'Only this folder', deep: 'Its subfolders too' },
    endings: 'Formats',
    noEndings: 'Choose at least one format.',
    connection: 'Connection',
    voice: 'Voice',
    noVoice: 'Choose the voice that recordings come back in.',
    voiceGone: 'The connection no longer offers this voice. Choose another.',
    saveAs: 'Save as',
    into: 'Results go',
    places: { folder: 'Into a folder', beside: 'Beside the original' },
    placeHint: 'The tree of the folder is kept in there.',
    changePlace: 'Change folder',
    afterwards: 'The original',
    afterwardsChoices: { keep: 'Stays', done: 'Moves to Done', trash: 'Goes to the trash' },
    afterwardsHint: {
      keep: 'Recordings are never changed.',
      done: 'Only after the result was verified on the disk, into the folder Done in this one.',
      trash: 'Only after the result was verified on the disk. It can be taken back out of the trash.',
    },
    limit: 'Limit',
    limitUnit: 'minutes of sound a day',
    limitNone: 'none',
    limitHint: 'Before it is exceeded, the folder waits for the next day. Empty: no limit.',
    limitFault: 'Write a number of minutes from 1 to 100,000, or nothing.',
    save: 'Watch this folder',
    saveEdit: 'Save',
    saving: 'Saving…',
    cancel: 'Cancel',
    faulty: (n: number) => count(n, { one: '# field is not right yet.', other: '# fields are not right yet.' }),
  },
  preview: {
    title: 'What would be converted',
    lead: 'Looks at what is in the folder now. Nothing is sent, and nothing is converted.',
    run: 'See what would be converted',
    again: 'Look again',
    running: 'Looking through the folder…',
    stale: 'The form has changed since.',
    count: (n: number) => recordings(n),
    none: 'No recording is in this folder yet',
    minutes: (seconds: number) => `${format.length(seconds)} of sound`,
    unmeasured: (n: number) =>
      count(n, {
        one: 'and # more whose length is known only once it is read',
        other: 'and # more whose lengths are known only once they are read',
      }),
    days: (days: number, minutes: number) =>
      `At ${format.number(minutes)}\u00a0min a day: ${count(days, { one: '# day', other: '# days' })}`,
    refused: (n: number) =>
      count(n, { one: '# would be refused; the list says why', other: '# would be refused; the list says why' }),
    passedOver: (n: number) => count(n, { one: '# other file is passed over', other: '# other files are passed over' }),
    links: (n: number) => count(n, { one: '# link is not followed', other: '# links are not followed' }),
    list: 'Recordings',
    first: (shown: number, all: number) => `The first ${format.number(shown)} of ${format.number(all)}`,
    lengthOpen: 'length unknown',
  },
  answer: {
    folder: (folder: string) => `In “${folder}”:`,
    outside: 'It lies in no watched folder.',
    missing: 'There is no such file any more.',
    paused: (folder: string) => `“${folder}” is paused. It is looked at when the folder goes on.`,
    offline: (folder: string) =>
      `“${folder}” is not reachable just now. Nothing was forgotten; it goes on when the disk is back.`,
    subfolder: (folder: string) => `It lies in a subfolder, and “${folder}” takes only what lies in the folder itself.`,
    excluded: (folder: string) =>
      `It lies in a part of “${folder}” that is left out, such as the folder of the results.`,
    hidden: (folder: string) => `It is hidden, and hidden files of “${folder}” are left alone.`,
    temporary: (folder: string, pattern: string) =>
      `Its name fits ${pattern}, as temporary files are called. “${folder}” takes it once it has its final name.`,
    ending: (folder: string, ending: string) =>
      ending === ''
        ? `Its name has no ending by which “${folder}” could tell sound.`
        : `“${folder}” takes no ${ending} files.`,
    link: (folder: string) => `It is a link, which may lead out of “${folder}”. Links are not followed.`,
    unseen: (folder: string) => `“${folder}” has not seen it yet. The next look through the folder finds it.`,
    inList: 'Show in the list',
  },
};
