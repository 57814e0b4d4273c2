import type { Facts } from '../errors.ts';
import { enBatchProblems } from './en-batch.ts';
import { enDataProblems } from './en-data-problems.ts';
import { enHookProblems } from './en-hook.ts';
import { enHistoryProblems } from './en-history-problems.ts';
import { enPresetProblems } from './en-presets.ts';
import { enWatchProblems } from './en-watch-problems.ts';
import { numberFact, type ProblemTexts, proxyFault, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');

export function cutShort(facts: Facts): string | undefined {
  const promisedSeconds = numberFact(facts, 'promisedSeconds');
  const actualSeconds = numberFact(facts, 'actualSeconds');
  if (promisedSeconds !== undefined && actualSeconds !== undefined) {
    return `The file should be ${format.clockLength(promisedSeconds)} long, but only ${format.clockLength(actualSeconds)} is there.`;
  }
  const promisedBytes = numberFact(facts, 'promisedBytes');
  const actualBytes = numberFact(facts, 'actualBytes');
  if (promisedBytes === undefined || actualBytes === undefined) return undefined;
  return `The file should be ${format.bytes(promisedBytes)}, but only ${format.bytes(actualBytes)} is there.`;
}

function arrived(facts: Facts): string | undefined {
  const promised = numberFact(facts, 'promisedBytes');
  const actual = numberFact(facts, 'actualBytes');
  if (promised === undefined || actual === undefined) return undefined;
  const [part, whole] = format.bytesPair(actual, promised);
  return `Only ${part} of ${whole} arrived.`;
}

function tooLarge(facts: Facts): string | undefined {
  const limit = numberFact(facts, 'limitBytes');
  const actual = numberFact(facts, 'actualBytes');
  if (limit === undefined) return undefined;
  return actual === undefined
    ? `The limit is ${format.bytes(limit)}.`
    : `The limit is ${format.bytes(limit)}, and this is ${format.bytes(actual)}.`;
}

const proxyTitles: Readonly<Record<ReturnType<typeof proxyFault>, string>> = {
  credentials: 'The proxy requires a valid name and password',
  refused: 'The proxy refused the request',
  unreachable: 'Can’t reach the proxy',
  address: 'The proxy’s address isn’t valid',
  other: 'Can’t connect through the proxy',
};

function statusOf(facts: Facts): string | undefined {
  const status = numberFact(facts, 'status');
  return status === undefined ? undefined : `It responded with status ${status}.`;
}

function retryLater(facts: Facts): string {
  const seconds = numberFact(facts, 'retryAfterSeconds');
  return seconds === undefined ? 'Try again later.' : `Try again in ${format.span(seconds)}.`;
}

function spaceOf(facts: Facts): string {
  const needed = numberFact(facts, 'neededBytes');
  return needed === undefined ? 'Free up some space' : `Free up ${format.bytes(needed)}`;
}

/** How long a text may be, and how long it is. */
export function textLimit(facts: Facts): string | undefined {
  const limit = numberFact(facts, 'limitCharacters');
  const actual = numberFact(facts, 'actualCharacters');
  const limitBytes = numberFact(facts, 'limitBytes');
  if (limitBytes !== undefined) {
    return `The limit is ${format.bytes(limitBytes)}, and this has ${format.bytes(numberFact(facts, 'actualBytes') ?? 0)}.`;
  }
  if (limit === undefined) return undefined;
  return actual === undefined
    ? `The limit is ${format.number(limit)} characters.`
    : `The limit is ${format.number(limit)} characters, and this has ${format.number(actual)}.`;
}

/** How to get ffmpeg on the system that the problem comes from. */
export function ffmpegAdvice(facts: Facts): string {
  const system = textFact(facts, 'system');
  if (system === 'win32') return 'Install it with “winget install ffmpeg”, or get it from ffmpeg.org.';
  if (system === 'darwin') return 'Install it with “brew install ffmpeg”, or get it from ffmpeg.org.';
  return 'Install the package “ffmpeg”, or get it from ffmpeg.org.';
}

export const enProblems: ProblemTexts = {
  'input/missing': () => ({
    title: 'File moved or deleted',
    advice: 'Put it back and try again, or add it from its new location.',
  }),
  'input/unreadable': () => ({
    title: 'Can’t open this file',
    advice: 'Another program may be using it, or you may not have permission to read it. Check this, then try again.',
  }),
  'input/not-a-file': () => ({ title: 'This isn’t a file', advice: 'Choose an ordinary file instead.' }),
  'input/empty': () => ({ title: 'The file is empty', advice: 'Save the recording again, then add it again.' }),
  'input/not-audio': () => ({
    title: 'No audio that Timbre can read',
    advice: 'Save it as wav, mp3, flac or ogg, then add it again.',
  }),
  'input/needs-ffmpeg': (facts) => ({
    title: `Timbre needs ffmpeg for this ${textFact(facts, 'format') ?? 'format'} file`,
    advice: sentences(ffmpegAdvice(facts), 'Then try again.'),
  }),
  'input/cut': (facts) => ({
    title: 'The recording is incomplete',
    advice: sentences(cutShort(facts), 'Save it again, then try again.'),
  }),
  'input/changed': () => ({
    title: 'The file changed after it was added',
    advice: 'Try again to convert it as it is now.',
  }),
  'input/no-audio-in-folder': () => ({
    title: 'No recordings in this folder',
    advice: 'Add a folder with wav, mp3, flac, ogg or m4a files.',
  }),
  'input/text-empty': (facts) => {
    const file = textFact(facts, 'file');
    return file === undefined
      ? { title: 'No text to speak', advice: 'Write or paste some text, then try again.' }
      : { title: `No text to speak in ${file}`, advice: 'Write something in the file, then open it again.' };
  },
  'input/too-long': (facts) => {
    const limit = numberFact(facts, 'limitSeconds');
    const actual = numberFact(facts, 'actualSeconds');
    return {
      title: 'Too long for this service',
      advice: sentences(
        limit === undefined ? undefined : `The limit is ${format.clockLength(limit)}.`,
        actual === undefined ? undefined : `This is ${format.clockLength(actual)}.`,
        'Split it into parts, or choose another service.',
      ),
    };
  },
  'input/text-too-long': (facts) => ({
    title:
      numberFact(facts, 'limitBytes') === undefined ? 'The text is too long for this service' : 'The text is too long',
    advice: sentences(textLimit(facts), 'Split it into parts.'),
  }),
  'input/not-text': (facts) => ({
    title: `${textFact(facts, 'file') ?? 'This file'} isn’t plain text`,
    advice: 'Save it as plain text in UTF-8, then open it again.',
  }),
  'input/subtitle-times': (facts) => ({
    title: `Can’t read the ${numberFact(facts, 'count') === 1 ? 'time' : 'times'} in line ${textFact(facts, 'lines') ?? '?'}`,
    advice: 'Correct them as in “00:01:02,500 --> 00:01:04,000”, then try again.',
  }),
  'voice/missing': () => ({ title: 'No voice selected', advice: 'Choose a voice, then add the recording again.' }),
  'voice/not-found': (facts) => ({
    title: 'This voice is no longer available',
    advice: `The connection no longer offers ${textFact(facts, 'name') ?? 'it'}. Choose another voice, then add the recording again.`,
  }),
  'pronunciation/damaged': () => ({
    title: 'The pronunciation list can’t be read',
    advice: 'Its file pronunciations.json in the data folder is damaged. Repair or delete it, then speak again.',
  }),
  'pronunciation/not-a-lexicon': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'The file'} isn’t a valid pronunciation lexicon`,
    advice: `Correct line ${numberFact(facts, 'line') ?? 1}, then import it again. Your list has not changed.`,
  }),
  'pronunciation/too-many': (facts) => ({
    title: 'The pronunciation list is too long',
    advice: `It can have ${numberFact(facts, 'count') ?? 2000} words. Your list has not changed.`,
  }),
  'pronunciation/too-long': (facts) => ({
    title: `The pronunciation of “${textFact(facts, 'word') ?? 'a word'}” is too long for this service`,
    advice: `The limit is ${format.count(numberFact(facts, 'limit') ?? 0, { one: '# character', other: '# characters' })}. Shorten it, or choose another service.`,
  }),
  'voice/speaker-not-found': (facts) => ({
    title: `The voice of ${textFact(facts, 'name') ?? 'a speaker'} is not available`,
    advice: `The connection does not offer ${textFact(facts, 'voice') ?? 'it'}. Choose another voice for this speaker.`,
  }),
  'output/not-writable': () => ({
    title: 'Can’t save the result there',
    advice: 'Allow writing to the folder and try again, or choose another folder for your next recordings.',
  }),
  'output/disk-full': (facts) => ({ title: 'The disk is full', advice: `${spaceOf(facts)}, then try again.` }),
  'output/folder-missing': (facts) => ({
    title: 'The folder for the result is gone',
    advice: `Reconnect the disk with ${textFact(facts, 'folder') ?? 'it'}, or create the folder again, then try again.`,
  }),
  'output/failed': () => ({
    title: 'The result wasn’t saved',
    advice: 'Check that the disk is connected, then try again.',
  }),
  'template/empty': () => ({
    title: 'This pattern has an empty part',
    advice: 'Enter something before, between and after the slashes.',
  }),
  'template/unknown-field': () => ({
    title: 'This pattern has an unknown field',
    advice: 'Use {name}, {voice}, {connection}, {language}, {date} or {time}.',
  }),
  'template/outside': () => ({
    title: 'This pattern leads outside the folder',
    advice: 'Remove the slash at the start, the drive, and parts made of dots.',
  }),
  'system/too-many-files': () => ({
    title: 'Too many files are open',
    advice: 'Close other programs, or raise the system’s limit on open files, then try again.',
  }),
  'system/login-item': (facts) => ({
    title: 'Can’t change what opens when you sign in',
    advice: `Allow writing to ${textFact(facts, 'folder') ?? 'your configuration folder'}, then try again.`,
  }),
  'system/power-refused': (facts) => ({
    title:
      textFact(facts, 'action') === 'shut-down'
        ? 'The system didn’t allow Timbre to shut down this computer'
        : 'The system didn’t allow Timbre to put this computer to sleep',
    advice: sentences(
      textFact(facts, 'said') === undefined ? undefined : `It said: “${textFact(facts, 'said') ?? ''}”`,
      'Your work is done. Use the system’s own menu instead.',
    ),
  }),
  'network/unreachable': () => ({
    title: 'Can’t reach the service',
    advice: 'Check your network connection, then try again.',
  }),
  'network/timeout': () => ({ title: 'The service didn’t respond in time', advice: 'Try again later.' }),
  'network/cut': () => ({
    title: 'The connection was interrupted',
    advice: 'Check your network connection, then try again.',
  }),
  'network/insecure': (facts) => {
    const host = textFact(facts, 'resultHost');
    if (host === undefined) {
      return {
        title: 'The connection isn’t secure',
        advice: 'The service’s certificate isn’t trusted, so nothing was sent. Check the address.',
      };
    }
    return {
      title: 'The result isn’t at a secure address',
      advice: `The service did its work, but Timbre doesn’t download from ${host}, where others could read or replace the result. Ask the service’s operator for https addresses.`,
    };
  },
  'network/offline-mode': () => ({
    title: 'You’re working offline',
    advice: 'Nothing was sent. Turn off “Work offline” in Settings, then try again.',
  }),
  'network/proxy': (facts) => ({
    title: proxyTitles[proxyFault(facts)],
    advice: sentences(
      statusOf(facts),
      proxyFault(facts) === 'credentials'
        ? 'Put both into the proxy address, as in http://name:password@host:port, in Timbre’s settings or your system’s settings, then try again.'
        : 'Check the proxy address in Timbre’s settings or your system’s settings, then try again.',
    ),
  }),
  'service/refused': (facts) => ({
    title: tooLarge(facts) === undefined ? 'The service refused the request' : 'Too large for this service',
    advice: sentences(
      tooLarge(facts),
      statusOf(facts),
      'Change the recording, the text or the settings, then try again.',
    ),
  }),
  'service/not-found': () => ({
    title: 'The service can’t find this',
    advice: 'It may have been deleted there, or the connection’s address is incomplete. Check it, then try again.',
  }),
  'ffmpeg/wrong-program': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'This program'} isn’t ffmpeg`,
    advice: 'Choose the program itself. It is called ffmpeg, or ffmpeg.exe on Windows.',
  }),
  'service/format': (facts) => ({
    title: 'The service doesn’t take this format',
    advice: `It takes ${textFact(facts, 'taken') ?? 'others'}. Save the recording as one of these, or choose another service.`,
  }),
  'service/too-large': (facts) => ({
    title: 'Too large for this service',
    advice: sentences(tooLarge(facts), 'Convert it on this computer, or send a shorter recording.'),
  }),
  'service/not-understood': (facts) => ({
    title: 'Unexpected response from the service',
    advice: sentences(statusOf(facts), 'Check the connection, then try again.'),
  }),
  'service/endless-list': () => ({
    title: 'The service’s list never ends',
    advice: 'You see what arrived so far. Report this to the service’s operator.',
  }),
  'service/redirected': () => ({
    title: 'The service redirected to another address',
    advice: 'Timbre doesn’t follow it, because your recording would be sent there too. Check the connection’s address.',
  }),
  'service/unavailable': (facts) => ({
    title: 'The service is unavailable',
    advice: sentences(statusOf(facts), retryLater(facts)),
  }),
  'service/result-gone': () => ({
    title: 'The service no longer has the result',
    advice: 'Convert again to get a new one. You may be charged again.',
  }),
  'service/result-incomplete': (facts) => ({
    title: 'The result arrived incomplete',
    advice: sentences(arrived(facts), 'Try again to download it.'),
  }),
  'service/result-not-audio': () => ({
    title: 'The result isn’t audio',
    advice: 'It wasn’t saved. Try again.',
  }),
  'service/no-audio': () => ({
    title: 'The service’s response contains no audio',
    advice: 'Check how speech is delivered in the connection’s settings. The response is shown with this error.',
  }),
  'service/uncertain': () => ({
    title: 'This may already be converted',
    advice: 'The response was lost. If you convert again, you may be charged again.',
  }),
  'service/may-charge': () => ({
    title: 'Cancelled, but you may still be charged',
    advice: 'The request was already sent. If you convert again, you may be charged again.',
  }),
  'auth/missing': (facts) => {
    const origin = textFact(facts, 'origin');
    if (origin === undefined) return { title: 'This connection has no token', advice: 'Enter one, then try again.' };
    return {
      title: `The token wasn’t entered for ${origin}`,
      advice: 'It wasn’t sent there. If this address is right, enter the token again.',
    };
  },
  'auth/refused': () => ({ title: 'The service rejected the token', advice: 'Enter a new one, then try again.' }),
  'auth/forbidden': () => ({
    title: 'The service denies access',
    advice:
      'Your plan or the voice may not allow this, or a firewall blocks it. Check this with the service, then try again.',
  }),
  'auth/portable': () => ({
    title: 'Portable data holds no tokens',
    advice: 'Save the token in this computer’s keychain, or keep it for this session.',
  }),
  'quota/used-up': () => ({
    title: 'You’re out of credit',
    advice: 'Top up your account at the service, then try again.',
  }),
  'rate/limited': (facts) => ({ title: 'The service asked Timbre to wait', advice: retryLater(facts) }),
  'engine/not-started': () => ({
    title: 'The voice engine didn’t start',
    advice: 'Try again. If that doesn’t help, close Timbre and open it again.',
  }),
  'connection/invalid': () => ({
    title: 'The connection’s settings aren’t valid',
    advice: 'Check its addresses and other fields, then try again.',
  }),
  'connection/not-found': () => ({
    title: 'This connection no longer exists',
    advice: 'Add the recording again with another connection.',
  }),
  'connection/name-taken': () => ({
    title: 'A connection with this name already exists',
    advice: 'Choose another name.',
  }),
  'connection/in-use': () => ({
    title: 'This connection still has unfinished jobs',
    advice: 'Wait for them or cancel them, then remove the connection.',
  }),
  'input/more-found': () => ({
    title: 'More recordings were found than you confirmed',
    advice: 'Nothing was added. Add them again.',
  }),
  'settings/unreadable': (facts) => {
    const name = textFact(facts, 'name');
    return {
      title: 'Can’t read the settings',
      advice: sentences(
        'Your recordings are safe.',
        name === undefined
          ? 'Try again, or close Timbre and open it again.'
          : `${name} isn’t a file. Rename or remove it, then try again.`,
      ),
    };
  },
  'settings/damaged': (facts) => ({
    title: 'The settings were damaged',
    advice: sentences(
      `They are kept as ${textFact(facts, 'name') ?? 'a copy'}, and the default settings apply.`,
      'Timbre works offline until you say otherwise, in case you worked offline or through a proxy.',
    ),
  }),
  ...enBatchProblems,
  ...enDataProblems,
  ...enHookProblems,
  ...enWatchProblems,
  ...enHistoryProblems,
  ...enPresetProblems,
  'dialog/failed': () => ({
    title: 'The system’s file dialog didn’t open',
    advice: 'Drag files or folders onto the window instead, or paste them.',
  }),
  'job/not-found': () => ({ title: 'This is no longer in the list', advice: 'Add the recording again.' }),
  'job/cancelled': () => ({ title: 'Cancelled', advice: 'The original is unchanged.' }),
  'request/invalid': () => ({
    title: 'This value isn’t accepted',
    advice: 'Change the settings, then try again.',
  }),
  'request/unknown': () => ({
    title: 'This version of Timbre can’t do that',
    advice: 'Close Timbre and open it again.',
  }),
  internal: () => ({
    title: 'Something went wrong in Timbre',
    advice: 'Your recordings are safe. Try again, or restart Timbre. Diagnostics shows the log.',
  }),
};
