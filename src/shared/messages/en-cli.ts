import { enDoctor } from './en-doctor.ts';
import { formatFor } from './format.ts';

const format = formatFor('en');

const enEntries = (n: number) => (n === 0 ? 'No entry' : format.count(n, { one: 'One entry', other: '# entries' }));

/** What the command line says. Names of commands and flags stay as they are typed. */
export const enCli = {
  runAgain: 'What is left stays in the queue. The same command goes on with it.',
  done: (done: number, all: number) => `${format.number(done)} of ${format.number(all)} done`,
  underWay: (n: number) => `${format.number(n)} under way`,
  askedForPause: (name: string, at: string | null) =>
    `${name} asked for a pause${at === null ? '' : `, going on at ${at}`}`,
  unavailable: (name: string, at: string | null) =>
    `${name} is not available just now, trying again${at === null ? '' : ` at ${at}`}`,
  offline: 'No network, trying again',
  tryingAgain: (at: string) => `Trying again at ${at}.`,
  slowEnd: 'Still closing files and processes. Press Ctrl-C again to leave at once.',
  finishing: 'Waiting for the steps that are under way to end. Press Ctrl-C again to leave at once.',
  brokenSettings: (path: string) =>
    `${path} can’t be read, so the settings of a fresh start hold. Open the app to set them again.`,
  dataNotWritable: (folder: string) =>
    `Timbre can’t save anything in ${folder}. Make room on its disk and check that you may write there, then run the command again.`,
  unexpected: (said: string) =>
    `Something went wrong in Timbre: ${said}. Run it again with TIMBRE_DEBUG=1 to see where, and report that.`,
  noFile: (path: string) => `There is no ${path}.`,
  noFolder: (path: string) => `There is no folder ${path}.`,
  notAFolder: (path: string) => `${path} is not a folder. Name one.`,
  folderTakesNothing: (path: string) => `Nothing can be saved in ${path}. Allow it, or name another folder with --out.`,
  noVoice: (id: string, name: string) => `${name} has no voice "${id}". "timbre voices list" shows them all.`,
  noModel: (model: string, name: string) =>
    `There is no own voice "${model}" at ${name}. "timbre models list" shows them all.`,
  help: {
    intro: 'Timbre changes the voice of recordings, on this computer or with a web service.',
    app: 'open the app',
    convert: 'convert recordings, and all recordings of a folder; nothing is ever replaced',
    watch: 'watch a folder and convert what is saved there, once',
    speak: 'speak a text; - reads it from stdin, as does a command without a text that is piped into',
    history: 'show what was made, newest first; search it, make it again, export or import it',
    voices: 'show the voices of a connection, or all about one',
    models: 'show your own voices at a service, or delete those of one name',
    token: 'keep the token of a connection, read from stdin; forget it; or try the connection',
    connections: 'show, import, export and remove connections; no token is ever inside',
    plant: 'call the sample operation of the interface',
    engine: 'run the voice engine alone, for other programs on this computer',
    doctor: 'check what Timbre needs to work, and say what to do',
    completion: 'print what a shell needs to complete commands and options',
    man: 'print the man page: timbre man | man -l -',
    helpOf: 'show this, or all about one command',
    versionOf: 'show the version',
    test: 'run the tests',
    usage: 'Usage',
    commands: 'Commands',
    options: 'Options',
    optionsOf: (form: string) => `Options of ${form}`,
    everywhere: 'Options of every command',
    environment: 'Environment',
    exits: 'Exit codes',
    more: '"timbre help COMMAND" shows all about one command.',
    value: (value: string, usual: string) => `${value} (default: ${usual})`,
    choices: (choices: string) => `one of ${choices}`,
  },
  flags: {
    connection: 'the service to use: the name of a stored connection, or its document; without it this computer',
    dataDir: 'the folder with settings, queue and history',
    json: 'one JSON object a line on stdout, the last one the outcome',
    quiet: 'say only what was asked for and what went wrong',
    help: 'show this',
    version: 'show the version',
    voice: 'the voice; "timbre voices list" shows them all',
    anotherVoice: 'another voice than it was',
    page: 'the page to show, from 1',
    limit: 'the most lines to show',
    yes: 'do it without a question',
    dryRun: 'only tell what would be converted; nothing is sent',
    outConvert: 'the folder for results; without it that of Settings, else beside each original',
    outSpeak: 'the file for the sound; without it a name by the text, in the folder of Settings or the current one',
    outAgain: 'another folder for the result than it was',
    outImport: 'the folder for sounds; without it "Timbre import" in the current folder',
    pitch: 'how high, as a multiple; the connection says from where to where',
    speed: 'how fast, as a multiple; the connection says from where to where',
    format: 'the format of the result; "same" keeps that of the original where the service writes it',
    pitchControl: 'a word that the service understands; on this computer shift-formants',
    autoF0: 'leave the pitch of the recording where it is',
    engine: 'the engine at the service',
    audioName: 'what the recording is called at the service; without it the name of its file',
    platform: 'what the service is told of where the recording comes from',
    once: 'end when nothing is left to convert',
    onlyNew: 'leave alone what is in the folder already',
    subfolders: 'leave the folders inside alone',
    moveDone: 'move what is converted to the folder "Done" inside',
    minutesADay: 'convert no more than so many minutes of sound a day',
    textFile: 'a file with the text, in UTF-8; - is stdin',
    speechLanguage: 'the language, as a tag such as en-GB; without it that of the voice',
    speechPitch: 'how high; without it as is usual with the connection',
    speechSpeed: 'how fast; without it as is usual with the connection',
    speechPlatform: 'the kind of device that the service is told of',
    search: 'only what this search finds',
    language: 'only voices of this language',
    gender: 'only voices of this gender',
    category: 'only voices of this category',
    storeInFile: 'keep the token in a file that any program running as you can read',
    plantId: 'its number, a whole number of 64 bits',
    plantName: 'its name',
    plantTag: 'a word about it',
    port: 'the port to listen on; 0 takes a free one',
  },
  environment: {
    TIMBRE_TOKEN: 'the token of the connection; goes before the one that is kept',
    TIMBRE_DATA_DIR: 'as --data-dir',
    TIMBRE_DEBUG: 'if set, an unexpected error says where it came from',
    HTTPS_PROXY: 'the proxy for services, as HTTP_PROXY and NO_PROXY; without them the one in Settings',
    LANG: 'the language, where Settings name none; LC_ALL and LC_MESSAGES go before it',
    NO_COLOR: 'if set, nothing is coloured',
  },
  exits: {
    done: 'all was done',
    other: 'something else went wrong',
    usage: 'the command cannot be run as it was written',
    token: 'the token is missing or was refused',
    quota: 'the quota of the service is used up',
    input: 'a file, folder, voice or entry is not there or cannot be used',
    network: 'the service was not reached',
    cancelled: 'the command was told to stop',
  },
  usage: {
    options: 'options',
    unknownCommand: (name: string, near: string | null) =>
      `There is no command "${name}".${near === null ? '' : ` Did you mean "${near}"?`} "timbre help" lists them.`,
    unknownVerb: (given: string, near: string) => `There is no "timbre ${given}". Did you mean "timbre ${near}"?`,
    unknownFlag: (flag: string, near: string | null, command: string | null) =>
      `There is no ${flag} here.${near === null ? '' : ` Did you mean ${near}?`} "timbre help${command === null ? '' : ` ${command}`}" lists all options.`,
    noCommand: 'Name a command. "timbre help" lists them.',
    needsValue: (flag: string, value: string) => `${flag} needs a value: ${flag} ${value}.`,
    noValue: (flag: string) => `${flag} takes no value.`,
    write: (forms: string, isSeveral: boolean) => (isSeveral ? `Write one of:\n  ${forms}` : `Write ${forms}`),
    shell: (shells: string, given: string) => `There is completion for ${shells}, not for "${given}".`,
    tooLong: (flag: string, most: number) => `--${flag} takes at most ${format.number(most)} characters.`,
    nameLanguage:
      'The service names no language that can be used for this voice. Name one with --language, such as en-GB.',
    aboveZero: (flag: string, given: string) => `--${flag} takes a number above 0 such as 1.2, not "${given}".`,
    from: (flag: string, min: number, given: string) => `--${flag} takes a whole number from ${min}, not "${given}".`,
    fromTo: (flag: string, min: number, max: number, given: string) =>
      `--${flag} takes a whole number from ${min} to ${max}, not "${given}".`,
    oneOf: (flag: string, choices: string, given: string) => `--${flag} takes ${choices}, not "${given}".`,
    inRange: (flag: string, min: number, max: number, name: string) =>
      `--${flag} takes a number from ${min} to ${max} with ${name}.`,
    nameVoice: 'Name a voice with --voice ID. "timbre voices list" shows them all.',
    nameText: 'Give one text: timbre speak TEXT --voice ID, or --file FILE, or - for stdin.',
    nameConnection: 'Name a connection with --connection NAME. "timbre connections list" shows them all.',
    int64: (given: string) =>
      `--id takes a whole number from -9223372036854775808 to 9223372036854775807, not "${given}".`,
    plant: 'Give the plant a number and a name: timbre plant create --id INT64 --name S.',
  },
  connections: {
    unknown: (name: string, names: string) => `There is no connection "${name}". There are: ${names}.`,
    noFile: (path: string) => `${path} can’t be read. Name a connection document, such as studio.json.`,
    noEntries: 'Nothing to show.',
    imported: (name: string) => `${name} is imported. "timbre token set --connection" keeps its token.`,
    exported: (name: string, path: string) => `${name} is exported to ${path}.`,
    notBrought: (n: number) =>
      `${format.count(n, { one: 'One entry', other: '# entries' })} without sound: it is not in the archive, or damaged there. Export again where it is.`,
    exists: (path: string) => `${path} is there already and is not replaced. Name another file.`,
    notWritten: (path: string) => `${path} can’t be written. Check its folder, or name another file.`,
    noDocument: 'This computer has no document to export: it needs no address and no token.',
    notRemoved: 'This computer can’t be removed. Name another connection.',
    wouldRemove: (name: string) => `This would remove ${name} and its token. To do it, add --yes.`,
    removed: (name: string) => `${name} and its token are removed.`,
  },
  token: {
    prompt: (name: string) => `Token of ${name} (it is not shown): `,
    none: 'There was no token on stdin. Pipe it in, or type it when asked.',
    characters:
      'This token has more than 65,536 characters, or some that can’t be sent. Copy it again, without line breaks.',
    notHere: 'This computer needs no token. Name another connection with --connection NAME.',
    notForFile:
      'The token of a FILE.json comes from TIMBRE_TOKEN only. Import the document first: timbre connections import FILE.',
    notKept: (why: string) =>
      'This computer has no password store that Timbre can use, so nothing was kept. Set up a keyring, or add ' +
      `--store-in-file: the token is then stored in a file any program running as you can read. (${why})`,
    kept: {
      keychain: (name: string) => `The token of ${name} is kept in this system’s password store.`,
      file: (name: string) => `The token of ${name} is stored in a file any program running as you can read.`,
      session: (name: string) => `The token of ${name} was not kept.`,
    },
    place: {
      keychain: 'Token: in this system’s password store',
      file: 'Token: in a file any program running as you can read',
      session: 'Token: for this session only',
      none: 'Token: none',
    },
    cleared: (name: string) => `The token of ${name} is forgotten.`,
    perhapsThere: (why: string) =>
      `This system’s password store did not answer, so a token may still be in it. Try again later. (${why})`,
    operation: { voices: 'Voices', 'voice-detail': 'One voice', models: 'Own voices' },
    outcome: {
      understood: 'understood',
      unreached: 'not reached',
      unauthorised: 'not allowed',
      'not-understood': 'not understood',
      'not-asked': 'not asked, as the list names no voice',
    },
    suspect: (field: string) => `Check ${field} in the connection.`,
  },
  history: {
    soFar: (entries: number) => enEntries(entries),
    exported: (entries: number) => `${enEntries(entries)} exported.`,
    exportedWithSound: (entries: number, sounds: number) =>
      `${enEntries(entries)} exported, and ${format.count(sounds, { one: 'one sound', other: '# sounds' })}.`,
    withoutFile: (n: number) =>
      `${format.count(n, { one: 'One entry', other: '# entries' })} without sound: it is not where it was, or has other bytes.`,
    imported: (added: number, known: number) => `${enEntries(added)} imported, ${format.number(known)} here already.`,
    refused: (n: number) => format.count(n, { one: 'One line holds no entry.', other: '# lines hold no entry.' }),
    notBrought: (n: number) =>
      `${format.count(n, { one: 'One entry', other: '# entries' })} without sound: it is not in the archive, or damaged there. Export again where it is.`,
    exists: (path: string) => `${path} exists already. Name a new file.`,
    otherEnding: (path: string) =>
      `${path} ends neither in .jsonl, for a list, nor in .zip, for a list with its sounds. Name it so.`,
    none: 'Nothing was made yet.',
    noMatch: 'Nothing matches.',
    more: (n: number) => `Only the newest ${format.number(n)} are shown. --limit N shows more.`,
    badValue: (word: string, choices: string) => `“${word}” does not fit this filter. Write ${choices}.`,
    unknown: (id: string) => `History has no entry ${id}. "timbre history list" begins each line with the id.`,
    ambiguous: (id: string, ids: string, hasMore: boolean) =>
      `${id} is the beginning of several: ${ids}${hasMore ? ' and more' : ''}. Write more of it.`,
    again: {
      otherKind: {
        conversion: (flag: string) => `${flag} is for speech, and this entry is a recording. Leave it out.`,
        speech: (flag: string) => `${flag} is for recordings, and this entry is speech. Leave it out.`,
      },
      noConnection: (name: string) =>
        `This was made through ${name}, which is not here any more. Import its document with "timbre connections import FILE", or name another with --connection.`,
      noVoice: (name: string) =>
        `The voice ${name} is not offered. Name another with --voice ID: "timbre voices list" shows them all.`,
      noSource: (path: string) =>
        `${path} is not where it was. Put it back, or convert it from its new place with "timbre convert FILE --voice ID".`,
    },
    standing: {
      there: 'is there',
      missing: 'was moved or deleted',
      changed: 'was changed since',
      away: 'is on a disk that is not here',
    },
    facts: {
      id: 'Id',
      name: 'Name',
      problem: 'Problem',
      settings: 'Settings',
      sound: 'Length',
      failedTries: 'Failed tries',
      created: 'Asked for',
      started: 'Begun',
      ended: 'Ended',
      timings: 'Time spent',
      processingTime: 'Processing time',
      favourite: 'Favourite',
      yes: 'yes',
      others: 'Of the same source',
    },
  },
  page: ({ page, pages, shown, total }: { page: number; pages: number; shown: number; total: number }) =>
    `Page ${format.number(page)} of ${format.number(pages)}: ${format.number(shown)} of ${format.number(total)}.${page < pages ? ` --page ${page + 1} shows more.` : ''}`,
  voices: { asOf: (at: string) => `These are the voices as of ${at}.` },
  models: {
    wouldDelete: (name: string, connection: string) =>
      `This would delete every own voice named "${name}" at ${connection}. To do it, add --yes.`,
    deleted: (name: string) => `${name} is deleted.`,
    nameless: 'This name can’t stand in an address. Name a voice as "timbre models list" shows it.',
  },
  speak: {
    noFile: (path: string) => `${path} can’t be read. Check its name and your right to read it.`,
    notUtf8: (path: string) => `${path} is not text in UTF-8. Save it as UTF-8, then try again.`,
    tooLong: (path: string) => `${path} is too long for one piece of speech. Split it into several.`,
    isFolder: (path: string) => `--out takes the name of a file, and ${path} is a folder. Add a name to it.`,
    hasField: (fields: string) => `The name in --out may not hold ${fields}. Choose another.`,
    renamed: (path: string) => `The name in --out is taken, or not one for a file. Saved as ${path}`,
    otherFormat: (path: string) => `The service made another kind of sound than --out names. Saved as ${path}`,
  },
  watch: {
    watching: (folder: string) => `Watching ${folder}. Ctrl-C ends it; what is under way comes to the end of its step.`,
    wouldConvert: (n: number, seconds: number) =>
      `This would convert ${format.count(n, { one: '# recording', other: '# recordings' })}, ${format.length(seconds)} of sound. Nothing was sent.`,
    passedOver: (n: number) =>
      format.count(n, {
        one: '# file is passed over for its name.',
        other: '# files are passed over for their names.',
      }),
  },
  doctor: enDoctor,
};
