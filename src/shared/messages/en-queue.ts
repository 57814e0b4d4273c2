import { sentences } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('en');
const { count } = format;

const tried = (n: number) => count(n, { one: 'tried once', other: 'tried # times' });
const jobsWait = (n: number) => (n > 0 ? count(n, { one: '# job waits.', other: '# jobs wait.' }) : undefined);
const uploadsKept = (n: number) =>
  n > 0
    ? count(n, { one: '# upload is kept and nothing was paid.', other: '# uploads are kept and nothing was paid.' })
    : undefined;
const resultsWait = (n: number) =>
  n > 0 ? count(n, { one: '# result waits at the service.', other: '# results wait at the service.' }) : undefined;
const again = (at: string | null) => (at === null ? 'Trying again now.' : `Next try at ${at}.`);
const space = (bytes: number | undefined) => (bytes === undefined ? 'some space' : format.bytes(bytes));

/** What is known of a pause. Numbers are of the jobs that it holds up; `at` is a clock time, null once it is over. */
export interface PauseFacts {
  readonly name: string;
  readonly jobs: number;
  readonly running: number;
  readonly uploads: number;
  readonly results: number;
  readonly at: string | null;
  readonly neededBytes: number | undefined;
  /** Connections that keep converting meanwhile. */
  readonly others: readonly string[];
}

export const enQueue = {
  sound: (seconds: number) => `${format.length(seconds)} of sound`,
  /** Kept on one line. */
  left: (seconds: number) => `about\u00a0${format.length(seconds)}\u00a0left`,
  pause: 'Pause',
  goOn: 'Go on',
  tryNow: 'Try now',
  tryAll: (n: number) => `Try ${format.number(n)} again`,
  moved: (name: string, place: number, all: number) =>
    `${name} is now ${format.number(place)} of ${format.number(all)} waiting`,
  requeued: (name: string) => `${name} is in the queue again`,
  convertNext: 'Convert next',
  convertNextOf: (name: string) => `Convert ${name} next`,
  pauses: 'What holds the queue up',
  text: 'Text',
  uploadsNext: 'Uploads next',
  convertsNext: 'Converts next',
  savesNext: 'Saves next',
  triesAgain: (at: string | null, attempts: number) =>
    `${at === null ? 'Tries again next' : `Tries again at ${at}`}, ${tried(attempts)}`,
  /** What a waiting row waits for. */
  waitsFor: {
    offline: 'for the network',
    token: 'for the token',
    quota: 'for the account',
    rate: 'for the service',
    disk: 'for free space',
    data: 'for the data disk',
    uncertain: 'for you',
  },
  person: {
    title: 'Paused',
    text: ({ jobs, running }: PauseFacts) =>
      sentences(running > 0 ? 'What is under way comes to the end of its step.' : undefined, jobsWait(jobs)),
  },
  offline: {
    title: (name: string) => `No network to ${name}`,
    text: ({ jobs, at, others }: PauseFacts) =>
      sentences(
        count(jobs, { one: '# job waits and goes on by itself.', other: '# jobs wait and go on by themselves.' }),
        again(at),
        others.length > 0 ? `${format.list(others)} ${others.length === 1 ? 'keeps' : 'keep'} converting.` : undefined,
      ),
  },
  token: {
    title: (name: string) => `${name} refused the token`,
    missing: (name: string) => `${name} has no token`,
    elsewhere: (name: string, origin: string) => `The token of ${name} was not entered for ${origin}`,
    allow: 'Send it there',
    text: ({ jobs, uploads, results }: PauseFacts) =>
      sentences(jobsWait(jobs), resultsWait(results) ?? uploadsKept(uploads)),
  },
  quota: {
    title: (name: string) => `The account at ${name} is used up`,
    forbidden: (name: string) => `The account at ${name} may not do this`,
    text: ({ jobs, uploads, at }: PauseFacts) => sentences(jobsWait(jobs), uploadsKept(uploads), again(at)),
  },
  rate: {
    title: (name: string, seconds: number | undefined) =>
      `${name} asked for a pause${seconds === undefined ? '' : ` of ${format.span(seconds)}`}`,
    unavailable: (name: string) => `${name} is not available just now`,
    text: ({ at }: PauseFacts) => (at === null ? 'Going on now.' : `Going on at ${at}.`),
  },
  disk: {
    title: 'The disk is full',
    text: ({ jobs, results, neededBytes }: PauseFacts) =>
      sentences(
        resultsWait(results) ?? jobsWait(jobs),
        results > 0
          ? `Free ${space(neededBytes)} and ${results === 1 ? 'it is' : 'they are'} saved.`
          : `Free ${space(neededBytes)} and the queue goes on by itself.`,
      ),
  },
  data: {
    title: 'Timbre can’t save its record of your work',
    text: ({ jobs }: PauseFacts) =>
      sentences(
        'Make room on the disk that holds Timbre’s data. Nothing is sent and nothing is lost meanwhile.',
        jobsWait(jobs),
      ),
  },
  uncertain: {
    title: (name: string) => `An answer of ${name} was lost`,
    text: ({ jobs }: PauseFacts) => sentences('Nothing more goes there before you go on.', jobsWait(jobs)),
  },
  leaving: {
    title: (n: number) => count(n, { one: '# recording is not done', other: '# recordings are not done' }),
    lead: (n: number): string =>
      n === 1
        ? 'Timbre goes on with it the next time it is opened.'
        : 'Timbre goes on with them the next time it is opened.',
    atService: (n: number) =>
      count(n, {
        one: '# is being converted by the service right now. Quit now and its answer is lost: Timbre will ask you about it.',
        other:
          '# are being converted by the service right now. Quit now and their answers are lost: Timbre will ask you about them.',
      }),
    quit: 'Quit',
    quitNow: 'Quit now',
    wait: (n: number): string => (n === 1 ? 'Wait for it, then quit' : 'Wait for them, then quit'),
    stay: 'Stay',
    waiting: (n: number): string =>
      n === 0 ? 'Ending the last steps' : count(n, { one: 'Waiting for # answer', other: 'Waiting for # answers' }),
    waitingLead: (n: number): string =>
      n === 0 ? 'Then Timbre quits.' : `Timbre quits when ${n === 1 ? 'it is' : 'they are'} here.`,
  },
};
