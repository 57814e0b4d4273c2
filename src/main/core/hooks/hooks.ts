import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { HookRun, HookSettings, HookStatus } from '../../../shared/schemas/hook.ts';
import { hookArguments } from '../../../shared/text/hook-arguments.ts';
import { hookVariable, withoutSecrets } from '../child-process.ts';
import { type Clock, sleepToTick, unlessAborted } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { createListeners } from '../events.ts';
import { tryContentHash } from '../files/content.ts';
import { type FileStamp, fileStampAt } from '../files/identity.ts';
import type { History } from '../history/history.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ProcessLock } from '../jobs/process-lock.ts';
import { type Job, titleOf } from '../jobs/job.ts';
import { factsOf, type HookFacts, hookInput, sampleFacts } from './hook-facts.ts';
import type { HookOutput, HookRuns } from './hook-runs.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';

/** A run that has ended, and the job whose result it was for; null for the sample. */
export interface EndedHookRun {
  readonly job: Job | null;
  readonly run: HookRun;
}

/**
 * Runs the user's program for each result of this process, one at a time and beside all else: it delays and fails no
 * job. A run that was due or under way when its process ended is repeated once by the next start of the app, or by the
 * next command that makes results. Nothing runs before `start`.
 */
export interface Hooks {
  status(): HookStatus;
  /** Applies changed settings. Once the hook is off, no result waits for it any more. */
  update(): void;
  /** Runs the program now, for the latest result that is there, or a copy of the sample. Even while the hook is off. */
  test(samplePath: string): Promise<HookRun>;
  /** Runs the program again for the results that it failed for. */
  repeatFailed(): void;
  /** True while a result of any process waits for the program, or it runs. */
  isBusy(): boolean;
  /** Resolves once no result of this process waits for the program. */
  idle(signal: AbortSignal): Promise<void>;
  onRun(listener: (ended: EndedHookRun) => void): () => void;
  onChanged(listener: () => void): () => void;
  start(): void;
  /** Ends a program that runs, with all that it started. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly runs: HookRuns;
  readonly store: Pick<JobStore, 'get' | 'onEvent' | 'owns'>;
  readonly writes: WriteGate;
  readonly processLock: Pick<ProcessLock, 'id' | 'isAlive'>;
  readonly history: Pick<History, 'watchFolderOf'>;
  readonly settings: () => HookSettings;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** The app adopts runs of dead processes as long as it runs, and discards those that nobody wants any more. */
  readonly role: 'app' | 'command';
  /** Resolves once Timbre itself no longer needs the result of this job as it was finished: the program may change or move it. */
  whenSettled(id: string): Promise<unknown>;
  onDefect(error: unknown): void;
}

/** Including the first. */
const maxStarts = 2;
const adoptIntervalMs = 10_000;
/** How long a program waits until Timbre no longer needs the result. Only a disk that hangs takes longer. */
export const settlePatienceMs = 5 * 60_000;
/** Results that a test looks for a file of. */
const latestCount = 20;
/** As many as fit into one message to the page. */
const maxFailures = 100;

export const isHookWanted = ({ isOn, program }: HookSettings): boolean => isOn && program !== null;

/** A folder that keeps no removable disk busy. A service may run as a user without a home folder. */
async function workingFolder(): Promise<string> {
  const home = homedir();
  const stats = await stat(home).catch(() => null);
  return stats?.isDirectory() ? home : tmpdir();
}

/** Why a program that ended failed; null if it succeeded. */
function problemOfEnd(end: ProgramEnd, { program, timeoutSeconds }: HookSettings): Problem | null {
  const name = basename(program ?? '');
  if (end.kind === 'not-started') {
    const { code, errno } = end;
    return { code, facts: { name, program: program ?? '', ...(errno !== undefined && { errno }) } };
  }
  if (end.kind === 'timeout') return { code: 'hook/timeout', facts: { name, seconds: timeoutSeconds } };
  if (end.kind !== 'exited') return { code: 'hook/interrupted', facts: { name } };
  if (end.exitCode === 0) return null;
  const why = end.exitCode === null ? { signal: end.signal ?? '' } : { exitCode: end.exitCode };
  return { code: 'hook/failed', facts: { name, ...why } };
}

export function createHooks(dependencies: Dependencies): Hooks {
  const { runs, store, writes, processLock, history, settings, clock, platform, role, whenSettled, onDefect } =
    dependencies;
  const ended = createListeners<EndedHookRun>(onDefect);
  const changes = createListeners<void>(onDefect);
  const stopping = new AbortController();
  const { signal } = stopping;
  const owner = processLock.id;
  let isStarted = false;
  /** What dead processes had left when it started is this process's. */
  let adopted: Promise<void> | undefined;
  let working: Promise<void> | undefined;
  let testing: Promise<HookRun> | undefined;
  let last: HookRun | null = null;

  async function execute(
    facts: HookFacts,
    hook: HookSettings & { readonly program: string },
    what: { readonly name: string | null; readonly isTest: boolean; readonly attempt: number },
  ): Promise<HookRun> {
    const startedAt = clock.now();
    const end = await runProgram(
      {
        program: hook.program,
        args: hookArguments(hook.args, facts.args),
        input: hookInput(facts, what),
        cwd: await workingFolder(),
        env: { ...withoutSecrets(process.env), [hookVariable]: '1' },
        timeoutMs: hook.timeoutSeconds * 1000,
      },
      { clock, platform },
      signal,
    );
    const endedAt = clock.now();
    return {
      name: what.name,
      isTest: what.isTest,
      endedAt,
      seconds: Math.max(0, endedAt - startedAt) / 1000,
      exitCode: end.kind === 'exited' ? end.exitCode : null,
      output: end.kind === 'not-started' ? '' : end.output,
      problem: problemOfEnd(end, hook),
    };
  }

  function emitEnd(end: EndedHookRun): void {
    last = end.run;
    ended.emit(end);
    changes.emit();
  }

  const stampOf = async ({ output }: Job): Promise<FileStamp | null> =>
    output && fileStampAt(output.path).catch(() => null);

  /** What is in the place of the result by now; null if the result is there as it was before, or nothing. */
  async function changedOutput(job: Job, before: FileStamp | null): Promise<HookOutput | null> {
    const { output, finished } = job;
    const stamp = await stampOf(job);
    if (!output || !stamp?.isFile || isDeepStrictEqual(stamp, before)) return null;
    const sha256 = await tryContentHash(output.path, stamp.sizeBytes, signal);
    return sha256 === null || sha256 === finished?.sha256 ? null : { sha256, sizeBytes: stamp.sizeBytes };
  }

  async function finish(job: Job, run: HookRun, before: FileStamp | null): Promise<void> {
    const changedTo = await changedOutput(job, before);
    await writes.commit(() => runs.finish(job.id, run.problem, changedTo), signal);
    emitEnd({ job, run });
  }

  /** Rejects with the signal's reason. */
  async function waitUntilSettled(id: string): Promise<void> {
    const over = new AbortController();
    try {
      const patience = clock.sleep(settlePatienceMs, over.signal).catch(() => undefined);
      await unlessAborted(Promise.race([whenSettled(id), patience]), signal);
    } finally {
      over.abort(new Error('the wait is over'));
    }
  }

  /** Returns whether there may be another run. */
  async function runNext(): Promise<boolean> {
    const id = runs.next(owner);
    if (id === undefined) return false;
    await waitUntilSettled(id);
    const { program, ...hook } = settings();
    if (!hook.isOn || program === null) {
      if (role === 'app') await writes.commit(runs.discardDue, signal);
      return false;
    }
    const attempt = await writes.commit(() => runs.begin(id, owner), signal);
    if (attempt === undefined) return true;
    const job = store.get(id);
    const facts = job && factsOf(job, history.watchFolderOf(id));
    if (!facts) {
      await writes.commit(() => runs.finish(id, null), signal);
      return true;
    }
    const name = titleOf(job);
    if (attempt > maxStarts) {
      const problem: Problem = { code: 'hook/interrupted', facts: { name: basename(program) } };
      const run = { name, isTest: false, endedAt: clock.now(), seconds: 0, exitCode: null, output: '', problem };
      await finish(job, run, null);
      return true;
    }
    changes.emit();
    // An interrupted start may have changed it already.
    const before = attempt === 1 ? await stampOf(job) : null;
    const run = await execute(facts, { ...hook, program }, { name, isTest: false, attempt });
    // Timbre quits: the next start runs it again.
    if (signal.aborted && run.exitCode === null) return false;
    await finish(job, run, before);
    return true;
  }

  async function work(): Promise<void> {
    while (!signal.aborted && (await runNext()));
  }

  /** True if a result was done since `work` looked for one. */
  function hasNext(): boolean {
    try {
      return !signal.aborted && isHookWanted(settings()) && runs.next(owner) !== undefined;
    } catch (error) {
      report(error);
      return false;
    }
  }

  function wake(): void {
    if (!isStarted || signal.aborted) return;
    working ??= work()
      .then(
        () => true,
        (error: unknown) => {
          report(error);
          // The same again would fail again: the next result tries it.
          return false;
        },
      )
      .then((mayGoOn) => {
        working = undefined;
        changes.emit();
        if (mayGoOn && hasNext()) wake();
      });
  }

  /** Takes over what dead processes have left. A command that runs no program would keep it from those that do. */
  async function adopt(): Promise<void> {
    if (role === 'command' && !isHookWanted(settings())) return;
    for (const other of runs.otherOwners(owner)) {
      if (!processLock.isAlive(other)) await writes.commit(() => runs.adopt(other, owner), signal);
    }
    wake();
  }

  async function keepAdopting(): Promise<void> {
    for (;;) {
      await sleepToTick(clock, adoptIntervalMs, signal);
      // The disk may only be busy.
      await adopt().catch(report);
    }
  }

  function report(error: unknown): void {
    if (!signal.aborted) onDefect(error);
  }

  const unsubscribe = store.onEvent((event) => {
    if (event.kind === 'upserted' && event.jobs.some(({ id, state }) => state === 'done' && store.owns(id))) wake();
  });

  async function latestFacts(): Promise<{ readonly facts: HookFacts; readonly job: Job } | undefined> {
    for (const id of runs.latestResults(latestCount)) {
      const job = store.get(id);
      const facts = job && factsOf(job, history.watchFolderOf(id));
      if (facts && (await fileStampAt(facts.args.result).catch(() => null))) return { facts, job };
    }
    return undefined;
  }

  async function runTest(samplePath: string): Promise<HookRun> {
    const { program, ...hook } = settings();
    if (program === null) throw new AppError('request/invalid', 'no program was chosen');
    const latest = await latestFacts();
    // The program may move or change what it gets.
    const folder = latest ? null : await mkdtemp(join(tmpdir(), 'timbre-hook-'));
    try {
      let facts = latest?.facts;
      if (folder !== null) {
        const path = join(folder, basename(samplePath));
        await copyFile(samplePath, path);
        facts = sampleFacts(path, clock.now());
      }
      if (!facts) throw new Error('there is nothing to run it for');
      const job = latest?.job ?? null;
      const name = job && titleOf(job);
      const run = await execute(facts, { ...hook, program }, { name, isTest: true, attempt: 1 });
      emitEnd({ job, run });
      return run;
    } finally {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    status() {
      const { due, failed } = runs.count(owner);
      return { waiting: due, failed, failures: failed === 0 ? [] : runs.failures(maxFailures), last };
    },
    update() {
      if (!isHookWanted(settings())) writes.defer(runs.discardDue);
      wake();
      changes.emit();
    },
    test: (samplePath) => (testing ??= runTest(samplePath).finally(() => (testing = undefined))),
    repeatFailed() {
      writes.write(() => runs.repeatFailed(owner));
      wake();
      changes.emit();
    },
    isBusy: () => working !== undefined || testing !== undefined || (!signal.aborted && runs.hasDue()),
    async idle(ending) {
      if (adopted) await unlessAborted(adopted, ending);
      while (working) await unlessAborted(working, ending);
    },
    onRun: ended.add,
    onChanged: changes.add,
    start() {
      if (isStarted) return;
      isStarted = true;
      adopted = adopt().catch(report);
      if (role === 'app') adopted.then(keepAdopting).catch(report);
    },
    async stop() {
      unsubscribe();
      stopping.abort(new AppError('job/cancelled', 'Timbre is closed'));
      await Promise.allSettled([working, testing]);
    },
  };
}
