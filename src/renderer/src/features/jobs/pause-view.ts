import type { PauseFacts } from '../../../../shared/messages/en-queue.ts';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { Remedy } from '../../../../shared/errors.ts';
import { originOf, pauseTitle } from '../../../../shared/messages/problem-text.ts';
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
  readonly remedy: Remedy | null;
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

function remedyOf({ reason, problem, connectionId }: Pause): Remedy | null {
  switch (reason) {
    case 'token':
      return originOf(problem) === null ? 'enter-token' : null;
    case 'offline':
      return problem?.code === 'network/proxy' ? 'change-proxy' : connectionId === null ? null : 'test-connection';
    case 'offline-mode':
      return 'go-online';
    case 'disk':
    case 'data':
      return problem?.code === 'output/folder-missing' || problem?.code === 'data/damaged' ? null : 'free-space';
    case 'person':
    case 'battery':
    case 'quota':
    case 'rate':
    case 'uncertain':
      return null;
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
    name: nameOf(connectionId ?? ''),
    jobs: paused.length,
    running: affected.length - waiting.length,
    uploads: waiting.filter(({ state }) => state === 'uploaded').length,
    results: waiting.filter(({ state }) => state === 'converted').length,
    at: resumesAt !== null && resumesAt > now ? messages.format.appointment(resumesAt, now) : null,
    neededBytes: typeof neededBytes === 'number' ? neededBytes : undefined,
    others: others.map(nameOf),
  };
  const text = textOf(pause, facts, messages);
  const reply = problem?.words === undefined ? '' : ` ${messages.app.serviceSaid(problem.words)}`;
  return {
    severity: attentionReasons.has(reason) ? 'warning' : 'info',
    title: pauseTitle(pause, nameOf(connectionId ?? ''), messages),
    text: `${text}${reply}`,
    button: buttonOf(pause, messages),
    remedy: remedyOf(pause),
  };
}
