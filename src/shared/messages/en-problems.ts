import type { Facts } from '../errors.ts';
import { enDataProblems } from './en-data-problems.ts';
import { enHistoryProblems } from './en-history-problems.ts';
import { enWatchProblems } from './en-watch-problems.ts';
import { numberFact, type ProblemTexts, sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('en');

export function cutShort(facts: Facts): string | undefined {
  const promisedSeconds = numberFact(facts, 'promisedSeconds');
  const actualSeconds = numberFact(facts, 'actualSeconds');
  if (promisedSeconds !== undefined && actualSeconds !== undefined) {
    return `The header promises ${format.clockLength(promisedSeconds)} but only ${format.clockLength(actualSeconds)} arrived.`;
  }
  const promisedBytes = numberFact(facts, 'promisedBytes');
  const actualBytes = numberFact(facts, 'actualBytes');
  if (promisedBytes === undefined || actualBytes === undefined) return undefined;
  return `The header promises ${format.bytes(promisedBytes)} but only ${format.bytes(actualBytes)} arrived.`;
}

function arrived(facts: Facts): string | undefined {
  const promised = numberFact(facts, 'promisedBytes');
  const actual = numberFact(facts, 'actualBytes');
  if (promised === undefined || actual === undefined) return undefined;
  const [part, whole] = format.bytesPair(actual, promised);
  return `${part} of ${whole} came.`;
}

function tooLarge(facts: Facts): string | undefined {
  const limit = numberFact(facts, 'limitBytes');
  const actual = numberFact(facts, 'actualBytes');
  if (limit === undefined) return undefined;
  const takes = `It takes ${format.bytes(limit)}`;
  return actual === undefined ? `${takes} at most.` : `${takes}, this is ${format.bytes(actual)}.`;
}

function statusOf(facts: Facts): string | undefined {
  const status = numberFact(facts, 'status');
  return status === undefined ? undefined : `It answered with status ${status}.`;
}

function pauseOf(facts: Facts): string | undefined {
  const seconds = numberFact(facts, 'retryAfterSeconds');
  return seconds === undefined ? undefined : `It asked for a pause of ${format.span(seconds)}.`;
}

function spaceOf(facts: Facts): string {
  const needed = numberFact(facts, 'neededBytes');
  return needed === undefined ? 'Free some space' : `Free ${format.bytes(needed)}`;
}

function lengthOf(facts: Facts): string | undefined {
  const limit = numberFact(facts, 'limitCharacters');
  const actual = numberFact(facts, 'actualCharacters');
  if (limit === undefined) return undefined;
  const takes = `It takes ${format.number(limit)} characters`;
  return actual === undefined ? `${takes} at most.` : `${takes}, this has ${format.number(actual)}.`;
}

export const enProblems: ProblemTexts = {
  'input/missing': () => ({
    title: 'File moved or deleted',
    advice: 'Put it back where it was and try again, or add it from its new place.',
  }),
  'input/unreadable': () => ({
    title: 'This file can’t be opened',
    advice: 'Another program may hold it, or you may lack the right to read it. Then try again.',
  }),
  'input/not-a-file': () => ({ title: 'This is not a file', advice: 'Add the recording itself, or its folder.' }),
  'input/empty': () => ({ title: 'The file is empty', advice: 'Save the recording again and add it again.' }),
  'input/not-audio': () => ({
    title: 'No sound that Timbre can read',
    advice: 'Save it as wav, mp3, flac or ogg and add it again.',
  }),
  'input/cut': (facts) => ({
    title: 'The recording is cut short',
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
  'input/text-empty': () => ({ title: 'There is no text to speak', advice: 'Write or paste some, then try again.' }),
  'input/too-long': (facts) => {
    const limit = numberFact(facts, 'limitSeconds');
    const actual = numberFact(facts, 'actualSeconds');
    return {
      title: 'Longer than this service takes',
      advice: sentences(
        limit === undefined ? undefined : `It takes ${format.clockLength(limit)} at most.`,
        actual === undefined ? undefined : `This is ${format.clockLength(actual)}.`,
        'Cut it into parts, or choose another service.',
      ),
    };
  },
  'input/text-too-long': (facts) => ({
    title: 'The text is too long for this service',
    advice: sentences(lengthOf(facts), 'Split it into several pieces.'),
  }),
  'input/not-text': () => ({
    title: 'This file is not plain text',
    advice: 'Save it as plain text in UTF-8, then open it again.',
  }),
  'voice/missing': () => ({ title: 'No voice chosen', advice: 'Choose a voice and add the recording again.' }),
  'voice/not-found': (facts) => {
    const name = textFact(facts, 'name');
    const gone = name === undefined ? 'The connection no longer offers it.' : `${name} is no longer offered.`;
    return { title: 'This voice is gone', advice: `${gone} Choose another and add the recording again.` };
  },
  'output/not-writable': () => ({
    title: 'The result can’t be saved there',
    advice: 'Allow writing to the folder and try again, or choose another for the next ones.',
  }),
  'output/disk-full': (facts) => ({ title: 'The disk is full', advice: `${spaceOf(facts)}, then try again.` }),
  'output/failed': () => ({
    title: 'The result was not saved',
    advice: 'Check that the disk is there, then try again.',
  }),
  'template/empty': () => ({
    title: 'A name is missing in this pattern',
    advice: 'Write something before, between and after the slashes.',
  }),
  'template/unknown-field': () => ({
    title: 'A field in this pattern is not known',
    advice: 'There are {name}, {voice}, {connection}, {language}, {date} and {time}.',
  }),
  'template/outside': () => ({
    title: 'This pattern leads out of the folder',
    advice: 'Leave out the slash at the start, the drive, and parts made of dots.',
  }),
  'system/too-many-files': () => ({
    title: 'Too many files are open on this computer',
    advice: 'Close other programs, then try again.',
  }),
  'network/unreachable': () => ({
    title: 'The service can’t be reached',
    advice: 'Check the network, then try again.',
  }),
  'network/timeout': () => ({ title: 'The service did not answer in time', advice: 'Try again in a while.' }),
  'network/cut': () => ({ title: 'The network broke off', advice: 'Check the network, then try again.' }),
  'network/insecure': () => ({
    title: 'The connection is not secure',
    advice: 'The service’s certificate could not be trusted, so nothing was sent. Check its address.',
  }),
  'network/proxy': (facts) => ({
    title: 'The proxy did not let this through',
    advice: sentences(statusOf(facts), 'Check the proxy’s address in the settings or in this system, then try again.'),
  }),
  'service/refused': (facts) => ({
    title: tooLarge(facts) === undefined ? 'The service refused this' : 'Too large for this service',
    advice: sentences(
      tooLarge(facts),
      statusOf(facts),
      'Change the recording, the text or the settings, then try again.',
    ),
  }),
  'service/not-found': () => ({
    title: 'The service does not have this',
    advice: 'It may be gone there, or the connection’s address is not complete. Check it, then try again.',
  }),
  'service/too-large': (facts) => ({
    title: 'Too large for this service',
    advice: sentences(tooLarge(facts), 'Convert it on this computer, or send a shorter recording.'),
  }),
  'service/not-understood': (facts) => ({
    title: 'The service gave an answer that makes no sense',
    advice: sentences(statusOf(facts), 'Check the connection, then try again.'),
  }),
  'service/endless-list': () => ({
    title: 'The service’s list has no end',
    advice: 'What came until then is shown. Tell whoever runs the service.',
  }),
  'service/redirected': () => ({
    title: 'The service pointed to another address',
    advice: 'Timbre does not follow, because your recording would go there too. Check the connection’s address.',
  }),
  'service/unavailable': (facts) => ({
    title: 'The service is not available',
    advice: sentences(statusOf(facts), pauseOf(facts), 'Try again in a while.'),
  }),
  'service/result-gone': () => ({
    title: 'The service no longer has the result',
    advice: 'Converting again makes a new one, and may be paid again.',
  }),
  'service/result-incomplete': (facts) => ({
    title: 'The result arrived incomplete',
    advice: sentences(arrived(facts), 'Try again to fetch it.'),
  }),
  'service/result-not-audio': () => ({
    title: 'The result is not sound',
    advice: 'It was not saved. Try again.',
  }),
  'service/no-audio': () => ({
    title: 'The service’s answer holds no sound',
    advice: 'Check in the connection how speech is delivered. Its answer stands beside this.',
  }),
  'service/uncertain': () => ({
    title: 'The service may have converted this',
    advice: 'The answer was lost. Converting again may be paid twice.',
  }),
  'service/may-charge': () => ({
    title: 'Cancelled, but the service may still charge for it',
    advice: 'The request had already left. Converting again may be paid twice.',
  }),
  'auth/missing': (facts) => {
    const origin = textFact(facts, 'origin');
    if (origin === undefined) return { title: 'This connection has no token', advice: 'Enter one, then try again.' };
    return {
      title: `The token was not entered for ${origin}`,
      advice: 'It was not sent there. Enter it again if this address is right.',
    };
  },
  'auth/refused': () => ({ title: 'The service refused the token', advice: 'Enter a new one, then try again.' }),
  'auth/forbidden': () => ({
    title: 'The account may not do this',
    advice: 'Ask the service to allow it, then try again.',
  }),
  'quota/used-up': () => ({
    title: 'The account is used up',
    advice: 'Top it up at the service, then try again.',
  }),
  'rate/limited': (facts) => ({
    title: 'The service asked for a pause',
    advice: sentences(pauseOf(facts), 'Then try again.'),
  }),
  'engine/not-started': () => ({
    title: 'The voice engine did not start',
    advice: 'Try again. If it stays like this, close Timbre and open it again.',
  }),
  'connection/invalid': () => ({
    title: 'The connection’s settings are not complete',
    advice: 'Check its addresses, then try again.',
  }),
  'connection/not-found': () => ({
    title: 'The connection is gone',
    advice: 'Add the recording again with another connection.',
  }),
  'connection/name-taken': () => ({
    title: 'There is a connection of this name',
    advice: 'Give this one another name.',
  }),
  'connection/in-use': () => ({
    title: 'Jobs of this connection are still open',
    advice: 'Wait for them, or cancel them, then remove it.',
  }),
  'settings/unreadable': () => ({
    title: 'The settings could not be read',
    advice: 'Your recordings are safe. Try again, or close Timbre and open it again.',
  }),
  ...enDataProblems,
  ...enWatchProblems,
  ...enHistoryProblems,
  'dialog/failed': () => ({
    title: 'The system’s file dialog did not open',
    advice: 'Drop files or folders on the window instead, or paste them.',
  }),
  'job/not-found': () => ({ title: 'This is no longer in the list', advice: 'Add the recording again.' }),
  'job/cancelled': () => ({ title: 'Cancelled', advice: 'The original is as it was.' }),
  'request/invalid': () => ({
    title: 'This value is not accepted',
    advice: 'Change the settings and try again.',
  }),
  'request/unknown': () => ({
    title: 'This version of Timbre cannot do that',
    advice: 'Close Timbre and open it again.',
  }),
  internal: () => ({
    title: 'Something inside Timbre failed',
    advice: 'Your recordings are safe. Try again, or restart Timbre. Diagnostics shows the log.',
  }),
};
