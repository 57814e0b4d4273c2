import type { Problem } from '../../../shared/errors.ts';
import type { LogLevel } from '../../../shared/schemas/log.ts';
import type { JobState, Pause } from '../../../shared/schemas/job.ts';
import type { WatchMode } from '../../../shared/schemas/watch.ts';
import type { Clock } from '../clock.ts';
import { localConnectionId } from '../connections/local-engine.ts';
import type { Job } from '../jobs/job.ts';
import type { Queue } from '../jobs/queue.ts';
import type { NetworkFailure } from '../voice-service/http.ts';
import type { Watch } from '../watch/watch-service.ts';
import type { Log } from './log.ts';

/** Writes to the log what Timbre does: calls that may be paid, pauses, watched folders, network failures. */
export interface EventLog {
  /** Follows these until `signal` aborts. */
  follow(data: {
    readonly queue: Pick<Queue, 'store' | 'breaker'>;
    readonly watch: Pick<Watch, 'listFolders' | 'onFolder'>;
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
/** A service that is away fails every few seconds. */
const sameFailureMs = 60_000;
const maxFailures = 100;

const describeProblem = (problem: Problem | null): string => {
  if (problem === null) return '';
  const facts = Object.entries(problem.facts ?? {}).map(([name, value]) => `${name} ${value}`);
  return `: ${[problem.code, ...facts].join(', ')}`;
};

interface Event {
  readonly level: Exclude<LogLevel, 'error'>;
  readonly message: string;
}

/** What happened to a job that has just reached its state; null for steps that cost nothing and mean nothing alone. */
function jobEvent({ state, kind, connection, nextTryAt, problem }: Job): Event | null {
  if (problem !== null && nextTryAt !== null) return { level: 'warn', message: `${kind} is retried from ${state}` };
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

function logJobs({ log, clock }: Dependencies, { store }: Pick<Queue, 'store'>, jobs: readonly Job[]): void {
  const isNew = ({ stateChangedAt, nextTryAt }: Job): boolean =>
    clock.now() - stateChangedAt < recentMs || (nextTryAt !== null && nextTryAt > clock.now());
  const byMessage = Map.groupBy(jobs.filter(isNew), (job) => jobEvent(job)?.message);
  for (const [message, same] of byMessage) {
    const [first] = same;
    const event = first && jobEvent(first);
    if (!event || message === undefined) continue;
    if (same.length > maxJobEntries) {
      log[event.level]('job', `${message} (${same.length} jobs)`);
      continue;
    }
    // The process that runs a job logs it.
    for (const { id, connection, problem } of same.filter((job) => store.owns(job.id)))
      log[event.level]('job', `${message} (${connection.name}, ${id})${describeProblem(problem)}`);
  }
}

export function createEventLog({ log, clock }: Dependencies): EventLog {
  const failures = new Map<string, { readonly at: number; readonly omitted: number }>();

  function logPauses(before: readonly Pause[], now: readonly Pause[]): void {
    const keyOf = ({ reason, connectionId }: Pause) => `${reason}${connectionId === null ? '' : ` at ${connectionId}`}`;
    const known = new Set(before.map(keyOf));
    const open = new Set(now.map(keyOf));
    for (const pause of now) {
      if (!known.has(keyOf(pause))) log.info('queue', `paused (${keyOf(pause)})${describeProblem(pause.problem)}`);
    }
    for (const key of known) if (!open.has(key)) log.info('queue', `pause ended (${key})`);
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
      clock.sleep(folderDelayMs, signal).then(
        () => {
          isDue = false;
          logFolders();
        },
        () => undefined,
      );
    });
  }

  return {
    follow({ queue, watch, signal }) {
      let pauses: readonly Pause[] = queue.breaker.list();
      const unsubscribe = [
        queue.store.onEvent((event) => {
          if (event.kind === 'upserted') logJobs({ log, clock }, queue, event.jobs);
        }),
        queue.breaker.onChanged((changed) => {
          logPauses(pauses, changed);
          pauses = changed;
        }),
        followWatch(watch, signal),
      ];
      signal.addEventListener('abort', () => unsubscribe.forEach((stop) => stop()), { once: true });
    },
    onNetworkFailure({ method, origin, error }) {
      const key = `${error.code} ${origin}`;
      const last = failures.get(key);
      if (last && clock.now() - last.at < sameFailureMs) {
        failures.set(key, { ...last, omitted: last.omitted + 1 });
        return;
      }
      if (failures.size >= maxFailures) failures.clear();
      failures.set(key, { at: clock.now(), omitted: 0 });
      const more = last && last.omitted > 0 ? `, and ${last.omitted} more since the last entry` : '';
      log.warn('network', `${method} ${origin}${describeProblem(error.problem)}${more}`);
    },
  };
}
