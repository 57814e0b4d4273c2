import { sentences } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

const tried = (n: number) => count(n, { one: 'tried once', other: 'tried # times' });
const jobsWait = (n: number) =>
  n > 0 ? count(n, { one: '# job is waiting.', other: '# jobs are waiting.' }) : undefined;
const uploadsKept = (n: number) =>
  n > 0
    ? count(n, {
        one: '# upload is kept and you weren’t charged.',
        other: '# uploads are kept and you weren’t charged.',
      })
    : undefined;
const resultsWait = (n: number) =>
  n > 0
    ? count(n, { one: '# result is ready at the service.', other: '# results are ready at the service.' })
    : undefined;
const nextTry = (at: string | null) => (at === null ? 'Trying again now.' : `Next try ${at}.`);
const space = (bytes: number | undefined) => (bytes === undefined ? 'some space' : format.bytes(bytes));

/** What is known about a pause. The counts are of the jobs it blocks. */
export interface PauseFacts {
  readonly name: string;
  readonly jobs: number;
  readonly running: number;
  readonly uploads: number;
  readonly results: number;
  /** When it ends, from `format.appointment`; null if that time has passed. */
  readonly at: string | null;
  readonly neededBytes: number | undefined;
  /** Connections that are still converting. */
  readonly others: readonly string[];
}

export const enQueue = {
  audioLength: (seconds: number) => `${format.length(seconds)} of audio`,
  /** Must not wrap. */
  left: (seconds: number) => `about\u00a0${format.length(seconds)}\u00a0left`,
  whenDone: {
    label: 'When done',
    set: (action: string) => `When done: ${action}`,
    actions: {
      nothing: 'Do nothing',
      'open-folder': 'Open folder',
      notify: 'Notify me',
      sleep: 'Sleep',
      'shut-down': 'Shut down',
    },
    titles: {
      sleep: (seconds: number) => `This computer goes to sleep in ${format.length(seconds)}`,
      'shut-down': (seconds: number) => `This computer shuts down in ${format.length(seconds)}`,
    },
    lead: 'All recordings are finished.',
    cancel: 'Cancel',
    openToCancel: 'Open Timbre to cancel.',
  },
  pause: 'Pause',
  resume: 'Resume',
  tryNow: 'Try now',
  retryAll: (n: number) => `Retry all ${format.number(n)}`,
  moved: (name: string, place: number, all: number) =>
    `Moved ${name} to ${format.number(place)} of ${format.number(all)} in the queue`,
  requeued: (name: string) => `${name} is back in the queue`,
  convertNext: 'Convert next',
  convertNextOf: (name: string) => `Convert ${name} next`,
  pausesLabel: 'Queue is paused because',
  text: 'Text',
  uploadsNext: 'Uploads next',
  convertsNext: 'Converts next',
  savesNext: 'Saves next',
  nextTry: (at: string | null, attempts: number) =>
    `${at === null ? 'Trying again soon' : `Next try ${at}`}, ${tried(attempts)}`,
  /** Shown after “Waiting”. */
  waitsFor: {
    'offline-mode': 'until you’re online',
    battery: 'until the computer is plugged in',
    offline: 'for the network',
    token: 'for a token',
    quota: 'for your account',
    rate: 'for the service',
    disk: 'for the disk',
    data: 'for Timbre’s data',
    uncertain: 'for you',
  },
  person: {
    title: 'Paused',
    text: ({ jobs, running }: PauseFacts) =>
      sentences(running > 0 ? 'Running jobs finish their current step.' : undefined, jobsWait(jobs)),
  },
  'offline-mode': {
    title: (name: string) => `${name} isn’t used while you work offline`,
    text: ({ jobs, uploads }: PauseFacts) =>
      sentences(jobsWait(jobs), uploadsKept(uploads), 'To continue, go online in the sidebar or in Settings.'),
  },
  battery: {
    title: 'Paused on battery power',
    text: ({ jobs, running }: PauseFacts) =>
      sentences(
        running > 0 ? 'Running jobs finish their current step.' : undefined,
        count(jobs, {
          one: '# job is waiting and resumes when the computer is plugged in.',
          other: '# jobs are waiting and resume when the computer is plugged in.',
        }),
      ),
    continue: 'Continue now',
  },
  offline: {
    title: (name: string) => `Can’t connect to ${name}`,
    text: ({ jobs, at, others }: PauseFacts) =>
      sentences(
        count(jobs, {
          one: '# job is waiting and resumes automatically.',
          other: '# jobs are waiting and resume automatically.',
        }),
        nextTry(at),
        others.length > 0 ? `${format.list(others)} ${others.length === 1 ? 'keeps' : 'keep'} converting.` : undefined,
      ),
  },
  token: {
    title: (name: string) => `${name} rejected the token`,
    missing: (name: string) => `${name} has no token`,
    otherOrigin: (name: string, origin: string) => `The token for ${name} wasn’t entered for ${origin}`,
    allow: 'Send it there',
    text: ({ jobs, uploads, results }: PauseFacts) =>
      sentences(jobsWait(jobs), resultsWait(results) ?? uploadsKept(uploads)),
  },
  quota: {
    title: (name: string) => `You’re out of credit at ${name}`,
    forbidden: (name: string) => `${name} denies access`,
    text: ({ jobs, uploads, at }: PauseFacts) => sentences(jobsWait(jobs), uploadsKept(uploads), nextTry(at)),
    askService: 'Check with the service whether your plan and the voice allow this, and that no firewall blocks it.',
  },
  rate: {
    title: (name: string, seconds: number | undefined) =>
      seconds === undefined ? `${name} asked Timbre to wait` : `${name} asked Timbre to wait ${format.span(seconds)}`,
    unavailable: (name: string) => `${name} is temporarily unavailable`,
    text: ({ at }: PauseFacts) => (at === null ? 'Resuming now.' : `Resumes ${at}.`),
  },
  disk: {
    title: 'The disk is full',
    missing: 'The folder for the results is gone',
    reconnect: ({ jobs, results }: PauseFacts, folder: string) =>
      sentences(
        resultsWait(results) ?? jobsWait(jobs),
        `Reconnect the disk with ${folder}, or create the folder again, and the queue resumes automatically.`,
      ),
    text: ({ jobs, results, neededBytes }: PauseFacts) =>
      sentences(
        resultsWait(results) ?? jobsWait(jobs),
        results > 0
          ? `Free up ${space(neededBytes)} to save ${results === 1 ? 'it' : 'them'}.`
          : `Free up ${space(neededBytes)} and the queue resumes automatically.`,
      ),
  },
  data: {
    title: 'Timbre can’t save its data',
    damaged: 'Timbre’s data is damaged',
    repairing: ({ jobs }: PauseFacts) =>
      sentences(
        'Timbre checks it and repairs it. If this message stays, close Timbre and open it again. Until then, nothing is sent.',
        jobsWait(jobs),
      ),
    text: ({ jobs }: PauseFacts) =>
      sentences(
        'Free up space on the disk that holds Timbre’s data. Until then, nothing is sent and nothing is lost.',
        jobsWait(jobs),
      ),
  },
  uncertain: {
    title: (name: string) => `Lost the response from ${name}`,
    text: ({ jobs }: PauseFacts) => sentences('Paused until you resume.', jobsWait(jobs)),
  },
  quitting: {
    title: (n: number) => count(n, { one: '# recording isn’t finished', other: '# recordings aren’t finished' }),
    lead: (n: number): string =>
      n === 1 ? 'It resumes the next time you open Timbre.' : 'They resume the next time you open Timbre.',
    unanswered: (n: number) =>
      count(n, {
        one: 'The service is converting # right now. If you quit now, its response is lost and Timbre will ask you what to do.',
        other:
          'The service is converting # right now. If you quit now, their responses are lost and Timbre will ask you what to do.',
      }),
    quit: 'Quit',
    quitNow: 'Quit now',
    wait: (n: number): string => (n === 1 ? 'Wait for it, then quit' : 'Wait for them, then quit'),
    cancel: 'Don’t quit',
    waiting: (n: number): string =>
      n === 0
        ? 'Finishing the last steps'
        : count(n, { one: 'Waiting for # response', other: 'Waiting for # responses' }),
    waitingLead: (n: number): string =>
      n === 0 ? 'Timbre quits when they’re done.' : `Timbre quits when ${n === 1 ? 'it arrives' : 'they arrive'}.`,
  },
};
