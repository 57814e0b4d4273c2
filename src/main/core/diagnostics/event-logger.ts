import type { Problem } from '../../../shared/errors.ts';
import { localConnectionId } from '../../../shared/schemas/connection.ts';
import type { JobState, Pause } from '../../../shared/schemas/job.ts';
import type { LogLevel } from '../../../shared/schemas/log.ts';
import type { WatchMode } from '../../../shared/schemas/watch.ts';
import { type Clock, isWithin } from '../clock.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import type { Copies } from '../history/copies.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Job } from '../jobs/job.ts';
import type { Queue } from '../jobs/queue.ts';
import type { NetworkFailure } from '../voice-service/http.ts';
import type { Watch } from '../watch/watch-service.ts';
import type { Log } from './log.ts';

/** Writes to the log what Timbre does: calls that may be paid, pauses, watched folders, network failures. */
export interface EventLogger {
  /** Follows these until `signal` aborts, and copies until they have stopped, as the last ones are made after that. */
  follow(data: {
    readonly queue: Pick<Queue, 'store' | 'breaker'>;
    readonly watch: Pick<Watch, 'listFolders' | 'onFolder'>;
    readonly connections: Pick<ConnectionRegistry, 'nameOf'>;
    readonly copies: Pick<Copies, 'problem' | 'onChanged'>;
    readonly hooks: Pick<Hooks, 'onRun'>;
    readonly signal: AbortSignal;
  }): void;
  onNetworkFailure(failure: NetworkFailure): void;
}

interface Dependencies {
  readonly log: Pick<Log, LogLevel>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** More jobs than this in one change are one entry: thousands may be cancelled at once. */
const maxJobEntries = 20;
/** A change of a job that is older was logged before: the job only moved, or another process read it again. */
const recentMs = 1000;
/** Reading the folders counts all their files, so it is done once for many changes. */
const folderDelayMs = 500;
const failingModes: ReadonlySet<WatchMode> = new Set(['offline', 'elsewhere']);
/** A service that is away fails every few seconds, and so do the jobs that try it again. */
const repeatMs = 60_000;
const maxRepeats = 100;

const describeProblem = (problem: Problem | null): string => {
  if (problem === null) return '';
  const facts = Object.entries(problem.facts ?? {}).map(([name, value]) => `${name} ${value}`);
  return `: ${[problem.code, ...facts].join(', ')}`;
};

interface Event {
  readonly level: Exclude<LogLevel, 'error'>;
  readonly message: string;
  readonly isRetry?: true;
}

/** Tells how to end an entry that may repeat an earlier one; null if it is the same within a minute, which is only counted. */
function createRepeats({ now }: Pick<Clock, 'now'>): (key: string) => string | null {
  const logged = new Map<string, { readonly at: number; readonly omitted: number }>();
  return (key) => {
    const last = logged.get(key);
    if (last && isWithin(repeatMs, last.at, now())) {
      logged.set(key, { ...last, omitted: last.omitted + 1 });
      return null;
    }
    if (logged.size >= maxRepeats) logged.clear();
    logged.set(key, { at: now(), omitted: 0 });
    return last && last.omitted > 0 ? `, and ${last.omitted} more since the last entry` : '';
  };
}

/** What happened to a job that has just reached its state; null for steps that cost nothing and mean nothing alone. */
function jobEvent({ state, kind, connection, nextTryAt, problem }: Job): Event | null {
  if (problem !== null && nextTryAt !== null) {
    return { level: 'warn', message: `${kind} is retried from ${state}`, isRetry: true };
  }
  const isFree = connection.id === localConnectionId;
  const messages: Readonly<Partial<Record<JobState, Event>>> = {
    converting: { level: 'info', message: `${kind} sent${isFree ? '' : ', which may be charged'}` },
    converted: { level: 'info', message: `${kind} answered` },
    done: { level: 'info', message: `${kind} done` },
    failed: { level: 'warn', message: `${kind} failed` },
    uncertain: { level: 'warn', message: `${kind} has an unknown outcome` },
    cancelled: { level: 'info', message: `${kind} cancelled` },
  };
  return messages[state] ?? null;
}

export function createEventLogger({ log, clock }: Dependencies): EventLogger {
  const endRepeat = createRepeats(clock);

  function followJobs({ store }: Pick<Queue, 'store'>): () => void {
    /** The next try of each job, as it was logged. */
    const retries = new Map<string, number>();

    function isNew({ id, stateChangedAt, nextTryAt, problem }: Job): boolean {
      if (problem === null || nextTryAt === null) {
        retries.delete(id);
        return clock.now() - stateChangedAt < recentMs;
      }
      if (retries.get(id) === nextTryAt || nextTryAt <= clock.now()) return false;
      retries.set(id, nextTryAt);
      return true;
    }

    function logJob({ level, message, isRetry }: Event, { id, connection, problem }: Job): void {
      const end = isRetry ? endRepeat(`${message} ${connection.id} ${problem?.code}`) : '';
      if (end !== null) log[level]('job', `${message} (${connection.name}, ${id})${describeProblem(problem)}${end}`);
    }

    return store.onEvent((event) => {
      if (event.kind === 'removed') event.ids.forEach((id) => retries.delete(id));
      if (event.kind !== 'upserted') return;
      // The process that runs a job logs it.
      const own = event.jobs.filter((job) => jobEvent(job) !== null && isNew(job) && store.owns(job.id));
      for (const [message, same] of Map.groupBy(own, (job) => jobEvent(job)?.message)) {
        const [first] = same;
        const found = first && jobEvent(first);
        if (!found) continue;
        if (same.length > maxJobEntries) log[found.level]('job', `${message} (${same.length} jobs)`);
        else for (const job of same) logJob(found, job);
      }
    });
  }

  function followPauses({ breaker }: Pick<Queue, 'breaker'>, nameOf: (connectionId: string) => string): () => void {
    let before = breaker.list();
    const keyOf = ({ reason, connectionId }: Pause) => `${reason} ${connectionId}`;
    const isIn = (pauses: readonly Pause[], pause: Pause) => pauses.some((other) => keyOf(other) === keyOf(pause));
    const describe = ({ reason, connectionId }: Pause) =>
      connectionId === null ? reason : `${reason} at ${nameOf(connectionId)}`;
    return breaker.onChanged((now) => {
      for (const pause of now.filter((one) => !isIn(before, one)))
        log.info('queue', `paused (${describe(pause)})${describeProblem(pause.problem)}`);
      for (const pause of before.filter((one) => !isIn(now, one)))
        log.info('queue', `pause ended (${describe(pause)})`);
      before = now;
    });
  }

  function followWatch(watch: Pick<Watch, 'listFolders' | 'onFolder'>, signal: AbortSignal): () => void {
    const known = new Map<string, string>();
    let isDue = false;

    function logFolders(): void {
      for (const { folder, mode, problems } of watch.listFolders()) {
        const state = [mode, ...problems.map(({ code }) => code)].join(', ');
        if (known.get(folder.id) === state) continue;
        known.set(folder.id, state);
        log[failingModes.has(mode) ? 'warn' : 'info']('watch', `${folder.settings.path}: ${state}`);
      }
    }
    return watch.onFolder(() => {
      if (isDue) return;
      isDue = true;
      clock
        .sleep(folderDelayMs, signal)
        .then(() => {
          isDue = false;
          logFolders();
        })
        .catch((error: unknown) => {
          // A damaged page may be read before the integrity check finds and repairs it.
          if (!signal.aborted) log.error('watch', error);
        });
    });
  }

  function followCopies(copies: Pick<Copies, 'problem' | 'onChanged'>): void {
    let last: Problem | null = null;
    copies.onChanged(() => {
      const problem = copies.problem();
      // The same cause is one entry, however many results it keeps from being copied.
      if (problem !== null && problem.code !== last?.code)
        log.warn('copies', `no copy made${describeProblem(problem)}`);
      last = problem;
    });
  }

  const followHooks = ({ onRun }: Pick<Hooks, 'onRun'>): (() => void) =>
    onRun(({ job, run: { isTest, problem, seconds, output } }) => {
      const end = problem === null ? 'succeeded' : 'failed';
      const message = `program ${end} after ${seconds.toFixed(1)} s (${isTest || !job ? 'a try' : job.id})${describeProblem(problem)}`;
      log[problem === null ? 'info' : 'warn']('hook', message, output === '' ? undefined : output);
    });

  return {
    follow({ queue, watch, connections, copies, hooks, signal }) {
      followCopies(copies);
      const unsubscribe = [
        followJobs(queue),
        followPauses(queue, (id) => connections.nameOf(id)),
        followWatch(watch, signal),
        followHooks(hooks),
      ];
      signal.addEventListener('abort', () => unsubscribe.forEach((stop) => stop()), { once: true });
    },
    onNetworkFailure({ method, origin, error }) {
      const end = endRepeat(`${error.code} ${origin}`);
      if (end !== null) log.warn('network', `${method} ${origin}${describeProblem(error.problem)}${end}`);
    },
  };
}
