import { AppError, type Problem } from '../../../shared/errors.ts';
import type { JobProgress, PauseReason } from '../../../shared/schemas/job.ts';
import type { LookAtSound } from '../../../sound/sound-looks.ts';
import { type Clock, createWakeTimer } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { createListeners } from '../events.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';
import { createDiskWatch, createHalfOpenProbes, type CircuitBreaker } from './circuit-breaker.ts';
import { type PaidReply, recoverStep, type StepContext } from './download-step.ts';
import { type JobCommands, createJobCommands } from './job-commands.ts';
import type { JobStore, JobEvent } from './job-store.ts';
import { type ConversionJob, hasEnded, type Job, type JobConnection } from './job.ts';
import {
  applyFailure,
  diskCheckMs,
  decideOutcome,
  decideAfterCrash,
  stateAtRest,
  removeTemporaryAfterKill,
} from './retry-policy.ts';
import { preflight } from './source-files.ts';
import type { SpaceReservations } from './space-reservations.ts';
import { stepOf } from './steps.ts';

/** Jobs in flight: what is under way, for which connection, and how to end it. */
export interface ActiveJobs {
  /** Runs `task` as this job's only occupation. Null is a place that counts for no connection: the source is looked at. */
  start(id: string, connectionId: string | null, task: (signal: AbortSignal) => Promise<void>): void;
  has(id: string): boolean;
  ids(): readonly string[];
  countOf(connectionId: string | null): number;
  /** True while anything is under way at a service. */
  isActive(): boolean;
  abort(id: string, reason: Error): void;
  abortAll(): void;
  /** Resolves when nothing is in flight any more. */
  whenIdle(): Promise<void>;
}

interface ActiveJob {
  readonly controller: AbortController;
  readonly connectionId: string | null;
  readonly done: Promise<void>;
}

interface Dependencies {
  /** What a task threw. The flight goes on until this is over. */
  onError(id: string, error: unknown, signal: AbortSignal): Promise<void>;
  onFinished(id: string): void;
  onDefect(error: unknown): void;
}

export function createActiveJobs({ onError, onFinished, onDefect }: Dependencies): ActiveJobs {
  const activeJobs = new Map<string, ActiveJob>();

  return {
    start(id, connectionId, task) {
      const controller = new AbortController();
      const done = (async () => {
        // The flight is on record before its first step.
        await Promise.resolve();
        try {
          await task(controller.signal);
        } catch (error) {
          await onError(id, error, controller.signal);
        }
      })()
        .catch(onDefect)
        .finally(() => {
          activeJobs.delete(id);
          onFinished(id);
        });
      activeJobs.set(id, { controller, connectionId, done });
    },
    has: (id) => activeJobs.has(id),
    ids: () => [...activeJobs.keys()],
    countOf: (connectionId) => [...activeJobs.values()].filter((flight) => flight.connectionId === connectionId).length,
    isActive: () => [...activeJobs.values()].some(({ connectionId }) => connectionId !== null),
    abort: (id, reason) => activeJobs.get(id)?.controller.abort(reason),
    abortAll() {
      for (const { controller } of activeJobs.values()) controller.abort();
    },
    async whenIdle() {
      while (activeJobs.size > 0) await Promise.all([...activeJobs.values()].map(({ done }) => done));
    },
  };
}

/** With what a flight is aborted whose call the machine slept through. */
export const machineSlept = new AppError('network/cut', 'the machine slept');

/** What a sleep of the machine does to the queue. */
export interface MachineSleep {
  sleep(): void;
  isAsleep(): boolean;
  /** The machine should be awake by now: it did not sleep after all, or does not say that it woke. */
  isOverslept(): boolean;
  /** Cuts what is stale, and asks the network at once. */
  wake(): void;
}

interface MachineSleepDependencies {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly activeJobs: ActiveJobs;
  readonly clock: Clock;
}

/** By the clock on the wall, which goes on in a sleep: after a real one it is over at the first look. */
const longestSleepMs = 60_000;
const freeStates: ReadonlySet<Job['state']> = new Set(['creating', 'uploading', 'converted']);

export function createMachineSleep({ store, breaker, activeJobs, clock }: MachineSleepDependencies): MachineSleep {
  let since: number | null = null;
  return {
    sleep: () => void (since ??= clock.now()),
    isAsleep: () => since !== null,
    isOverslept: () => since !== null && clock.now() - since >= longestSleepMs,
    wake() {
      since = null;
      for (const id of activeJobs.ids()) {
        const job = store.get(id);
        // A paid call is left alone: its answer may still come, and cutting it off would lose it.
        if (job && freeStates.has(job.state)) activeJobs.abort(id, machineSlept);
      }
      for (const { connectionId, reason } of breaker.list()) {
        if (reason === 'offline') breaker.resume(connectionId, [reason]);
      }
    },
  };
}

export interface Scheduler extends JobCommands {
  /** Takes up what dead processes left, if it is the app's, and begins. */
  start(): void;
  /**
   * Takes up nothing more from this moment on, ends everything in flight, and resolves when nothing of it is left. Jobs keep the state
   * they had. Any number of calls.
   */
  stop(): Promise<void>;
  /** Lets every step that is under way come to its end and begins no other: no answer is lost, and none is asked for. */
  drain(): Promise<void>;
  /** Takes `finishSteps` back: the queue goes on. */
  resumeSteps(): void;
  /** Paid calls whose answer would be lost if the process ended now. */
  unansweredPaidCalls(): number;
  /** Works on jobs of dead processes; returns those that it could take. */
  adopt(ids: readonly string[]): readonly Job[];
  /**
   * Before a sleep of the machine: nothing more is begun until `wake`, above all no paid call, whose answer the sleep would lose. A
   * machine that does not sleep after all, or does not say that it woke, counts as woken after a minute.
   */
  sleep(): void;
  /** After a sleep of the machine: what was on its way is stale, and the network is asked at once. */
  wake(): void;
  /** Whether anything of a job is under way at a service. */
  onActivity(listener: (isActive: boolean) => void): () => void;
}

interface SchedulerDependencies {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly writes: WriteGate;
  readonly space: SpaceReservations;
  readonly clock: Clock;
  readonly random: () => number;
  /** Looks at sources and results. */
  readonly look: LookAtSound;
  /** How many jobs of a connection may be in flight. */
  limitOf(connection: JobConnection): number;
  serviceOf(connection: JobConnection): VoiceService;
  /** Connections whose abandoned jobs this process takes up; a command takes only what it is asked for. */
  adoptable(): readonly string[];
  onProgress(progress: JobProgress): void;
  /** A defect of ours that a job ran into; the job fails as `internal`. */
  onDefect(error: unknown): void;
}

/** Reading heads of files is short work, but a sleeping network drive must not hold up the files behind it. */
const maxPreflights = 4;
/** How often other processes' doings are looked for. A person who cancels a job of another process waits this long. */
const pollMs = 500;

const cancelled = new AppError('job/cancelled', 'cancelled');
const reachedStates: ReadonlySet<Job['state']> = new Set(['created', 'uploaded', 'converted', 'publishing', 'done']);

/**
 * The queue at work. Owned by core; from `start` to `stop` it keeps as many jobs in flight as each connection allows, each with one
 * abort controller, through which `stop`, `cancel` and `wake` win over whatever step it is in. What a failed step means is decided by
 * `decideOutcome`; what holds the queue up, by `pauses`: once the time of a pause is over, one job goes ahead and finds out for all. While the
 * journal cannot be written nothing is begun, and what is in flight keeps in memory what it has to write.
 */
export function createScheduler(dependencies: SchedulerDependencies): Scheduler {
  const { store, breaker, writes, space, clock, random, look, limitOf, serviceOf, adoptable, onProgress, onDefect } =
    dependencies;
  const activity = createListeners<boolean>();
  const alarm = createWakeTimer(clock, schedule);
  const disk = createDiskWatch({ breaker, clock, onDefect });
  const probes = createHalfOpenProbes({ breaker, clock });
  const apply = applyFailure({ store, breaker, clock });
  const activeJobs = createActiveJobs({
    onError: handleFailure,
    onFinished(id) {
      replies.delete(id);
      left.delete(id);
      probes.finish(id);
      space.release(id);
      schedule();
    },
    onDefect,
  });
  const machine = createMachineSleep({ store, breaker, activeJobs, clock });
  let state: 'new' | 'running' | 'finishing' | 'stopped' = 'new';
  let isScheduling = false;
  let wasActive = false;
  const stopping = new AbortController();
  /** How many jobs a connection may have in work, as was last seen: by connection. */
  const limits = new Map<string, number>();
  /** Jobs whose outcome could not be recorded for a defect of ours: they wait for the next start instead of being tried without end. */
  const parked = new Set<string>();
  /** What paid calls brought and the journal has not yet: by job. */
  const replies = new Map<string, PaidReply>();
  /** Jobs in flight that were cancelled: one that was tried again meanwhile is the next flight's. */
  const left = new Set<string>();
  const subscriptions: (() => void)[] = [];

  /** False of a job that was cancelled, and perhaps tried again, by this process or another one. */
  const isOurs = (id: string) => !left.has(id) && store.owns(id);

  /** The one way for a flight to write: what was cancelled meanwhile is not written, whatever has become of the job since. */
  const commit = <T>(id: string, write: () => T, signal: AbortSignal): Promise<T> =>
    writes.commit(() => {
      if (!isOurs(id)) throw cancelled;
      return write();
    }, signal);

  function problemOf(error: unknown): Problem {
    if (error instanceof AppError) return error.problem;
    onDefect(error);
    return { code: 'internal' };
  }

  /** Records what came of a step that did not succeed. */
  async function handleFailure(id: string, error: unknown, signal: AbortSignal): Promise<void> {
    const current = () => {
      const job = store.get(id);
      return job && !hasEnded(job) && isOurs(id) ? { ...job, ...replies.get(id) } : undefined;
    };
    try {
      if (signal.reason === machineSlept) {
        await writes.commit(() => {
          const job = current();
          if (job) store.change(id, { state: stateAtRest(job) });
        });
      }
      if (signal.aborted) return;
      const problem = problemOf(error);
      const pauseTries = (reason: PauseReason, connectionId: string) =>
        (breaker.find(reason === 'disk' ? null : connectionId, reason)?.tries ?? -1) + 1;
      await writes.commit(() => {
        const job = current();
        if (!job) return;
        // The service answered, if only to refuse this one: whatever held the connection up is over.
        if (problem.code.startsWith('service/') && problem.code !== 'service/unavailable') probes.recordSuccess(job);
        apply(
          job,
          decideOutcome(job, problem, { random, pauseTries: (reason) => pauseTries(reason, job.connection.id) }),
        );
        // Sound that came in a reply did not fit: nothing more is paid for before there is room.
        if (problem.code === 'output/disk-full' && job.state === 'converting') {
          breaker.pause({ connectionId: null, reason: 'disk', until: clock.now() + diskCheckMs, problem });
        }
      }, signal);
    } catch (defect) {
      if (signal.aborted) return;
      parked.add(id);
      throw defect;
    }
  }

  const isRunning = () => state === 'running' && !machine.isAsleep() && writes.heldSince() === null;

  function mayGoOn(job: Job): boolean {
    if (!isRunning()) return false;
    if (probes.is(job)) return true;
    const admission = breaker.admission(job.connection.id);
    return (
      admission === 'all' || (admission === 'results' && (job.state === 'converted' || job.state === 'publishing'))
    );
  }

  /** A step that was flagged and not begun is none: were it left so, the next start would take a paid call for one that may have left. */
  async function rest(job: Job, signal: AbortSignal): Promise<void> {
    const state = stateAtRest(job);
    if (!hasEnded(job) && state !== job.state) await commit(job.id, () => store.change(job.id, { state }), signal);
  }

  const contextOf = ({ id, connection }: Job, signal: AbortSignal): StepContext => ({
    store,
    service: serviceOf(connection),
    commit: (write) => commit(id, write, signal),
    async keep(reply) {
      replies.set(id, reply);
      const kept = await commit(id, () => store.change(id, { state: 'converted', ...reply }), signal);
      replies.delete(id);
      return kept;
    },
    mayPay: mayGoOn,
    reserve: space.reserve,
    look,
    onProgress,
  });

  async function work(job: Job, signal: AbortSignal): Promise<void> {
    const context = contextOf(job, signal);
    const outcome = decideAfterCrash(job);
    if (outcome) {
      await context.commit(() => apply(job, outcome));
      return;
    }
    if (job.state === 'converted') await space.expect(job, signal);
    let current = job;
    for (let step = stepOf(current); step; step = stepOf(current)) {
      signal.throwIfAborted();
      current = await step(context, signal);
      if (reachedStates.has(current.state)) probes.recordSuccess(current);
      if (mayGoOn(current) && current.state !== 'converting') continue;
      await rest(current, signal);
      return;
    }
  }

  async function examine(job: ConversionJob, signal: AbortSignal): Promise<void> {
    const examined = await preflight(job, signal, look);
    signal.throwIfAborted();
    await commit(
      job.id,
      () =>
        examined.kind === 'sound'
          ? store.changeRelaxed(job.id, examined.change)
          : store.change(job.id, { state: 'failed', problem: examined.problem }),
      signal,
    );
  }

  function startPreflights(): void {
    const free = maxPreflights - activeJobs.countOf(null);
    if (free <= 0) return;
    for (const job of store.jobsToPreflight(free, activeIds()))
      activeJobs.start(job.id, null, (signal) => examine(job, signal));
  }

  function startDue(connectionId: string): void {
    const admission = breaker.admission(connectionId);
    if (admission === 'none' || (admission === 'probe' && probes.has(connectionId))) return;
    // As it was last seen: a connection that is full needs no look at its line.
    if (activeJobs.countOf(connectionId) >= (limits.get(connectionId) ?? Infinity)) return;
    const [first] = store.due(connectionId, query(admission, 1));
    if (!first) return;
    const limit = limitOf(first.connection);
    limits.set(connectionId, limit);
    const free = limit - activeJobs.countOf(connectionId);
    if (free <= 0) return;
    if (admission === 'probe') probes.start(first);
    const jobs = admission === 'probe' || free === 1 ? [first] : store.due(connectionId, query(admission, free));
    for (const job of jobs) activeJobs.start(job.id, connectionId, (signal) => work(job, signal));
  }

  const query = (admission: string, limit: number) => ({
    now: clock.now(),
    onlyResults: admission === 'results',
    except: activeIds(),
    limit,
  });
  const activeIds = () => [...activeJobs.ids(), ...parked];

  /** Every error of the queue itself ends here: one that says that the journal cannot be used holds the queue. */
  function guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!writes.holdFor(error)) onDefect(error);
    }
  }

  function schedule(): void {
    // A change of the store that this makes brings it here again; once is enough.
    if (isScheduling) return;
    isScheduling = true;
    guarded(() => {
      if (isRunning()) {
        probes.assumeSuccess(store.get);
        startPreflights();
        for (const connectionId of store.busyConnections()) startDue(connectionId);
        setAlarm();
      }
    });
    const isActive = activeJobs.isActive();
    isScheduling = false;
    if (isActive !== wasActive) activity.tell((wasActive = isActive));
  }

  function setAlarm(): void {
    const now = clock.now();
    const times = [store.nextTryAt(), ...breaker.list().map(({ until }) => until), ...probes.times()];
    // What is over already waits for a free place, not for a time.
    const ahead = times.filter((at): at is number => at !== null && at > now);
    alarm.set(ahead.length > 0 ? Math.min(...ahead) : null);
  }

  /** Nothing of a job that is taken over begins before it is set back to where it can go on. */
  function adoptJobs(claim: () => readonly Job[]): readonly Job[] {
    isScheduling = true;
    try {
      const jobs = claim();
      for (const job of jobs) {
        activeJobs.start(job.id, null, async (signal) => {
          await removeTemporaryAfterKill(job).catch(onDefect);
          const outcome = decideAfterCrash(job);
          if (outcome) await commit(job.id, () => apply(job, outcome), signal);
        });
      }
      return jobs;
    } finally {
      isScheduling = false;
      schedule();
    }
  }

  async function pollOthers(): Promise<void> {
    while (!stopping.signal.aborted) {
      // A look that failed, at a disk that is busy perhaps, is no reason never to look again.
      guarded(() => {
        store.poll();
        breaker.poll();
        if (machine.isOverslept()) wake();
        const connectionIds = adoptable();
        if (connectionIds.length > 0 && isRunning()) adoptJobs(() => store.claim({ connectionIds }));
      });
      await clock.sleep(pollMs, stopping.signal);
    }
  }

  function wake(): void {
    machine.wake();
    schedule();
  }

  function onJobEvent(news: JobEvent): void {
    if (news.kind !== 'put') return;
    for (const job of news.jobs) if (hasEnded(job)) parked.delete(job.id);
    for (const { id, state: reached } of news.jobs) {
      if (reached !== 'cancelled' || !activeJobs.has(id)) continue;
      left.add(id);
      activeJobs.abort(id, cancelled);
    }
    // A job in flight makes no work for others until it lands.
    if (news.jobs.some(({ id }) => !activeJobs.has(id))) schedule();
  }

  return {
    start() {
      if (state !== 'new') return;
      state = 'running';
      subscriptions.push(store.onEvent(onJobEvent), breaker.onChanged(schedule));
      pollOthers().catch((error: unknown) => {
        if (!stopping.signal.aborted) onDefect(error);
      });
      disk.start();
      schedule();
    },
    stop() {
      state = 'stopped';
      stopping.abort();
      alarm.set(null);
      disk.stop();
      for (const end of subscriptions.splice(0)) end();
      activeJobs.abortAll();
      return activeJobs.whenIdle();
    },
    async drain() {
      if (state === 'running') state = 'finishing';
      await activeJobs.whenIdle();
    },
    resumeSteps() {
      if (state !== 'finishing') return;
      state = 'running';
      schedule();
    },
    unansweredPaidCalls: () =>
      activeJobs.ids().filter((id) => {
        const job = store.get(id);
        return job?.state === 'converting' && job.connection.document.unknownOutcome !== 'repeat';
      }).length,
    adopt: (ids) => adoptJobs(() => writes.write(() => store.claim({ ids }))),
    ...createJobCommands({
      store,
      breaker,
      writes,
      activeJobs,
      recover: (job, signal) => recoverStep(job, contextOf(job, signal), signal),
      onDefect,
    }),
    sleep: machine.sleep,
    wake,
    onActivity: activity.add,
  };
}
