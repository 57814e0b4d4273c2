import { formatFor } from './locale-format.ts';

const format = formatFor('en');

const enEntries = (n: number) => (n === 0 ? 'No entry' : format.count(n, { one: 'One entry', other: '# entries' }));

/** Texts of the command line. Names of commands and flags are never translated. */
export const enCli = {
  runAgain: 'Unfinished jobs stay in the queue. Run the same command to resume them.',
  done: (done: number, all: number) => `${format.number(done)} of ${format.number(all)} done`,
  running: (n: number) => `${format.number(n)} running`,
  askedForPause: (name: string, at: string | null) =>
    at === null ? `${name} asked Timbre to wait` : `${name} asked Timbre to wait, resumes ${at}`,
  unavailable: (name: string, at: string | null) =>
    at === null
      ? `${name} is temporarily unavailable, trying again`
      : `${name} is temporarily unavailable, next try ${at}`,
  offline: 'No network connection, trying again',
  noLogEntries: 'The log has no such entries.',
  logUnreadable: (folder: string) =>
    `Can’t read the log in ${folder}. Check that timbre.log is a file and that you may read it.`,
  tryingAgain: (at: string) => `Next try ${at}.`,
  slowShutdown: 'Still closing files and processes. Press Ctrl-C again to quit at once.',
  hookRuns: 'Waiting for the program that runs after each result',
  finishing: 'Waiting for the current steps to finish. Press Ctrl-C again to quit at once.',
  brokenSettings: (path: string) =>
    `Can’t read ${path}, so the default settings apply and nothing is sent to a service. Open the app to set them again, or remove the file.`,
  dataDamaged: (folder: string) =>
    `Timbre’s data in ${folder} is damaged, so nothing more is sent. Open Timbre to repair it, or run the command again; your recordings weren’t touched.`,
  dataNotWritable: (folder: string) =>
    `Timbre can’t save its data in ${folder}. Free up space on its disk and check that you may write there, then run the command again.`,
  unexpected: (message: string) =>
    `Something went wrong in Timbre: ${message}. Run the command again with TIMBRE_DEBUG=1 to see where, and report it.`,
  noFile: (path: string) => `Can’t find ${path}.`,
  noCurrentFolder: 'The current folder no longer exists. Change to another folder, then run the command again.',
  noFolder: (path: string) => `Can’t find the folder ${path}.`,
  notAFolder: (path: string) => `${path} isn’t a folder. Specify a folder.`,
  folderTakesNothing: (path: string) =>
    `Can’t save anything in ${path}. Allow writing to it, or specify another folder with --out.`,
  noVoice: (id: string, name: string) => `${name} has no voice "${id}". To list the voices, run "timbre voices list".`,
  noModel: (model: string, name: string) =>
    `${name} has no custom voice "${model}". To list your custom voices, run "timbre models list".`,
  help: {
    intro: 'Timbre changes the voice of recordings, on this computer or with a web service.',
    app: 'open the app',
    convert: 'convert recordings, or all recordings in a folder; existing files are never replaced',
    watch: 'watch a folder and convert each recording saved there, once',
    speak: 'speak a text; with -, or without a text but with piped input, the text is read from stdin',
    history:
      'list the history, newest first; search it, show statistics, convert again, restore deleted results, export or import it',
    voices: 'list the voices of a connection, or show the details of one',
    models: 'list your custom voices at a service, or delete those with a given name',
    token: 'store the token of a connection, read from stdin; delete it; or test the connection',
    connections: 'list, import, export and remove connections; exports never contain a token',
    presets: 'list, export and import presets: voices with their settings under a name',
    plant: 'call the sample operation of the interface',
    engine: 'run the voice engine alone, for other programs on this computer',
    doctor: 'check that Timbre can work, and say how to fix problems',
    log: 'show the newest entries of the log, the latest last',
    completion: 'print a completion script for a shell',
    man: 'print the man page: timbre man | man -l -',
    helpOf: 'show this help, or the help of a command',
    versionOf: 'show the version',
    test: 'run the tests',
    usage: 'Usage',
    commands: 'Commands',
    options: 'Options',
    optionsOf: (form: string) => `Options for ${form}`,
    everywhere: 'Global options',
    environment: 'Environment',
    exits: 'Exit codes',
    more: 'For the help of a command, run "timbre help COMMAND".',
    value: (value: string, usual: string) => `${value} (default: ${usual})`,
    choices: (choices: string) => `one of ${choices}`,
  },
  flags: {
    connection: 'the service to use: the name of a stored connection, or its document; default: this computer',
    dataDir: 'the folder with settings, queue and history',
    json: 'print one JSON object per line to stdout; the last one is the result',
    quiet: 'print only the requested output and errors',
    help: 'show this help',
    version: 'show the version',
    voice: 'the voice; "timbre voices list" lists them',
    preset: 'the preset with connection, voice and settings; other options win; "timbre presets" lists them',
    anotherVoice: 'use another voice than before',
    page: 'the page to show, starting at 1',
    limit: 'the maximum number of lines to show',
    level: 'only entries that are at least this severe',
    follow: 'also show new entries until you stop the command',
    yes: 'don’t ask for confirmation',
    dryRun: 'only list what would be converted; nothing is sent',
    outConvert: 'the folder for results; default: the one in Settings, otherwise next to each original',
    outSpeak:
      'the audio file to write, or the folder for those of several texts; default: named after the text, in the folder from Settings or the current one',
    outAgain: 'save the result in another folder than before',
    outImport: 'the folder for audio files; default: "Timbre import" in the current folder',
    pitch: 'the pitch as a factor; the connection defines the range',
    speed: 'the speed as a factor; the connection defines the range',
    format: 'the format of the result; "same" keeps the format of the original if the service supports it',
    pitchControl: 'a value that the service defines; on this computer: shift-formants',
    autoF0: 'don’t adjust the pitch to the voice',
    engine: 'the engine to use at the service',
    audioName: 'the name of the recording at the service; default: its file name',
    platform: 'the source of the recording, as reported to the service',
    once: 'exit when nothing is left to convert',
    onlyNew: 'skip recordings that are already in the folder',
    subfolders: 'skip subfolders',
    moveDone: 'move converted originals to the subfolder "Done"',
    minutesADay: 'convert at most this many minutes of audio a day',
    hours: 'only accept recordings at this time of the day, such as 22:00-06:00',
    subfolderVoices: 'convert recordings in a subfolder with the voice that it is named after',
    hook: 'do not run the program that the app runs after each result',
    speaker: 'the voice of paragraphs that begin with "NAME:"; can be given for several names',
    speakTexts: 'also speak text files (.txt, .md, .srt, .vtt, .csv), with the same voice',
    textFile:
      'a file with the text (.txt, .md), subtitles (.srt, .vtt) or a table with a text in each row (.csv); may be given several times; - reads stdin',
    splitChapters: 'write each chapter of Markdown to a file of its own, named after its heading',
    sentencePause: 'the pause after each sentence of a long text; default: 0.35',
    paragraphPause: 'the pause after each paragraph of a long text; default: 0.8',
    speechLanguage: 'the language, as a tag such as en-GB; default: the language of the voice',
    speechPitch: 'the pitch; default: that of the connection',
    speechSpeed: 'the speed; default: that of the connection',
    speechPlatform: 'the kind of device, as reported to the service',
    search: 'only entries that match this search',
    period: 'the last 30 days, the last 12 months, a year, or all of history',
    statisticsKind: 'only recordings (conversion) or speech',
    csv: 'print one table as CSV',
    csvTable: 'the table for --csv',
    language: 'only voices with this language',
    gender: 'only voices with this gender',
    category: 'only voices in this category',
    storeInFile: 'store the token in a file that any program you run can read',
    plantId: 'the ID, a 64-bit whole number',
    plantName: 'the name',
    plantTag: 'a tag',
    port: 'the port to listen on; 0 selects a free one',
  },
  environment: {
    TIMBRE_TOKEN: 'the token of the connection; overrides the stored one',
    TIMBRE_DATA_DIR: 'same as --data-dir',
    TIMBRE_DEBUG: 'if set, the log also goes to stderr, with the origin of unexpected errors',
    HTTPS_PROXY: 'the proxy for services, with HTTP_PROXY and NO_PROXY; default: the one in Settings',
    LANG: 'the language, unless set in Settings; LC_ALL and LC_MESSAGES take precedence',
    NO_COLOR: 'if set, output has no colours',
  },
  exits: {
    done: 'everything succeeded',
    other: 'something else went wrong',
    usage: 'the command line is invalid',
    token: 'the token is missing or was rejected',
    quota: 'you are out of credit at the service',
    input: 'a file, folder, voice or entry is missing or can’t be used',
    network: 'the service can’t be reached',
    cancelled: 'the command was cancelled',
  },
  usage: {
    options: 'options',
    unknownCommand: (name: string, near: string | null) =>
      `There is no command "${name}".${near === null ? '' : ` Did you mean "${near}"?`} To list the commands, run "timbre help".`,
    unknownVerb: (given: string, near: string) => `There is no "timbre ${given}". Did you mean "timbre ${near}"?`,
    unknownFlag: (flag: string, near: string | null, command: string | null) =>
      `Unknown option ${flag}.${near === null ? '' : ` Did you mean ${near}?`} To list the options, run "timbre help${command === null ? '' : ` ${command}`}".`,
    noCommand: 'Specify a command. To list the commands, run "timbre help".',
    needsValue: (flag: string, value: string) => `${flag} needs a value: ${flag} ${value}.`,
    noValue: (flag: string) => `${flag} doesn’t take a value.`,
    forms: (forms: string, isSeveral: boolean) => (isSeveral ? `Usage:\n  ${forms}` : `Usage: ${forms}`),
    shell: (shells: string, given: string) => `Completion is available for ${shells}, not for "${given}".`,
    tooLong: (flag: string, most: number) => `--${flag} can have up to ${format.number(most)} characters.`,
    nameLanguage: 'The service gives no usable language for this voice. Specify one with --language, such as en-GB.',
    seconds: (flag: string, most: number) => `--${flag} must be a number of seconds from 0 to ${most}, such as 0.5.`,
    aboveZero: (flag: string, given: string) => `--${flag} must be a number above 0, such as 1.2, not "${given}".`,
    hours: (given: string) => `--hours must be two different times, such as 22:00-06:00, not "${given}".`,
    from: (flag: string, min: number, given: string) =>
      `--${flag} must be a whole number of at least ${min}, not "${given}".`,
    fromTo: (flag: string, min: number, max: number, given: string) =>
      `--${flag} must be a whole number from ${min} to ${max}, not "${given}".`,
    oneOf: (flag: string, choices: string, given: string) => `--${flag} must be one of ${choices}, not "${given}".`,
    inRange: (flag: string, min: number, max: number, name: string) =>
      `--${flag} must be a number from ${min} to ${max} for ${name}.`,
    nameVoice:
      'Specify a voice with --voice ID, or a preset with --preset NAME. To list them, run "timbre voices list" or "timbre presets".',
    speaker: (given: string) =>
      `"${given}" isn’t a name and a voice. Write --speaker "NAME=ID"; NAME has up to 40 characters and no colon. To list the voices, run "timbre voices list".`,
    speakerTwice: (name: string) => `--speaker gives ${name} more than one voice. Keep one of them.`,
    noLineOf: (name: string) =>
      `No line of the text begins with "${name}:". Check the name, or leave out its --speaker.`,
    tooManySpeakers: (most: number) => `A text can have up to ${most} speakers.`,
    nameText: 'Specify one text: timbre speak TEXT --voice ID, or files with --file FILE..., or - for stdin.',
    nameConnection:
      'Specify a connection with --connection NAME. To list the connections, run "timbre connections list".',
    int64: (given: string) =>
      `--id must be a whole number from -9223372036854775808 to 9223372036854775807, not "${given}".`,
    plant: 'Specify an ID and a name: timbre plant create --id INT64 --name S.',
  },
  connections: {
    unknown: (name: string, names: string) => `There is no connection "${name}". Available: ${names}.`,
    noFile: (path: string) => `Can’t read ${path}. Specify a connection document, such as studio.json.`,
    noEntries: 'Nothing to show.',
    imported: (name: string) => `${name} imported. To store its token, run "timbre token set --connection".`,
    exported: (name: string, path: string) => `${name} exported to ${path}.`,
    exists: (path: string) => `${path} already exists and isn’t replaced. Specify another file.`,
    notWritten: (path: string) => `Can’t write ${path}. Check its folder, or specify another file.`,
    noDocument: 'This computer has no document to export, because it needs no address and no token.',
    notRemoved: 'This computer can’t be removed. Specify another connection.',
    wouldRemove: (name: string) => `This would remove ${name} and its token. Add --yes to continue.`,
    removed: (name: string) => `${name} and its token removed.`,
  },
  presets: {
    kinds: { conversion: 'For recordings', speech: 'For speech' },
    none: 'No presets yet. Save one in the app, or import a file with "timbre presets import FILE".',
    default: 'default',
    missing: (connection: string) => `${connection} (no longer exists)`,
    exported: (n: number, path: string) =>
      `${format.count(n, { one: '# preset', other: '# presets' })} exported to ${path}.`,
    unknown: (kind: 'conversion' | 'speech', name: string, near: string | null, isOtherKind: boolean) =>
      `There is no preset "${name}" for ${kind === 'speech' ? 'speech' : 'recordings'}${isOtherKind ? `, only one for ${kind === 'speech' ? 'recordings' : 'speech'}` : ''}.${near === null ? '' : ` Did you mean "${near}"?`} To list the presets, run "timbre presets".`,
    noConnection: (name: string, connection: string) =>
      `The connection ${connection} of the preset "${name}" no longer exists. Specify another with --connection, or move the preset in the app.`,
  },
  token: {
    prompt: (name: string) => `Token for ${name} (hidden): `,
    none: 'No token on stdin. Pipe it in, or type it when asked.',
    characters:
      'This token has more than 65,536 characters, or characters that can’t be sent. Copy it again, without line breaks.',
    notHere: 'This computer needs no token. Specify another connection with --connection NAME.',
    notForFile:
      'For a FILE.json, the token only comes from TIMBRE_TOKEN. To store one, first run: timbre connections import FILE.',
    notKept: (why: string) =>
      'This computer has no password store that Timbre can use, so the token wasn’t stored. Set up a keyring, or add ' +
      `--store-in-file: the token is then stored in a file that any program you run can read. (${why})`,
    kept: {
      keychain: (name: string) => `The token for ${name} is stored in this system’s password store.`,
      file: (name: string) => `The token for ${name} is stored in a file that any program you run can read.`,
      session: (name: string) => `The token for ${name} wasn’t stored.`,
    },
    place: {
      keychain: 'Token: in this system’s password store',
      file: 'Token: in a file that any program you run can read',
      session: 'Token: for this session only',
      none: 'Token: none',
    },
    cleared: (name: string) => `Token for ${name} deleted.`,
    perhapsThere: (why: string) =>
      `This system’s password store isn’t responding, so it may still contain a token. Try again later. (${why})`,
    operation: { voices: 'Voices', 'voice-detail': 'Voice details', models: 'Custom voices' },
    outcome: {
      understood: 'understood',
      unreached: 'not reached',
      unauthorised: 'not authorised',
      'not-understood': 'not understood',
      'not-asked': 'not tested, because the list contains no voices',
    },
    suspect: (field: string) => `Check ${field} in the connection.`,
  },
  history: {
    soFar: (entries: number) => enEntries(entries),
    exported: (entries: number) => `${enEntries(entries)} exported.`,
    exportedWithSound: (entries: number, sounds: number) =>
      `${enEntries(entries)} exported with ${format.count(sounds, { one: 'one audio file', other: '# audio files' })}.`,
    withoutFile: (n: number) =>
      format.count(n, {
        one: 'One entry without audio: its file was moved, deleted or changed.',
        other: '# entries without audio: their files were moved, deleted or changed.',
      }),
    imported: (added: number, known: number) => `${enEntries(added)} imported, ${format.number(known)} already here.`,
    refused: (n: number) => format.count(n, { one: 'One line contains no entry.', other: '# lines contain no entry.' }),
    notBrought: (n: number) =>
      format.count(n, {
        one: 'One entry without audio: its file is missing from the archive, or damaged. Export it again from where it is.',
        other:
          '# entries without audio: their files are missing from the archive, or damaged. Export them again from where they are.',
      }),
    exists: (path: string) => `${path} already exists. Specify a new file.`,
    otherEnding: (path: string) => `${path} must end in .jsonl for a list, or in .zip for a list with audio.`,
    none: 'No history yet.',
    statistics: {
      badPeriod: (given: string) => `--period must be 30d, 12m, all or a year such as 2026, not "${given}".`,
      onlyCsv: '--by is the table for --csv, which can’t be used with --json.',
    },
    noMatch: 'No matches.',
    more: (n: number) => `Only the newest ${format.number(n)} are shown. Use --limit N to show more.`,
    badValue: (word: string, choices: string) => `“${word}” isn’t a value of this filter. Use one of ${choices}.`,
    unknown: (id: string) => `History has no entry ${id}. "timbre history list" starts each line with the ID.`,
    ambiguous: (id: string, ids: string, hasMore: boolean) =>
      `Several IDs start with ${id}: ${ids}${hasMore ? ' and more' : ''}. Use more characters.`,
    repeat: {
      otherKind: {
        conversion: (flag: string) => `${flag} is only for speech, and this entry is a recording. Remove it.`,
        speech: (flag: string) => `${flag} is only for recordings, and this entry is speech. Remove it.`,
      },
      noConnection: (name: string) =>
        `The connection ${name} no longer exists. Import its document with "timbre connections import FILE", or specify another with --connection.`,
      noVoice: (name: string) =>
        `The voice ${name} isn’t available. Specify another with --voice ID. To list the voices, run "timbre voices list".`,
      noSource: (path: string) =>
        `${path} was moved or deleted. Put it back, or convert it from its new location with "timbre convert FILE --voice ID".`,
    },
    restore: {
      either: 'Name entries or use --search, not both.',
      restored: (path: string) => `Restored ${path}`,
      none: (path: string) => `${path}: Timbre has no copy of it. Create it again with "timbre history again ID".`,
      damaged: (path: string) => `${path}: The copy was damaged and has been deleted.`,
      away: (path: string) => `${path}: Its disk isn’t connected. Connect it, then try again.`,
    },
    fileStatus: {
      there: 'exists',
      missing: 'was moved or deleted',
      changed: 'has changed since',
      away: 'is on a disk that isn’t connected',
    },
    facts: {
      id: 'ID',
      name: 'Name',
      problem: 'Problem',
      settings: 'Settings',
      sound: 'Length',
      failedTries: 'Failed attempts',
      created: 'Added',
      started: 'Started',
      ended: 'Ended',
      timings: 'Time per step',
      processingTime: 'Processing time',
      favourite: 'Favourite',
      yes: 'yes',
      others: 'Same original',
    },
  },
  page: ({ page, pages, shown, total }: { page: number; pages: number; shown: number; total: number }) =>
    `Page ${format.number(page)} of ${format.number(pages)}: ${format.number(shown)} of ${format.number(total)}.${page < pages ? ` Use --page ${page + 1} to show more.` : ''}`,
  voices: { asOf: (at: string) => `This is the saved list from ${at}.` },
  models: {
    wouldDelete: (name: string, connection: string) =>
      `This would delete every custom voice named "${name}" at ${connection}. Add --yes to continue.`,
    deleted: (name: string) => `${name} deleted.`,
    nameless: 'This name can’t be part of an address. Specify a voice as "timbre models list" shows it.',
  },
  speak: {
    row: (file: string, row: number) => `${file}, row ${format.number(row)}`,
    ended: (done: number, all: number) =>
      `${format.number(done)} of ${format.count(all, { one: '# text', other: '# texts' })} spoken.`,
    known: (n: number) =>
      format.count(n, {
        one: '# of them was spoken before and was not made again.',
        other: '# of them were spoken before and were not made again.',
      }),
    noFile: (path: string) => `Can’t read ${path}. Check its name and that you may read it.`,
    notAFile: (path: string) => `${path} isn’t a file. Specify a text file, or - for stdin.`,
    notUtf8: (path: string) => `${path} isn’t UTF-8 text. Save it as UTF-8, then try again.`,
    tooLong: (path: string) => `${path} is too long to speak at once. Split it into parts.`,
    isFolder: (path: string) => `--out must be a file, but ${path} is a folder. Add a file name.`,
    needsFolder: (path: string) => `Several results need a folder, but --out names the file ${path}. Specify a folder.`,
    hasField: (fields: string) => `The name in --out can’t contain ${fields}. Choose another.`,
    renamed: (path: string) => `The name in --out is taken or can’t be used for a file. Saved as ${path}`,
    otherFormat: (path: string) => `The service delivered another audio format than --out specifies. Saved as ${path}`,
  },
  watch: {
    watching: (folder: string) => `Watching ${folder}. Press Ctrl-C to stop; running jobs finish their current step.`,
    wouldConvert: (recordings: number, texts: number, seconds: number) => {
      const convert =
        recordings > 0 ? `convert ${format.count(recordings, { one: '# recording', other: '# recordings' })}` : '';
      const speak = texts > 0 ? `speak ${format.count(texts, { one: '# text', other: '# texts' })}` : '';
      const what = [convert, speak].filter((part) => part !== '').join(' and ');
      return `This would ${what}, ${texts > 0 ? 'about ' : ''}${format.length(seconds)} of audio. Nothing was sent.`;
    },
    skipped: (n: number) =>
      format.count(n, {
        one: '# file skipped: name not supported.',
        other: '# files skipped: names not supported.',
      }),
  },
};
