import { enBackground } from './en-background.ts';
import { enConnectionFields } from './en-connection-fields.ts';
import { enConnections } from './en-connections.ts';
import { enCopies } from './en-copies.ts';
import { enFfmpeg } from './en-ffmpeg.ts';
import { enHook } from './en-hook.ts';
import { enDiagnostics } from './en-diagnostics.ts';
import { enDoctor } from './en-doctor.ts';
import { enHistory } from './en-history.ts';
import { enModels } from './en-models.ts';
import { enPresets } from './en-presets.ts';
import { enProblems } from './en-problems.ts';
import { enQueue } from './en-queue.ts';
import { enSettings } from './en-settings.ts';
import { enBatch } from './en-batch.ts';
import { enSpeech } from './en-speech.ts';
import { enStatistics } from './en-statistics.ts';
import { enCompare, enPreview, enVoices } from './en-voices.ts';
import { enWatch } from './en-watch.ts';
import { sentences } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

interface Counts {
  readonly running: number;
  readonly waiting: number;
  readonly needAttention: number;
}

interface Added {
  readonly added: number;
  readonly refused: number;
  readonly ignored: number;
}

interface Undone {
  readonly removed: number;
  readonly kept: number;
}

interface Large {
  readonly recordings: number;
  readonly seconds: number;
  readonly unmeasured: number;
  readonly service: string;
}

export const en = {
  language: 'en',
  format,
  app: {
    clearSearch: 'Clear search',
    name: 'Timbre',
    views: 'Views',
    loading: 'Loading',
    retry: 'Try again',
    restart: 'Restart Timbre',
    close: 'Close',
    serviceSaid: (words: string) => `Message from the service: “${words}”`,
    inProgress: (n: number) => `${format.number(n)} running`,
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
    offlineMode: 'Working offline',
    goOnline: 'Go online',
  },
  firstStart: {
    title: 'Drop a recording and hear it in another voice.',
    lead: 'Everything happens on this computer. You don’t need an account, and no audio leaves it unless you connect a service.',
    leadRemote: 'Choose a voice below. Recordings are only sent to the service that you’re connected to.',
    choose: 'Choose recordings',
    sample: 'Try a 13-second sample',
    voices: 'Voice',
    noVoices: 'This connection offers no voices yet.',
  },
  commands: {
    title: 'Commands',
    search: 'Find a command',
    noMatch: (query: string) => `No command matches “${query}”.`,
    run: 'run',
    addFiles: 'Add files…',
    addFolder: 'Add a folder…',
    watchFolder: 'Watch a folder…',
    pauseQueue: 'Pause the queue',
    resumeQueue: 'Resume the queue',
    retryAll: (n: number) => count(n, { one: 'Retry # failed recording', other: 'Retry all # failed recordings' }),
    retryFailed: 'Retry failed recordings',
    clearDone: 'Clear the list of finished recordings',
    undoRemoving: 'Undo removing from history',
    changeVoice: 'Change the voice',
    find: 'Find',
    play: 'Play',
    pausePlayback: 'Pause playback',
    original: 'Play the original',
    result: 'Play the result',
    loop: 'Turn looping on or off',
    goTo: (view: string) => `Go to ${view}`,
    connection: (name: string) => `Use ${name}`,
    theme: (name: string) => `Theme: ${name}`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    zoomReset: 'Reset zoom',
    keys: 'Show keyboard shortcuts',
  },
  convert: {
    counts: ({ running, waiting, needAttention }: Counts) =>
      [
        running > 0 ? `${format.number(running)} running` : '',
        waiting > 0 ? `${format.number(waiting)} waiting` : '',
        needAttention > 0 ? count(needAttention, { one: '# needs you', other: '# need you' }) : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    drop: 'Drop recordings or folders here',
    formats: 'wav, mp3, flac, m4a, amr, mp4 and more',
    chooseFiles: 'Choose files',
    chooseFolder: 'Choose folder',
    dragged: (n: number) => count(n, { one: 'Convert # recording', other: 'Convert # recordings' }),
    draggedNone: 'No audio files',
    draggedOthers: (n: number) =>
      count(n, {
        one: '# other file isn’t audio and will be skipped',
        other: '# other files aren’t audio and will be skipped',
      }),
    dropHint: 'Drop anywhere in the window',
    adding: (n: number) => count(n, { one: 'Adding # item', other: 'Adding # items' }),
    added: ({ added, refused, ignored }: Added) =>
      sentences(
        added > 0 || (refused === 0 && ignored === 0)
          ? count(added, { one: 'Added # recording.', other: 'Added # recordings.' })
          : undefined,
        refused > 0
          ? count(refused, {
              one: '# can’t be converted; the list shows why.',
              other: '# can’t be converted; the list shows why.',
            })
          : undefined,
        ignored > 0
          ? count(ignored, {
              one: '# other file was skipped: it isn’t audio, or Timbre made it.',
              other: '# other files were skipped: they aren’t audio, or Timbre made them.',
            })
          : undefined,
      ),
    undo: 'Undo',
    undoLabel: 'Undo adding',
    undone: ({ removed, kept }: Undone) =>
      sentences(
        count(removed, { one: 'Removed # recording.', other: 'Removed # recordings.' }),
        kept > 0
          ? count(kept, {
              one: '# has already been converted or sent.',
              other: '# have already been converted or sent.',
            })
          : undefined,
      ),
    large: {
      title: (n: number) => count(n, { one: 'Convert # recording?', other: 'Convert # recordings?' }),
      lead: ({ recordings, seconds, unmeasured, service }: Large) => {
        const length = format.length(seconds);
        const sent =
          seconds === 0
            ? count(recordings, {
                one: `It will be sent to ${service}, which may charge for it.`,
                other: `They will be sent to ${service}, which may charge for them.`,
              })
            : `${unmeasured > 0 ? `At least ${length}` : length} of audio will be sent to ${service}, which may charge for it.`;
        return sentences(
          sent,
          unmeasured > 0
            ? count(unmeasured, {
                one: 'The length of # recording is unknown.',
                other: 'The length of # recordings is unknown.',
              })
            : undefined,
        );
      },
      tooLong: (n: number, service: string) =>
        count(n, {
          one: `# more is longer than ${service} accepts, and won’t be sent.`,
          other: `# more are longer than ${service} accepts, and won’t be sent.`,
        }),
      confirm: 'Convert',
      cancel: 'Cancel',
    },
    withoutPath: (n: number) =>
      count(n, {
        one: '# item isn’t a file on this computer. Save it first, then add it.',
        other: '# items aren’t files on this computer. Save them first, then add them.',
      }),
    lists: 'Lists',
    queue: 'Queue',
    done: 'Done',
    clear: 'Clear list',
    emptyTitle: 'Nothing to convert',
    empty: 'Drop or paste recordings here, or save them in a watched folder.',
    watchFolder: 'Watch a folder',
    emptyWithDone: (n: number) =>
      count(n, { one: 'Your last recording is in Done.', other: 'Your last # recordings are in Done.' }),
    emptyDoneTitle: 'Nothing finished yet',
    emptyDone: 'Finished recordings appear here, next to the originals.',
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
    joining: 'Joining the sentences',
    ofSentences: (done: number, total: number) =>
      `${format.number(done)} of ${count(total, { one: '# sentence', other: '# sentences' })}`,
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
    waveformBoth: 'Waveform: original above the line, result below',
    waveformOriginal: 'Waveform of the original',
    waveformNone: 'No waveform',
    waveformSpeech: 'Waveform of the speech',
    cancelShort: 'Cancel',
    removeShort: 'Remove from list',
    dismiss: 'Dismiss',
  },
  problemActions: {
    retry: 'Try again',
    'convert-again': 'Convert again',
    'show-file': 'Show file',
    'choose-voice': 'Choose a voice',
    'choose-folder': 'Choose another folder',
    'convert-differently': 'Change and convert again',
    'enter-token': 'Enter token',
    'test-connection': 'Test connection',
    'edit-connection': 'Edit connection',
    'change-proxy': 'Change proxy',
    'go-online': 'Go online',
    'free-space': 'Show largest results',
    'change-hook': 'Open its settings',
    'set-up-ffmpeg': 'Set up ffmpeg',
  },
  voice: {
    change: 'Change voice',
    choose: 'Choose voice',
    none: 'No voice selected',
    noneHint: 'Choose a voice for your recordings.',
    missing: 'No longer in the catalogue',
    useSimilar: (name: string) => `Use ${name}`,
    similarHint: 'The most similar voice of this connection',
    find: 'Find a voice',
    list: 'Voices',
    recent: 'Used lately',
    male: 'male',
    female: 'female',
    noMatch: (query: string) => `No voice matches “${query}”.`,
    cut: (n: number) => `Only the first ${format.number(n)} voices are shown. The service has more.`,
    more: (n: number) => count(n, { one: '# more: type to find it', other: '# more: type to find them' }),
    loading: 'Loading voices',
    use: 'use',
    move: 'move',
  },
  settings: enSettings,
  connections: enConnections,
  connectionFields: enConnectionFields,
  player: {
    label: 'Player',
    nothing: 'Nothing playing',
    hint: 'Space plays the selection',
    play: 'Play',
    pause: 'Pause',
    toStart: 'Back to start',
    loop: 'Loop',
    position: 'Position',
    options: 'Speed and loop',
    speed: 'Speed',
    passage: 'Loop a passage',
    passageStart: 'From',
    passageEnd: 'to',
    startHere: 'Loop from here',
    endHere: 'Loop to here',
    endLoop: 'Stop looping',
    at: (now: number, all: number) => `${format.clockLength(now)} of ${format.clockLength(all)}`,
    sides: 'Play original or result',
    equallyLoud: 'Both play at the same loudness',
    original: 'Original',
    result: 'Result',
    volume: 'Volume',
    failed: 'Can’t play this file. It may have been moved or deleted, or its format can only be converted.',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    lead: 'Select keys to change them. Single-letter shortcuts work when you’re not typing in a text field; you can turn them all off in Settings.',
    leadOff: 'Select keys to change them. Single-letter shortcuts are turned off in Settings.',
    change: 'Change the keys',
    waiting: 'Press keys',
    hint: 'Esc cancels. Backspace turns the shortcut off.',
    taken: (keys: string, other: string) => `${keys} is in use for “${other}”, which would have no keys.`,
    unsupported:
      'Timbre can’t use these keys. Press a letter, a sign or an F key, or Ctrl or ⌘ with a letter or digit.',
    reserved: (keys: string) => `${keys} has a meaning in every program. Press other keys.`,
    replace: 'Use here',
    keep: 'Cancel',
    off: 'Off',
    reset: 'Reset all',
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
    list: 'Lists',
    listening: 'Playback',
    views: 'Views',
    panels: 'next panel',
    panelsBack: 'previous panel',
    find: 'find',
    palette: 'all commands',
    zoomIn: 'zoom in',
    zoomOut: 'zoom out',
    zoomReset: 'reset zoom',
    zoomedTo: (percent: number) => `${format.number(percent)} %`,
    changeVoice: 'change voice',
    paste: 'add copied recordings',
    showKeys: 'show keyboard shortcuts',
    rows: 'move between rows',
    buttons: 'buttons in a row',
    main: 'main action',
    listen: 'play, pause',
    details: 'details',
    remove: 'cancel or remove',
    move: 'move a waiting row',
    moveFar: 'move to start, to end',
    pause: 'pause or resume the queue',
    original: 'original',
    result: 'result',
    loop: 'loop',
    loopFrom: 'loop from here',
    loopTo: 'loop to here',
    back: '5 s back',
    forward: '5 s forward',
    backFine: '1 s back',
    forwardFine: '1 s forward',
  },
  background: enBackground,
  doctor: enDoctor,
  queue: enQueue,
  speech: enSpeech,
  batch: enBatch,
  diagnostics: enDiagnostics,
  voices: enVoices,
  preview: enPreview,
  compare: enCompare,
  history: enHistory,
  copies: enCopies,
  hook: enHook,
  ffmpeg: enFfmpeg,
  statistics: enStatistics,
  presets: enPresets,
  models: enModels,
  watch: enWatch,
  problems: enProblems,
};

/** All texts that Timbre shows, announces or prints, with the formats of their numbers. */
export type Messages = typeof en;
