import type { Problem } from '../errors.ts';
import type { Finding } from '../schemas/diagnostics.ts';
import { type Messages, problemText } from './index.ts';

/**
 * A problem in one line: what happened, what to do, and the service's own message. For an invalid connection document, each wrong field
 * follows on its own line.
 */
export function problemSentence(messages: Messages, { words = '', ...problem }: Problem): string {
  const { title, advice } = problemText(messages, problem);
  const told = [/[.!?]$/.test(title) ? title : `${title}.`, advice].join(' ');
  if (words === '') return told;
  return `${told}${problem.code === 'connection/invalid' ? '\n' : ' '}${words}`;
}

/** The finding of a health check in one line: what works, or what to do. */
export function findingText(messages: Messages, finding: Finding): string {
  const { doctor } = messages.cli;
  const nameOf = (connection: string | null): string => connection ?? messages.connection.thisComputer;
  switch (finding.kind) {
    case 'answers':
      return doctor.answers(nameOf(finding.connection));
    case 'fails':
      return `${nameOf(finding.connection)}: ${problemSentence(messages, finding.problem).replaceAll('\n', ' ')}`;
    case 'opens':
      return doctor.opens;
    case 'not-open':
      return problemSentence(messages, finding.problem);
    case 'keychain':
      return doctor.keychain;
    case 'no-keychain':
      return doctor.noKeychain(finding.why);
    case 'writable':
      return doctor.writable(finding.folder);
    case 'not-writable':
      return doctor.notWritable(finding.folder);
    case 'free':
      return doctor.free(finding.bytes, finding.folder);
    case 'full':
      return doctor.full(finding.bytes, finding.folder);
    case 'clock':
      return doctor.clock(finding.connection, finding.seconds);
    case 'clock-off':
      return doctor.clockOff(finding.connection, finding.seconds);
    case 'no-clock':
      return doctor.noClock;
    case 'told':
      return doctor.watching(finding.folder);
    case 'not-told':
      return doctor.polling(finding.folder);
  }
}
