import type { Clock } from '../../main/core/clock.ts';
import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import type { Queue } from '../../main/core/jobs/queue.ts';
import { pauseReasons, type Pause } from '../../shared/schemas/job.ts';
import type { Invocation } from '../command.ts';
import { progressText, secondsLeft } from './progress-text.ts';
import { pauseReason, retryReason } from './reasons.ts';

interface Followed {
  readonly queue: Pick<Queue, 'store' | 'pauses'>;
  readonly ids: readonly string[];
  readonly clock: Clock;
  readonly connection: { readonly id: string; readonly name: string };
  /** Tells what came of a job, once. */
  onEnded(job: Job): void;
}

/** As often as a person reads. */
const redrawMs = 250;
const paceMs = 5000;

/**
 * Tells of a batch while it goes on: of each job that has ended, each reason to wait once, and on a terminal one line
 * that says how far everything is. Ends with the function it returns.
 */
export function followJobs(
  { queue: { store, pauses }, ids, clock, connection, onEnded }: Followed,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): () => void {
  const ending = new AbortController();
  const jobs = new Map<string, Job>();
  /** Reasons that were told, by what they are about. */
  const told = new Map<string, string>();

  const holdsUs = ({ connectionId }: Pause) => connectionId === null || connectionId === connection.id;
  const reasonOf = (pause: Pause) => pauseReason(pause, connection.name, messages, clock.now());

  function isNew(about: string, reason: string): boolean {
    if (told.get(about) === reason) return false;
    told.set(about, reason);
    return true;
  }

  function take(job: Job): void {
    const before = jobs.get(job.id);
    jobs.set(job.id, job);
    if (before && hasEnded(before)) return;
    if (hasEnded(job)) onEnded(job);
    const again = retryReason(job, messages, clock.now());
    // One line for what is wrong, however often it is tried.
    if (again !== null && isNew(`job ${job.id}`, job.problem?.code ?? '')) output.complain(again);
  }

  function announce(job: Job): void {
    const { state, nextTryAt, problem } = job;
    output.event({
      event: 'job',
      ...(job.kind === 'conversion' && { source: job.source.path }),
      state,
      ...(nextTryAt !== null && { nextTryAt }),
      ...(problem && { code: problem.code }),
    });
  }

  function takePauses(all: readonly Pause[]): void {
    const ours = all.filter(holdsUs);
    for (const reason of pauseReasons) {
      if (ours.some((pause) => pause.reason === reason)) continue;
      told.delete(`event ${reason}`);
      told.delete(`pause ${reason}`);
    }
    for (const pause of ours) {
      const { connectionId, reason, until, problem } = pause;
      if (isNew(`event ${reason}`, String(until))) {
        const code = problem && { code: problem.code };
        output.event({ event: 'pause', connection: connectionId && connection.name, reason, until, ...code });
      }
      const text = reasonOf(pause);
      if (isNew(`pause ${reason}`, text) && !output.hasStatus) output.complain(text);
    }
  }

  async function keepStatus(): Promise<void> {
    let secondsPerSecond: number | null = null;
    let paceAt = -Infinity;
    for (;;) {
      const now = clock.now();
      if (now - paceAt >= paceMs) {
        secondsPerSecond = store.pace(connection.id);
        paceAt = now;
      }
      const all = [...jobs.values()];
      const left = secondsLeft(all, secondsPerSecond, now);
      output.status(progressText(all, left, pauses.list().filter(holdsUs).map(reasonOf), messages));
      await clock.sleep(redrawMs, ending.signal);
    }
  }

  for (const id of ids) {
    const job = store.get(id);
    if (job) take(job);
  }
  takePauses(pauses.list());
  const ends = [
    store.onNews((news) => {
      if (news.kind !== 'put') return;
      for (const job of news.jobs) {
        if (!jobs.has(job.id)) continue;
        announce(job);
        take(job);
      }
    }),
    pauses.onChanged(takePauses),
  ];
  if (output.hasStatus) {
    keepStatus().catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
    });
  }
  return () => {
    ending.abort();
    ends.forEach((end) => end());
    output.status(null);
  };
}
