import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { PauseReason } from '../../../shared/schemas/job.ts';
import { type Clock, createWakeTimer, idlePollMs, isWithin, sleepToTick, unlessAborted } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { createListeners } from '../events.ts';
import { wasNotCarriedOut } from '../voice-service/paid-call-outcome.ts';
import type { Http } from '../voice-service/http.ts';
import type { ServiceClient } from '../voice-service/service-client.ts';
import { createGoneVoices } from '../voices/gone-voices.ts';
import { type ActiveJobs, createActiveJobs } from './active-jobs.ts';
import { type Admission, createHalfOpenProbes, type CircuitBreaker } from './circuit-breaker.ts';
import { createDiskWatch } from './disk-watch.ts';
import { recover } from './publish-steps.ts';
import { createJobWriter } from './job-writer.ts';
import { type PaidReply, RefusedCall, type StepContext, type StepTools } from './step.ts';
import { type JobCommands, createJobCommands, movedElsewhere } from './job-commands.ts';
import type { JobStore, JobEvent } from './job-store.ts';
import { type ConversionJob, hasEnded, type Job, type JobConnection, maxWaitMs } from './job.ts';
import {
  applyFailure,
  diskCheckMs,
  decideOutcome,
  decideAfterCrash,
  isMismatch,
  mayBePaid,
  needsRecovery,
  stateAtRest,
  removeTemporaryAfterKill,
} from './retry-policy.ts';
import type { Preflight } from './source-files.ts';
import type { SpaceReservations } from './space-reservations.ts';
import { stepFor } from './steps.ts';

export interface Scheduler extends JobCommands {
  /** Starts the queue, and adopts jobs of dead processes. */
  start(): void;
  /** Starts no more jobs, aborts all in flight and resolves when they have ended. Jobs keep their state. Idempotent. */
  stop(): Promise<void>;
  /** Lets running steps finish and starts no others, so that no answer is lost and nothing more is paid for. */
  drain(): Promise<void>;
  /** Undoes `drain`: the queue continues. */
  cancelDrain(): void;
  /** Starts nothing more, and resolves once no service has yet to answer a paid call. See `unsavedReplies`. */
  finishPaidCalls(signal: AbortSignal): Promise<void>;
  /** Number of paid calls whose answer would be lost if the process ended now. */
  unansweredPaidCalls(): number;
  /** Replies to paid calls that could not be stored yet, by job id. `stop` gives them up. */
  unsavedReplies(): ReadonlyMap<string, PaidReply>;
  /** Stores such replies of a stopped scheduler with its jobs, and adopts these. Call before `start`. */
  restoreReplies(replies: ReadonlyMap<string, PaidReply>): void;
  /** Adopts jobs of dead processes and returns those it could claim. */
  adoptOrphans(ids: readonly string[]): readonly Job[];
  /**
   * Call before the machine sleeps. Starts nothing until `wake`: the sleep would lose the answer to a
   * paid call. If the machine does not sleep or does not report waking, `wake` follows after a minute.
   */
  sleep(): void;
  /** Call after the machine slept. Aborts stale free calls and retries offline connections at once. */
  wake(): void;
  /** Emits whether any job uses a service. */
  onActivity(listener: (isActive: boolean) => void): () => void;
}

/** All of these connections, or those that this command waits for. */
type AdoptableJobs = { readonly connectionIds: readonly string[] } | { readonly areRequested: true };

interface SchedulerDependencies {
  readonly tools: StepTools;
  readonly breaker: CircuitBreaker;
  readonly writes: WriteGate;
  readonly space: SpaceReservations;
  readonly clock: Clock;
  readonly random: () => number;
  preflight(job: ConversionJob, signal: AbortSignal): Promise<Preflight>;
  /** Maximum number of a connection's jobs in flight. */
  concurrencyOf(connection: JobConnection): number;
  serviceFor(connection: JobConnection, wrap: (http: Http) => Http): ServiceClient;
  /** The jobs of dead processes that this one adopts. */
  adoptable(): AdoptableJobs;
  /** Called with a bug that a job hit; the job fails as `internal`. */
  onDefect(error: unknown): void;
}

/** Reading file headers is quick, but a sleeping network drive must not block the other files. */
const maxPreflights = 4;
/** Interval of polls for changes by other processes: the delay to cancel a job of another process. */
const busyPollMs = 500;
const paidCallPollMs = 100;
/** Jobs in a row, since the reply to one may be a page of a proxy that was restarted. */
const maxMismatches = 3;
/** First pause after them. */
const mismatchWaitMs = 60_000;
/** Claiming and reading these takes some ten milliseconds. A process that was killed may have left ten thousand. */
const maxAdoptedAtOnce = 100;

/** Thrown instead of sending a free call of a job that was paused while it prepared the call. */
const pausedBeforeSend = new Error('paused before the call was sent');
/** True for a call that a pause kept from being sent: the job waits, and has not failed. */
const wasPaused = (error: unknown): boolean =>
  error === pausedBeforeSend || (error instanceof AppError && error.code === 'network/offline-mode');
/** True if a service refused a call in its own words, which gateways do not use. */
const isRefusal = (problem: Problem): boolean =>
  problem.code === 'service/refused' && problem.words !== undefined && wasNotCarriedOut(problem);
/** The states in which a call that names the voice fails. A step of many calls returns to `queued` by itself. */
const statesWithVoice: ReadonlySet<Job['state']> = new Set(['queued', 'creating', 'converting']);
const reachedStates: ReadonlySet<Job['state']> = new Set(['created', 'uploaded', 'converted', 'publishing', 'done']);

/**
 * Runs the queue. Owned by core; from `start` to `stop` it keeps as many jobs in flight as each
 * connection allows. Each job has one abort controller, so `stop`, `cancel` and `wake` interrupt any step.
 * `decideOutcome` decides what a failed step means; the circuit breaker decides what may run, and when a
 * pause expires, one job probes for all. While the database is not writable, no job starts, and jobs in
 * flight keep their pending writes in memory.
 */
export function createScheduler(dependencies: SchedulerDependencies): Scheduler {
  const { tools, breaker, writes, space, clock, random, preflight, concurrencyOf, serviceFor, adoptable, onDefect } =
    dependencies;
  const { store, takes } = tools;
  const activity = createListeners<boolean>();
  const timer = createWakeTimer(clock, schedule);
  const disk = createDiskWatch({ breaker, clock, onDefect });
  const probes = createHalfOpenProbes({ breaker, clock });
  const apply = applyFailure({ store, breaker, clock });
  const goneVoices = createGoneVoices(clock);
  const activeJobs = createActiveJobs({
    onError: handleFailure,
    onFinished(id) {
      writer.forget(id);
      leftBehind.delete(id);
      probes.finish(id);
      space.release(id);
      schedule();
    },
    onDefect,
  });
  const writer = createJobWriter({ store, takes, writes, activeJobs });
  const machine = createMachineSleep({ store, breaker, activeJobs, clock });
  let state: 'new' | 'running' | 'draining' | 'stopped' = 'new';
  let isScheduling = false;
  let wasActive = false;
  const stopping = new AbortController();
  /** Last known concurrency limit, by connection id. */
  const limits = new Map<string, number>();
  /** Jobs whose outcome a bug kept from being recorded. They wait for the next start, or they would retry forever. */
  const parked = new Set<string>();
  /** Jobs in flight whose result waits for a disk that the user gave up: the others do not wait with them. */
  const leftBehind = new Set<string>();
  /** Jobs that their connection did not suit since the last one that was done, by connection id. */
  const mismatched = new Map<string, ReadonlySet<string>>();
  /** Jobs that the service denied, and has answered no call of since. */
  const forbidden = new Set<string>();
  const subscriptions: (() => void)[] = [];

  function problemOf(error: unknown): Problem {
    if (error instanceof AppError) return error.problem;
    onDefect(error);
    return { code: 'internal' };
  }

  /**
   * Keeps the queue from paying for hundreds of results that nobody gets: the user resumes it once the connection is mended. Before
   * anything is paid, as while a service shows a page about its maintenance, it tries again by itself.
   */
  function pauseIfMismatched(job: Job, problem: Problem): void {
    const { id } = job.connection;
    const ids = new Set(mismatched.get(id)).add(job.id);
    mismatched.set(id, ids);
    if (ids.size < maxMismatches) return;
    const tries = (breaker.find(id, 'uncertain')?.tries ?? -1) + 1;
    const waitMs = Math.min(maxWaitMs, mismatchWaitMs * 2 ** tries);
    const resumesAt = mayBePaid(job) ? null : clock.now() + waitMs;
    breaker.pause({ connectionId: id, reason: 'uncertain', resumesAt, problem });
  }

  function recordDone(connectionId: string): void {
    mismatched.delete(connectionId);
    // A pause without an end waits for the user.
    if ((breaker.find(connectionId, 'uncertain')?.resumesAt ?? null) !== null)
      breaker.resume(connectionId, ['uncertain']);
  }

  /** Records the outcome of a failed step. */
  async function handleFailure(id: string, error: unknown, signal: AbortSignal): Promise<void> {
    writer.endCall(id);
    try {
      if (signal.reason === machineSlept || signal.reason === movedElsewhere || wasPaused(error)) {
        await writes.commit(() => {
          const job = writer.findOpen(id);
          if (job) store.change(id, { state: stateAtRest(job) });
        });
      }
      if (signal.aborted || wasPaused(error)) return;
      const answer = problemOf(error);
      const refused = isRefusal(answer) && (await writes.commit(() => restRefused(writer.findOpen(id)), signal));
      const voiceId = error instanceof RefusedCall ? error.voiceId : undefined;
      const problem = refused ? await explainRefusal(refused, answer, voiceId, signal) : answer;
      const pauseTries = (reason: PauseReason, connectionId: string) =>
        (breaker.find(reason === 'disk' ? null : connectionId, reason)?.tries ?? -1) + 1;
      await writes.commit(() => {
        const job = writer.findOpen(id);
        if (!job) return;
        // The service answered, even if only to refuse this job, so the connection works again.
        if (answer.code.startsWith('service/') && answer.code !== 'service/unavailable') probes.recordSuccess(job);
        const outcome = decideOutcome(job, problem, {
          random,
          pauseTries: (reason) => pauseTries(reason, job.connection.id),
          wasForbidden: forbidden.has(id),
        });
        apply(job, outcome);
        if (isMismatch(job, problem, outcome)) pauseIfMismatched(job, problem);
        if (problem.code !== 'auth/forbidden') return;
        // The others only waited for this one.
        if (outcome.kind === 'failed') breaker.resume(job.connection.id, ['quota']);
        else forbidden.add(id);
      }, signal);
    } catch (defect) {
      if (signal.aborted) return;
      parked.add(id);
      throw defect;
    }
  }

  const isRunning = () => state === 'running' && !machine.isAsleep() && writes.heldSince() === null;

  function mayContinue(job: Job): boolean {
    if (!isRunning() || breaker.isHeld()) return false;
    if (probes.is(job)) return true;
    const admission = breaker.admission(job.connection.id);
    return (
      admission === 'all' || (admission === 'results' && (job.state === 'converted' || job.state === 'publishing'))
    );
  }

  /** Undoes a flag whose call was never sent; otherwise the next start would treat it as possibly paid. */
  async function undoFlag(job: Job, signal: AbortSignal): Promise<void> {
    const state = stateAtRest(job);
    if (!hasEnded(job) && state !== job.state)
      await writer.commit(job.id, () => store.change(job.id, { state }), signal);
  }

  /** A free call may wait a minute for the rate limit. Paid calls wait before they are flagged, and are checked then. */
  const sendUnlessPaused =
    (current: () => Job) =>
    (http: Http): Http => ({
      ...http,
      async send(request) {
        const job = current();
        if (request.fresh !== true && !mayContinue(job)) throw pausedBeforeSend;
        if (probes.is(job)) {
          probes.sent(job);
          schedule();
        }
        return http.send(request);
      },
    });

  /** Records that the refused call was not carried out, as the process may end while the service is asked about the voice. */
  function restRefused(job: Job | undefined): Job | undefined {
    if (!job || !statesWithVoice.has(job.state) || !mayContinue(job)) return undefined;
    store.change(job.id, { state: stateAtRest(job) });
    return job;
  }

  /** A service may say only that it refuses a call, also because the voice was deleted since the job was added. */
  async function explainRefusal(
    job: Job,
    refusal: Problem,
    voiceId: string | undefined,
    signal: AbortSignal,
  ): Promise<Problem> {
    const service = serviceFor(
      job.connection,
      sendUnlessPaused(() => job),
    );
    const speakers = (job.kind === 'speech' && voiceId !== job.voice.id && job.settings.speakers) || [];
    const speaker = speakers.find((one) => one.voiceId === voiceId);
    // Other jobs wait for the same answer, which this one must not abort.
    const isGone = goneVoices.isGone(
      job.connection.id,
      speaker ? { id: speaker.voiceId } : job.voice,
      service,
      stopping.signal,
    );
    if (!(await unlessAborted(isGone, signal))) return refusal;
    return speaker
      ? { ...refusal, code: 'voice/speaker-not-found', facts: { name: speaker.name, voice: speaker.voiceName } }
      : { ...refusal, code: 'voice/not-found', facts: { name: job.voice.name } };
  }

  /** The disk may answer at any time, so the job waits for it. No other starts meanwhile. */
  function pauseForDisk(id: string, { problem }: AppError): void {
    if (leftBehind.has(id)) return;
    breaker.pause({ connectionId: null, reason: 'disk', resumesAt: clock.now() + diskCheckMs, problem });
  }

  const doubtedCalls = new Set<string>();

  /** `current` returns the job as its running step found it. */
  const contextOf = (job: Job, signal: AbortSignal, current = () => job): StepContext => ({
    ...tools,
    service: serviceFor(job.connection, sendUnlessPaused(current)),
    commit: (write) => writer.commit(job.id, write, signal),
    saveResult: (result) => writer.saveResult(job.id, result, signal),
    saveTakeCall: (call) => writer.saveTakeCall(job.id, call, signal),
    mayPay: mayContinue,
    sleep: clock.sleep,
    reserve: space.reserve,
    assertFolder: space.assertFolder,
    attend: (attended, stepSignal, work) =>
      space.attend(attended, stepSignal, work, (error) => pauseForDisk(job.id, error)),
    pauseForDisk: (error) => pauseForDisk(job.id, error),
    doubtedCalls,
    onSpoken(voiceId) {
      probes.recordSuccess(job);
      goneVoices.forget(job.connection.id, voiceId);
    },
  });

  /** Puts a job whose process was killed into a state that it can continue from. */
  async function recoverFromCrash(job: Job, signal: AbortSignal): Promise<void> {
    const outcome = decideAfterCrash(job);
    if (!outcome) return;
    const isAnswered = job.kind === 'speech' && (await takes.isAnswered(job.id, job.connection.id));
    if (isAnswered) await undoFlag(job, signal);
    else await writer.commit(job.id, () => apply(job, outcome), signal);
  }

  /** Rejects only if aborted. If the disk does not answer, the job's next step waits until it does. */
  async function removeTemporary(job: Job, signal: AbortSignal): Promise<void> {
    try {
      await space.attend(
        job,
        signal,
        () => removeTemporaryAfterKill(job),
        (error) => {
          throw error;
        },
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError && error.code === 'output/folder-missing')) onDefect(error);
    }
  }

  async function runSteps(job: Job, signal: AbortSignal): Promise<void> {
    let current = job;
    const context = contextOf(job, signal, () => current);
    if (job.state === 'converting') {
      await recoverFromCrash(job, signal);
      return;
    }
    if (job.state === 'converted') await space.expect(job, signal);
    for (let step = stepFor(current); step; step = stepFor(current)) {
      signal.throwIfAborted();
      current = await step(context, signal);
      if (reachedStates.has(current.state)) {
        probes.recordSuccess(current);
        forbidden.delete(current.id);
        goneVoices.forget(current.connection.id, current.voice.id);
      }
      if (mayContinue(current) && current.state !== 'converting') continue;
      await undoFlag(current, signal);
      return;
    }
  }

  async function runPreflight(job: ConversionJob, signal: AbortSignal): Promise<void> {
    const result = await preflight(job, signal);
    signal.throwIfAborted();
    await writer.commit(
      job.id,
      () => {
        const now = store.get(job.id);
        // The user may have added the recording under another name meanwhile: that is examined next.
        if (now?.state !== job.state || now.source?.path !== job.source.path) return;
        if (result.kind === 'sound') store.changeRelaxed(job.id, { ...result.change, problem: null, nextTryAt: null });
        else store.change(job.id, { state: 'failed', problem: result.problem });
      },
      signal,
    );
  }

  function startPreflights(connectionId: string): void {
    const free = maxPreflights - activeJobs.countOf(null);
    if (free <= 0) return;
    for (const job of store.jobsToPreflight(connectionId, { now: clock.now(), limit: free, except: activeIds() }))
      activeJobs.start(job.id, null, (signal) => runPreflight(job, signal));
  }

  function startDue(connectionId: string): void {
    const admission = breaker.admission(connectionId);
    if (admission === 'none' || (admission === 'probe' && probes.has(connectionId))) return;
    // Uses the last known limit, so that a full connection costs no query.
    if (activeJobs.countOf(connectionId) >= (limits.get(connectionId) ?? Infinity)) return;
    const [first] = store.due(connectionId, dueQuery(admission, 1));
    if (!first) return;
    const limit = concurrencyOf(first.connection);
    limits.set(connectionId, limit);
    const free = limit - activeJobs.countOf(connectionId);
    if (free <= 0) return;
    if (admission === 'probe') probes.start(first);
    const jobs = admission === 'probe' || free === 1 ? [first] : store.due(connectionId, dueQuery(admission, free));
    for (const job of jobs) activeJobs.start(job.id, connectionId, (signal) => runSteps(job, signal));
  }

  const dueQuery = (admission: Admission, limit: number) => ({
    now: clock.now(),
    onlyResults: admission === 'results',
    except: activeIds(),
    limit,
  });
  const activeIds = () => [...activeJobs.ids(), ...parked];

  /** Catches every error of the queue itself. If the database is not writable, the queue pauses. */
  function guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!writes.holdFor(error)) onDefect(error);
    }
  }

  function schedule(): void {
    // Changes made below emit events that call schedule() again.
    if (isScheduling) return;
    isScheduling = true;
    guarded(() => {
      if (isRunning()) {
        probes.assumeSuccess(store.get);
        for (const connectionId of store.busyConnections()) {
          startPreflights(connectionId);
          startDue(connectionId);
        }
        setTimer();
      }
    });
    const isActive = activeJobs.isActive();
    isScheduling = false;
    if (isActive !== wasActive) activity.emit((wasActive = isActive));
  }

  function setTimer(): void {
    const now = clock.now();
    const times = [store.nextTryAt(), ...breaker.list().map(({ resumesAt }) => resumesAt), ...probes.times()];
    // Jobs whose time has passed wait for a free slot, not for the timer.
    const ahead = times.filter((at): at is number => at !== null && at > now);
    timer.set(ahead.length > 0 ? Math.min(...ahead) : null);
  }

  /** Resets each adopted job to a state it can continue from before any of its steps run. Most wait for their turn as they are. */
  function adoptJobs(claim: () => readonly Job[]): readonly Job[] {
    isScheduling = true;
    try {
      const jobs = claim();
      for (const job of jobs.filter(needsRecovery)) {
        activeJobs.start(job.id, null, async (signal) => {
          await removeTemporary(job, signal);
          await recoverFromCrash(job, signal);
        });
      }
      return jobs;
    } finally {
      isScheduling = false;
      schedule();
    }
  }

  let pollSleep = new AbortController();

  /** Ends early if jobs begin meanwhile, which others may cancel: while no window is open, the next idle poll is ten seconds away. */
  async function sleepToPoll(): Promise<void> {
    const { signal } = (pollSleep = new AbortController());
    try {
      await sleepToTick(clock, activeJobs.isActive() ? busyPollMs : idlePollMs(clock), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async function pollOthers(): Promise<void> {
    while (!stopping.signal.aborted) {
      let adopted: readonly Job[] = [];
      // Keep polling after a failure; the disk may only be busy.
      guarded(() => {
        store.poll();
        breaker.poll();
        if (machine.hasMissedWake()) wake();
        if (isRunning()) adopted = adoptJobs(() => store.claim({ ...adoptable(), limit: maxAdoptedAtOnce }));
      });
      await (adopted.length === maxAdoptedAtOnce ? yieldToEventLoop() : sleepToPoll());
    }
  }

  function wake(): void {
    machine.wake();
    schedule();
  }

  function onJobEvent(event: JobEvent): void {
    if (event.kind !== 'upserted') return;
    for (const { id, state: end, connection } of event.jobs.filter(hasEnded)) {
      parked.delete(id);
      forbidden.delete(id);
      if (end === 'done') recordDone(connection.id);
    }
    writer.noteChanged(event.jobs);
    // A job in flight frees no slot until it finishes.
    if (event.jobs.some(({ id }) => !activeJobs.has(id))) schedule();
  }

  return {
    start() {
      if (state !== 'new') return;
      state = 'running';
      const onBegin = (isActive: boolean) => isActive && pollSleep.abort();
      subscriptions.push(store.onEvent(onJobEvent), breaker.onChanged(schedule), activity.add(onBegin));
      pollOthers().catch((error: unknown) => {
        if (!stopping.signal.aborted) onDefect(error);
      });
      disk.start();
      schedule();
    },
    stop() {
      state = 'stopped';
      stopping.abort();
      pollSleep.abort();
      timer.set(null);
      disk.stop();
      for (const unsubscribe of subscriptions.splice(0)) unsubscribe();
      activeJobs.abortAll();
      return activeJobs.whenIdle();
    },
    async drain() {
      if (state === 'running') state = 'draining';
      await activeJobs.whenIdle();
    },
    async finishPaidCalls(signal) {
      if (state === 'running') state = 'draining';
      while (writer.isCallAtService()) await clock.sleep(paidCallPollMs, signal);
    },
    cancelDrain() {
      if (state !== 'draining') return;
      state = 'running';
      schedule();
    },
    unansweredPaidCalls: writer.unansweredPaidCalls,
    unsavedReplies: writer.unsavedReplies,
    restoreReplies: writer.restoreReplies,
    adoptOrphans: (ids) => adoptJobs(() => writes.write(() => store.claim({ ids }))),
    ...createJobCommands({
      store,
      breaker,
      writes,
      activeJobs,
      recover: (job, signal) => recover(job, contextOf(job, signal), signal),
      onLeftBehind: (id) => void leftBehind.add(id),
      onDefect,
    }),
    sleep: machine.sleep,
    wake,
    onActivity: activity.add,
  };
}

/** Abort reason for calls that the machine slept through. */
const machineSlept = new AppError('network/cut', 'the machine slept');

/** How the queue reacts when the machine sleeps. */
interface MachineSleep {
  sleep(): void;
  isAsleep(): boolean;
  /** True if no wake arrived in time: the machine did not sleep, or does not report that it woke. */
  hasMissedWake(): boolean;
  /** Aborts stale calls and retries offline connections at once. */
  wake(): void;
}

interface MachineSleepDependencies {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly activeJobs: ActiveJobs;
  readonly clock: Clock;
}

/** Wall-clock time, which advances during sleep: after a real sleep the first poll sees it expired. */
const wakeTimeoutMs = 60_000;
const freeStates: ReadonlySet<Job['state']> = new Set(['creating', 'uploading', 'converted']);

function createMachineSleep({ store, breaker, activeJobs, clock }: MachineSleepDependencies): MachineSleep {
  let asleepSince: number | null = null;
  return {
    sleep: () => void (asleepSince ??= clock.now()),
    isAsleep: () => asleepSince !== null,
    hasMissedWake: () => asleepSince !== null && !isWithin(wakeTimeoutMs, asleepSince, clock.now()),
    wake() {
      asleepSince = null;
      for (const id of activeJobs.ids()) {
        const job = store.get(id);
        // Never abort a paid call: its answer may still arrive.
        if (job && freeStates.has(job.state)) activeJobs.abort(id, machineSlept);
      }
      for (const { connectionId, reason } of breaker.list()) {
        if (reason === 'offline') breaker.resume(connectionId, [reason]);
      }
    },
  };
}
