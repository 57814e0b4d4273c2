import { isMismatch, originOf, pauseTitle } from '../../../../shared/messages/pause-text.ts';
import type { Messages } from '../../../../shared/messages/index.ts';
import { problemText } from '../../../../shared/messages/problem-text.ts';
import type { Moment } from '../../../../shared/messages/locale-format.ts';
import { isRemedy, problemHandling, type Remedy } from '../../../../shared/errors.ts';
import { attentionReasons, type JobInfo, type Pause, type PauseReason } from '../../../../shared/schemas/job.ts';

/** What the list of pauses shows of one. */
export interface PauseView {
  /** `warning` needs the user; `info` ends automatically, or was started by the user. */
  readonly severity: 'info' | 'warning';
  readonly title: string;
  readonly text: string;
  /** Ends the pause; null if nothing but time or the remedy does. */
  readonly button: string | null;
  /** What mends its cause. */
  readonly remedy: Remedy | 'choose-folder' | null;
}

interface Context {
  /** Jobs that have not ended and need no decision. */
  readonly jobs: readonly JobInfo[];
  readonly isRunning: (job: JobInfo) => boolean;
  readonly nameOf: (connectionId: string) => string;
  readonly isPaused: (connectionId: string) => boolean;
  readonly now: number;
  readonly messages: Messages;
}

/** What is known about a pause. The counts are of the jobs that it blocks. */
interface PauseFacts {
  readonly jobs: number;
  readonly running: number;
  readonly uploads: number;
  readonly results: number;
  /** When it ends; null if that time has passed. */
  readonly ends: Moment | null;
  readonly neededBytes: number | undefined;
  /** Connections that are still converting. */
  readonly others: readonly string[];
}

function spaceText({ results, neededBytes: bytes }: PauseFacts, { disk: t }: Messages['queue']): string {
  if (results > 0) return bytes === undefined ? t.freeToSave({ n: results }) : t.freeBytesToSave({ n: results, bytes });
  return bytes === undefined ? t.free : t.freeBytes({ bytes });
}

/** What keeps a connection away other than a network that is down, and what to do. */
function causeOf(problem: Pause['problem'], messages: Messages): string {
  if (problem === null || problem.code === 'network/unreachable') return '';
  const { title, advice } = problemText(messages, problem);
  return messages.format.sentences(messages.format.sentence(title), advice);
}

function textOf({ reason, problem, resumesAt }: Pause, facts: PauseFacts, messages: Messages): string {
  const { queue, watch, format } = messages;
  const { jobs, running, uploads, results, ends, others } = facts;
  const { pauses: t } = queue;
  const waiting = jobs > 0 ? t.waiting({ n: jobs }) : '';
  const uploadsKept = uploads > 0 ? t.uploadsKept({ n: uploads }) : '';
  const resultsReady = results > 0 ? t.resultsReady({ n: results }) : '';
  const stepsEnd = running > 0 ? t.running : '';
  const nextTry = ends === null ? t.tryingNow : t.nextTry(ends);
  switch (reason) {
    case 'user':
      return format.sentences(stepsEnd, waiting);
    case 'offline-mode':
      return format.sentences(waiting, uploadsKept, queue['offline-mode'].text);
    case 'battery':
      return format.sentences(stepsEnd, queue.battery.waiting({ n: jobs }));
    case 'offline':
      return format.sentences(
        causeOf(problem, messages),
        queue.offline.waiting({ n: jobs }),
        nextTry,
        others.length > 0 ? queue.offline.others({ n: others.length, names: others }) : '',
      );
    case 'token':
      return format.sentences(waiting, resultsReady || uploadsKept);
    case 'quota':
      return format.sentences(
        waiting,
        uploadsKept,
        nextTry,
        problem?.code === 'auth/forbidden' ? queue.quota.askService : '',
      );
    case 'rate':
      return ends === null ? queue.rate.resuming : queue.rate.resumes(ends);
    case 'disk':
      return format.sentences(
        resultsReady || waiting,
        problem?.code === 'output/folder-missing'
          ? queue.disk.reconnect({ folder: String(problem.facts?.['folder']) })
          : problem?.code === 'output/not-writable'
            ? watch.advice['output/not-writable']
            : spaceText(facts, queue),
      );
    case 'data':
      return format.sentences(problem?.code === 'data/damaged' ? queue.data.repairing : queue.data.text, waiting);
    case 'uncertain':
      return format.sentences(
        isMismatch(problem) ? problemText(messages, problem).advice : '',
        resumesAt === null ? queue.uncertain.text : nextTry,
        waiting,
      );
  }
}

function buttonOf({ reason, problem }: Pause, { queue, app }: Messages): string | null {
  const labels: Readonly<Record<PauseReason, string | null>> = {
    // The pause button of the queue resumes it.
    user: null,
    uncertain: queue.resume,
    'offline-mode': null,
    battery: queue.battery.continue,
    offline: queue.tryNow,
    token: originOf(problem) === null ? app.retry : queue.token.allow,
    quota: app.retry,
    rate: null,
    disk: null,
    data: null,
  };
  return labels[reason];
}

function remedyOf({ reason, problem, connectionId }: Pause): PauseView['remedy'] {
  switch (reason) {
    case 'token':
      return originOf(problem) === null ? 'enter-token' : null;
    case 'offline':
      return problem?.code === 'network/proxy' ? 'change-proxy' : connectionId === null ? null : 'test-connection';
    case 'offline-mode':
      return 'go-online';
    case 'disk':
      return problem && problem.code !== 'output/disk-full' ? 'choose-folder' : 'free-space';
    case 'data':
      return problem?.code === 'data/damaged' ? null : 'free-space';
    case 'user':
    case 'battery':
    case 'quota':
    case 'rate':
      return null;
    case 'uncertain':
      return (isMismatch(problem) && problemHandling[problem.code].actions.find(isRemedy)) || null;
  }
}

export function pauseView(pause: Pause, context: Context): PauseView {
  const { jobs, isRunning, nameOf, isPaused, now, messages } = context;
  const { connectionId, reason, resumesAt, problem } = pause;
  const neededBytes = problem?.facts?.['neededBytes'];
  const affected = jobs.filter((job) => connectionId === null || job.connectionId === connectionId);
  const waiting = affected.filter((job) => !isRunning(job));
  // Downloading a converted result costs nothing, so it goes on without credit.
  const paused = reason === 'quota' ? waiting.filter(({ state }) => state !== 'converted') : waiting;
  const others = [...new Set(jobs.map((job) => job.connectionId))].filter((id) => id !== connectionId && !isPaused(id));
  const facts: PauseFacts = {
    jobs: paused.length,
    running: affected.length - waiting.length,
    uploads: waiting.filter(({ state }) => state === 'uploaded').length,
    results: waiting.filter(({ state }) => state === 'converted').length,
    ends: resumesAt !== null && resumesAt > now ? messages.format.appointment(resumesAt, now) : null,
    neededBytes: typeof neededBytes === 'number' ? neededBytes : undefined,
    others: others.map(nameOf),
  };
  const reply = problem?.words === undefined ? '' : messages.app.serviceSaid({ words: problem.words });
  return {
    severity: attentionReasons.has(reason) ? 'warning' : 'info',
    title: pauseTitle(pause, nameOf(connectionId ?? ''), messages),
    text: messages.format.sentences(textOf(pause, facts, messages), reply),
    button: buttonOf(pause, messages),
    remedy: remedyOf(pause),
  };
}
