import type { Messages } from '../../../../shared/messages/index.ts';
import type { Facts, Problem } from '../../../../shared/errors.ts';
import type { JobInfo, Pause, PauseReason } from '../../../../shared/schemas/job.ts';

/** A pause in words, with the one thing that a person can do about it. */
export interface PauseView {
  /** `warn` needs a person, `calm` passes by itself or is the person's own. */
  readonly tone: 'calm' | 'warn';
  readonly title: string;
  readonly text: string;
  /** Null where there is nothing to do but wait. */
  readonly button: string | null;
}

interface Circumstances {
  /** Jobs that have not ended and need no decision. */
  readonly jobs: readonly JobInfo[];
  readonly isUnderWay: (job: JobInfo) => boolean;
  /** What a connection is called; ours is named in the person's language. */
  readonly nameOf: (connectionId: string) => string;
  readonly isHeld: (connectionId: string) => boolean;
  readonly now: number;
  readonly messages: Messages;
}

const numberOf = (facts: Facts | undefined, key: string): number | undefined => {
  const value = facts?.[key];
  return typeof value === 'number' ? value : undefined;
};

const warns: ReadonlySet<PauseReason> = new Set(['token', 'quota', 'disk', 'data', 'uncertain']);

/** Where the token is wanted and was not entered for; null for other problems. */
export function originOf(problem: Problem | null): string | null {
  const origin = problem?.code === 'auth/missing' ? problem.facts?.['origin'] : undefined;
  return typeof origin === 'string' ? origin : null;
}

function titleOf({ reason, problem }: Pause, name: string, { queue }: Messages): string {
  const code = problem?.code;
  switch (reason) {
    case 'person':
    case 'disk':
    case 'data':
      return queue[reason].title;
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

function buttonOf({ reason, problem }: Pause, { queue, app }: Messages): string | null {
  const words: Readonly<Record<PauseReason, string | null>> = {
    // The button that paused is the one that goes on.
    person: null,
    uncertain: queue.resume,
    offline: queue.tryNow,
    token: originOf(problem) === null ? app.retry : queue.token.allow,
    quota: app.retry,
    rate: null,
    disk: null,
    data: null,
  };
  return words[reason];
}

/** What a pause says above the list. */
export function pauseView(pause: Pause, circumstances: Circumstances): PauseView {
  const { jobs, isUnderWay, nameOf, isHeld, now, messages } = circumstances;
  const { connectionId, reason, resumesAt, problem } = pause;
  const mine = jobs.filter((job) => connectionId === null || job.connectionId === connectionId);
  const resting = mine.filter((job) => !isUnderWay(job));
  // A result that is paid for is fetched, however empty the account.
  const held = reason === 'quota' ? resting.filter(({ state }) => state !== 'converted') : resting;
  const others = [...new Set(jobs.map((job) => job.connectionId))].filter((id) => id !== connectionId && !isHeld(id));
  const text = messages.queue[reason].text({
    name: nameOf(connectionId ?? ''),
    jobs: held.length,
    running: mine.length - resting.length,
    uploads: resting.filter(({ state }) => state === 'uploaded').length,
    results: resting.filter(({ state }) => state === 'converted').length,
    at: resumesAt !== null && resumesAt > now ? messages.format.appointment(resumesAt, now) : null,
    neededBytes: numberOf(problem?.facts, 'neededBytes'),
    others: others.map(nameOf),
  });
  const said = problem?.words === undefined ? '' : ` ${messages.app.serviceSaid(problem.words)}`;
  return {
    tone: warns.has(reason) ? 'warn' : 'calm',
    title: titleOf(pause, nameOf(connectionId ?? ''), messages),
    text: `${text}${said}`,
    button: buttonOf(pause, messages),
  };
}
