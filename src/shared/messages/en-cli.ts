import { enDoctor } from './en-doctor.ts';
import { createFormat } from './format.ts';

const format = createFormat('en');

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
  help: {
    intro: 'Timbre changes the voice of recordings, on this computer or with a web service.',
    app: 'open the app',
    convert: 'convert recordings; without --out each result goes beside its original',
    watch:
      'watch a folder and convert what is saved there, once; --once ends when nothing is left, --dry-run only tells',
    speak: 'speak a text; - reads it from stdin, and without --out the sound goes into the current folder',
    history:
      'show what was made, newest first, search it, show all about one entry, make it again, export it as a list or with ' +
      'its sounds, or import it; without --out sounds go to "Timbre import" in the current folder',
    voices: 'show the voices of a connection, or all about one',
    models: 'show your own voices at a service, or delete those of one name',
    token: 'keep the token of a connection, read from stdin, forget it, or try the connection',
    connections: 'show, import, export and remove connections; no token is ever inside',
    plant: 'call the sample operation of the interface',
    engine: 'run the voice engine alone, for other programs on this computer',
    doctor: 'check what Timbre needs to work, and say what to do',
    test: 'run the tests',
    everywhere:
      'Everywhere: --connection NAME or FILE.json (this computer where it is left out), --data-dir DIR, --json. ' +
      'A token is kept by "timbre token set" or stands in TIMBRE_TOKEN; that of a FILE.json in TIMBRE_TOKEN only.',
  },
  usage: {
    unknownCommand: (name: string) => `There is no command "${name}". "timbre help" lists them.`,
    unknownFlag: (flag: string, usages: string) => `There is no ${flag} here. Write ${usages}`,
    flagValue: (flag: string, usages: string) =>
      `${flag} takes its value as in ${flag}=VALUE, or none. Write ${usages}`,
    wrong: (usages: string) => `This is not how it is written. Write ${usages}`,
    or: ' or ',
    aboveZero: (flag: string, given: string) => `--${flag} takes a number above 0 such as 1.2, not "${given}".`,
    from: (flag: string, min: number, given: string) => `--${flag} takes a whole number from ${min}, not "${given}".`,
    fromTo: (flag: string, min: number, max: number, given: string) =>
      `--${flag} takes a whole number from ${min} to ${max}, not "${given}".`,
    oneOf: (flag: string, choices: string, given: string) => `--${flag} takes ${choices}, not "${given}".`,
    inRange: (flag: string, min: number, max: number, name: string) =>
      `--${flag} takes a number from ${min} to ${max} with ${name}.`,
    nameVoice: 'Name a voice with --voice ID. "timbre voices list" shows them all.',
    nameRecording: 'Name at least one recording or folder: timbre convert FILE --voice ID.',
    nameFolder: 'Name one folder: timbre watch DIR --voice ID.',
    nameText: 'Give one text: timbre speak TEXT --voice ID, or --file FILE, or - for stdin.',
    nameConnection: 'Name a connection with --connection NAME. "timbre connections list" shows them all.',
    engineAlone: 'The engine takes no file names: timbre engine --port N.',
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
    onlyStored: 'This computer needs no document and can’t be removed. Name another connection.',
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
    operation: { voices: 'Voices', voice: 'One voice', models: 'Own voices' },
    outcome: {
      understood: 'understood',
      unreached: 'not reached',
      unauthorised: 'not allowed',
      'not-understood': 'not understood',
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
  models: {
    wouldDelete: (name: string, connection: string) =>
      `This would delete every own voice named "${name}" at ${connection}. To do it, add --yes.`,
    deleted: (name: string) => `${name} is deleted.`,
    nameless: 'This name can’t stand in an address. Name a voice as "timbre models list" shows it.',
    page: (page: number, pages: number, total: number) =>
      `Page ${format.number(page)} of ${format.number(pages)}, ${format.number(total)} in all`,
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
