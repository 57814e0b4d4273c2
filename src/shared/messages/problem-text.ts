import type { Problem } from '../errors.ts';
import type { Finding } from '../schemas/diagnostics.ts';
import type { Pause } from '../schemas/job.ts';
import type { ProblemText } from './facts.ts';
import { type Messages, problemText, watchedProblemText } from './index.ts';

/**
 * A problem in one line: what happened, what to do, and the service's own message. For an invalid connection document, each wrong field
 * follows on its own line.
 */
export const problemSentence = (messages: Messages, problem: Problem): string =>
  sentenceOf(problemText(messages, problem), problem);

/** The same for a file of a watched folder. */
export const watchedProblemSentence = (messages: Messages, problem: Problem): string =>
  sentenceOf(watchedProblemText(messages, problem), problem);

function sentenceOf({ title, advice }: ProblemText, { code, words = '' }: Problem): string {
  const told = [/[.!?]$/.test(title) ? title : `${title}.`, advice].join(' ');
  if (words === '') return told;
  return `${told}${code === 'connection/invalid' ? '\n' : ' '}${words}`;
}

/** The origin that needs the token and that it was not entered for; null for other problems. */
export function originOf(problem: Problem | null): string | null {
  const origin = problem?.code === 'auth/missing' ? problem.facts?.['origin'] : undefined;
  return typeof origin === 'string' ? origin : null;
}

/** Why the queue is paused, without a full stop. `name` is the display name of the connection. */
export function pauseTitle(
  { reason, problem }: Pick<Pause, 'reason' | 'problem'>,
  name: string,
  { queue }: Messages,
): string {
  const code = problem?.code;
  switch (reason) {
    case 'person':
    case 'battery':
      return queue[reason].title;
    case 'data':
      return code === 'data/damaged' ? queue.data.damaged : queue.data.title;
    case 'disk':
      return code === 'output/folder-missing' ? queue.disk.missing : queue.disk.title;
    case 'token': {
      const origin = originOf(problem);
      if (origin !== null) return queue.token.otherOrigin(name, origin);
      return code === 'auth/missing' ? queue.token.missing(name) : queue.token.title(name);
    }
    case 'quota':
      return code === 'auth/forbidden' ? queue.quota.forbidden(name) : queue.quota.title(name);
    case 'rate': {
      const seconds = problem?.facts?.['retryAfterSeconds'];
      if (code === 'service/unavailable') return queue.rate.unavailable(name);
      return queue.rate.title(name, typeof seconds === 'number' ? seconds : undefined);
    }
    case 'offline':
    case 'offline-mode':
    case 'uncertain':
      return queue[reason].title(name);
  }
}

/** The finding of a health check in one line: what works, or what to do. */
export function findingText(messages: Messages, finding: Finding): string {
  const { doctor } = messages;
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
