import { enCli } from './en-cli.ts';
import { enConnectionFields } from './en-connection-fields.ts';
import { enConnections } from './en-connections.ts';
import { enDiagnostics } from './en-diagnostics.ts';
import { enHistory } from './en-history.ts';
import { enModels } from './en-models.ts';
import { enProblems } from './en-problems.ts';
import { enQueue } from './en-queue.ts';
import { enSettings } from './en-settings.ts';
import { enSpeech } from './en-speech.ts';
import { enVoices } from './en-voices.ts';
import { enWatch } from './en-watch.ts';
import { sentences } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('en');
const { count } = format;

interface Counts {
  readonly running: number;
  readonly waiting: number;
  readonly needPerson: number;
}

interface Batch {
  readonly done: number;
  readonly needPerson: number;
}

interface Added {
  readonly added: number;
  readonly refused: number;
  readonly leftOut: number;
}

export const en = {
  language: 'en',
  format,
  app: {
    name: 'Timbre',
    views: 'Views',
    loading: 'Opening',
    retry: 'Try again',
    restart: 'Restart Timbre',
    close: 'Close',
    serviceSaid: (words: string) => `The service says: “${words}”`,
    inProgress: (n: number) => `${format.number(n)} in progress`,
  },
  views: {
    convert: 'Convert',
    watch: 'Watch folders',
    voices: 'Voices',
    speech: 'Speech',
    history: 'History',
    models: 'Models',
    settings: 'Settings',
    diagnostics: 'Diagnostics',
  },
  connection: {
    local: 'Ready, works offline',
    thisComputer: 'This computer',
    remote: 'Web service',
    none: 'No connection',
  },
  firstStart: {
    title: 'Drop a recording, and hear it in another voice.',
    lead: 'It all happens on this computer. You need no account, and no sound leaves it until you connect a service yourself.',
    leadRemote: 'Choose a voice below. Recordings go to the service of the connection you use, and to no other place.',
    choose: 'Choose recordings',
    sample: 'Try ours, 13 seconds',
    voices: 'Voice',
    noVoices: 'This connection offers no voices yet.',
  },
  convert: {
    counts: ({ running, waiting, needPerson }: Counts) =>
      [
        running > 0 ? `${format.number(running)} in progress` : '',
        waiting > 0 ? `${format.number(waiting)} waiting` : '',
        needPerson > 0 ? count(needPerson, { one: '# needs you', other: '# need you' }) : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    drop: 'Drop recordings or folders here',
    formats: 'wav, mp3, flac, ogg, m4a, opus, aac, webm',
    chooseFiles: 'Choose files',
    chooseFolder: 'Choose folder',
    held: (n: number) => count(n, { one: 'Convert # recording', other: 'Convert # recordings' }),
    heldNone: 'Nothing here is sound',
    heldOthers: (n: number) =>
      count(n, {
        one: '# other is not sound and will be left out',
        other: '# others are not sound and will be left out',
      }),
    heldHint: 'Let go anywhere in the window',
    adding: (n: number) => count(n, { one: 'Adding # item', other: 'Adding # items' }),
    added: ({ added, refused, leftOut }: Added) =>
      sentences(
        added > 0 || (refused === 0 && leftOut === 0)
          ? count(added, { one: 'Added # recording.', other: 'Added # recordings.' })
          : undefined,
        refused > 0
          ? count(refused, {
              one: '# can’t be converted; the list says why.',
              other: '# can’t be converted; the list says why.',
            })
          : undefined,
        leftOut > 0
          ? count(leftOut, {
              one: '# other is not sound and was left out.',
              other: '# others are not sound and were left out.',
            })
          : undefined,
      ),
    withoutPath: (n: number) =>
      count(n, {
        one: '# item is not a file on this computer. Save it first, then add it.',
        other: '# items are not files on this computer. Save them first, then add them.',
      }),
    lists: 'Lists',
    queue: 'Queue',
    done: 'Done',
    clear: 'Clear the list',
    emptyTitle: 'Nothing to convert',
    empty: 'Drop recordings here, paste them, or save them into a watched folder.',
    watchFolder: 'Watch a folder',
    emptyWithDone: (n: number) => count(n, { one: 'The last one is under Done.', other: 'The last # are under Done.' }),
    emptyDoneTitle: 'Nothing done yet',
    emptyDone: 'What is converted stands here, to be heard beside its original.',
    side: 'Voice and settings',
  },
  job: {
    waiting: 'Waiting',
    next: 'next',
    starting: 'Starting',
    uploading: 'Uploading',
    uploaded: 'Uploaded',
    converting: 'Converting',
    speaking: 'Speaking',
    soFar: (seconds: number) => `${format.span(seconds)} so far`,
    downloading: 'Downloading',
    saving: 'Saving',
    done: 'Done',
    cancelled: 'Cancelled',
    ofBytes: (done: number, total: number) => format.bytesPair(done, total).join(' of '),
    bytesSoFar: (done: number) => `${format.bytes(done)} so far`,
    play: (name: string) => `Listen to ${name}`,
    pause: (name: string) => `Pause ${name}`,
    reveal: (name: string) => `Show ${name} in its folder`,
    again: (name: string) => `Convert ${name} again`,
    cancel: (name: string) => `Cancel ${name}`,
    remove: (name: string) => `Remove ${name} from the list`,
    foldBoth: 'Original above the line, result below it',
    foldOne: 'The original',
    foldNone: 'No picture of this sound',
    foldSpeech: 'The spoken text',
    cancelShort: 'Cancel',
    removeShort: 'Remove from the list',
    leave: 'Leave it',
  },
  problemActions: {
    retry: 'Try again',
    'convert-again': 'Convert again',
    'show-file': 'Show file',
    'choose-voice': 'Choose a voice',
    'choose-folder': 'Choose another folder',
  },
  voice: {
    change: 'Change voice',
    choose: 'Choose voice',
    none: 'No voice chosen',
    noneHint: 'Recordings are converted to the voice that you choose.',
    gone: 'No longer in the catalogue',
    find: 'Find a voice',
    list: 'Voices',
    male: 'male',
    female: 'female',
    noMatch: (query: string) => `No voice fits “${query}”.`,
    clearSearch: 'Clear the search',
    cut: (n: number) => `Only the first ${format.number(n)} voices are listed. The service has more.`,
    more: (n: number) => count(n, { one: 'and # more: type to find it', other: 'and # more: type to find them' }),
    loading: 'Reading the voices',
    use: 'use',
    move: 'move',
  },
  settings: enSettings,
  connections: enConnections,
  connectionFields: enConnectionFields,
  player: {
    label: 'Player',
    nothing: 'Nothing playing',
    hint: 'Space plays what is selected',
    play: 'Play',
    pause: 'Pause',
    toStart: 'Back to start',
    loop: 'Loop',
    position: 'Position',
    at: (now: number, all: number) => `${format.clockLength(now)} of ${format.clockLength(all)}`,
    hear: 'What you hear',
    equallyLoud: 'Both are played equally loud',
    original: 'Original',
    result: 'Result',
    volume: 'Volume',
    failed: 'This sound can’t be played. It may have been moved or deleted.',
  },
  keys: {
    title: 'Keys',
    lead: 'Single letters act while no text field has the focus. They can be switched off in Settings.',
    leadOff: 'Single letters are switched off in Settings.',
    names: {
      ctrl: 'Ctrl',
      alt: 'Alt',
      shift: 'Shift',
      enter: 'Enter',
      space: 'Space',
      del: 'Del',
      home: 'Home',
      end: 'End',
      esc: 'Esc',
    },
    everywhere: 'Everywhere',
    list: 'In a list',
    listening: 'Listening',
    views: 'views, in their order',
    panes: 'next pane',
    find: 'find',
    zoom: 'larger, smaller',
    zoomBack: 'usual size',
    zoomedTo: (percent: number) => `${format.number(percent)} %`,
    changeVoice: 'change voice',
    paste: 'add copied recordings',
    showKeys: 'show these keys',
    rows: 'rows',
    buttons: 'buttons of a row',
    main: 'the main thing',
    listen: 'listen, pause',
    remove: 'cancel or remove',
    move: 'move a waiting row',
    moveFar: 'next of all, last of all',
    pause: 'pause the queue, go on',
    sides: 'original, result',
    loop: 'loop',
    seek: '5 s back, on',
    seekFine: '1 s back, on',
  },
  notify: {
    batch: ({ done, needPerson }: Batch) =>
      [
        done > 0 ? count(done, { one: '# recording is done', other: '# recordings are done' }) : '',
        needPerson > 0 ? count(needPerson, { one: '# needs you', other: '# need you' }) : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    closed: 'Timbre has closed',
    left: (n: number) =>
      count(n, {
        one: '# recording is left. Timbre goes on with it the next time you open it.',
        other: '# recordings are left. Timbre goes on with them the next time you open it.',
      }),
  },
  cli: enCli,
  queue: enQueue,
  speech: enSpeech,
  diagnostics: enDiagnostics,
  voices: enVoices,
  history: enHistory,
  models: enModels,
  watch: enWatch,
  problems: enProblems,
};

/** Every word that Timbre shows, says or prints, and the ways of writing numbers that go with them. */
export type Messages = typeof en;
