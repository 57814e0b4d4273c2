import type { ErrorCode, Facts, Problem } from '../errors.ts';
import type { Finding } from '../schemas/diagnostics.ts';
import { type Messages, problemText } from './index.ts';

/** Reads one fact, or undefined where it is missing or of the other kind. */
export function numberFact(facts: Facts, name: string): number | undefined {
  const value = facts[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textFact(facts: Facts, name: string): string | undefined {
  const value = facts[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Sentences with a space between; those that have nothing to say are left out. */
export const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

/** What happened, and what to do about it. */
export interface ProblemText {
  readonly title: string;
  readonly advice: string;
}

export type ProblemTexts = Readonly<Record<ErrorCode, (facts: Facts) => ProblemText>>;

/** Those of one group of codes, which have a file of their own in each language. */
export type ProblemTextsOf<G extends string> = Pick<ProblemTexts, Extract<ErrorCode, `${G}/${string}`>>;

/**
 * A problem in one line: what happened, what to do, and the words of whoever refused. What is wrong with a document follows on lines
 * of its own, one a field.
 */
export function problemSentence(messages: Messages, { words = '', ...problem }: Problem): string {
  const { title, advice } = problemText(messages, problem);
  const told = [/[.!?]$/.test(title) ? title : `${title}.`, advice].join(' ');
  if (words === '') return told;
  return `${told}${problem.code === 'connection/invalid' ? '\n' : ' '}${words}`;
}

/** What a check found, in one line: what is right, or what to do. */
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
