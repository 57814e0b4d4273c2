import type { PauseFacts } from '../../../../shared/messages/en-queue.ts';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { Facts, Problem } from '../../../../shared/errors.ts';
import type { JobInfo, Pause, PauseReason } from '../../../../shared/schemas/job.ts';

/** What the list of pauses shows of one. */
export interface PauseView {
  /** `warning` needs the user; `info` ends automatically, or was started by the user. */
  readonly severity: 'info' | 'warning';
  readonly title: string;
  readonly text: string;
  /** Null if the user can only wait. */
  readonly button: string | null;
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

const numberOf = (facts: Facts | undefined, key: string): number | undefined => {
  const value = facts?.[key];
  return typeof value === 'number' ? value : undefined;
};

const warningReasons: ReadonlySet<PauseReason> = new Set(['token', 'quota', 'disk', 'data', 'uncertain']);

/** The origin that needs the token and that it was not entered for; null for other problems. */
export function originOf(problem: Problem | null): string | null {
  const origin = problem?.code === 'auth/missing' ? problem.facts?.['origin'] : undefined;
  return typeof origin === 'string' ? origin : null;
}

function titleOf({ reason, problem }: Pause, name: string, { queue }: Messages): string {
  const code = problem?.code;
  switch (reason) {
    case 'person':
      return queue.person.title;
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
    case 'rate':
      if (code === 'service/unavailable') return queue.rate.unavailable(name);
      return queue.rate.title(name, numberOf(problem?.facts, 'retryAfterSeconds'));
    case 'offline':
    case 'uncertain':
      return queue[reason].title(name);
  }
}

function textOf({ reason, problem }: Pause, facts: PauseFacts, { queue }: Messages): string {
  const folder = problem?.facts?.['folder'];
  if (problem?.code === 'output/folder-missing') return queue.disk.reconnect(facts, String(folder));
  if (problem?.code === 'data/damaged') return queue.data.repairing(facts);
  const text = queue[reason].text(facts);
  return problem?.code === 'auth/forbidden' ? `${text} ${queue.quota.askService}` : text;
}

function buttonOf({ reason, problem }: Pause, { queue, app }: Messages): string | null {
  const labels: Readonly<Record<PauseReason, string | null>> = {
    // The pause button of the queue resumes it.
    person: null,
    uncertain: queue.resume,
    offline: queue.tryNow,
    token: originOf(problem) === null ? app.retry : queue.token.allow,
    quota: app.retry,
    rate: null,
    disk: null,
    data: null,
  };
  return labels[reason];
}

export function pauseView(pause: Pause, context: Context): PauseView {
  const { jobs, isRunning, nameOf, isPaused, now, messages } = context;
  const { connectionId, reason, resumesAt, problem } = pause;
  const affected = jobs.filter((job) => connectionId === null || job.connectionId === connectionId);
  const waiting = affected.filter((job) => !isRunning(job));
  // Downloading a converted result costs nothing, so it goes on without credit.
  const paused = reason === 'quota' ? waiting.filter(({ state }) => state !== 'converted') : waiting;
  const others = [...new Set(jobs.map((job) => job.connectionId))].filter((id) => id !== connectionId && !isPaused(id));
  const facts: PauseFacts = {
    name: nameOf(connectionId ?? ''),
    jobs: paused.length,
    running: affected.length - waiting.length,
    uploads: waiting.filter(({ state }) => state === 'uploaded').length,
    results: waiting.filter(({ state }) => state === 'converted').length,
    at: resumesAt !== null && resumesAt > now ? messages.format.appointment(resumesAt, now) : null,
    neededBytes: numberOf(problem?.facts, 'neededBytes'),
    others: others.map(nameOf),
  };
  const text = textOf(pause, facts, messages);
  const reply = problem?.words === undefined ? '' : ` ${messages.app.serviceSaid(problem.words)}`;
  return {
    severity: warningReasons.has(reason) ? 'warning' : 'info',
    title: titleOf(pause, nameOf(connectionId ?? ''), messages),
    text: `${text}${reply}`,
    button: buttonOf(pause, messages),
  };
}
