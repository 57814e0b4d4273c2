import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { WatchMode, WatchWait } from '../../../shared/schemas/watch.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { Clock } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import type { OwnResults } from '../jobs/own-results.ts';
import { createJobFollowup, type Disposals } from './job-followup.ts';
import type { Signature } from '../files/identity.ts';
import type { Scanner, ScannerEvent, DiscoveredFile, StableFile } from '../scanner/scanner.ts';
import { createBaselineQuestion } from './baseline-question.ts';
import type { BaselineWriter } from './baseline-writer.ts';
import { createRecordWriter } from './record-writer.ts';
import type { WriteQueue } from './write-queue.ts';
import { type FileRecord, isAtGate } from './file-record.ts';
import type { FileStore } from './file-store.ts';
import type { FolderJobs } from './folder-jobs.ts';
import { type FolderStore, rootOf } from './folder-store.ts';
import { decideOnDiscovered } from './decisions.ts';
import type { Ledger } from './ledger.ts';
import { createFileIntake, type PreparedFile, withVoice } from './file-intake.ts';
import type { PrepareText } from './prepare-text.ts';
import { createRechecks, isPassing } from './rechecks.ts';
import { isUnnamed, type SubfolderVoices } from './subfolder-voices.ts';

/** Current state of a watched folder that is not in the database. */
export interface FolderWatcherState {
  readonly mode: WatchMode;
  readonly since: number;
  readonly problems: readonly Problem[];
  readonly checkedAt: number | null;
  readonly everySeconds: number;
  readonly isMeasured: boolean;
}

/** Watches one folder: decides about its files and follows each until it is settled. */
export interface FolderWatcher {
  state(): FolderWatcherState;
  wait(path: string): WatchWait | undefined;
  /** Starts, or continues with new settings. */
  start(): void;
  /** Stops scanning; running jobs continue. */
  stop(): void;
  onScannerEvent(event: ScannerEvent): void;
  onJobChange(record: FileRecord, job: Job): void;
  /** The user removed the job from the list, so its file no longer needs attention. */
  onJobRemoved(record: FileRecord): void;
  convert(paths: readonly string[]): void;
  answerBaseline(answer: 'convert' | 'leave'): void;
  /** Called once a second; retries what is due. */
  tick(now: number): void;
}

export interface FolderWatcherDependencies {
  readonly id: string;
  readonly database: DatabaseSync;
  readonly clock: Pick<Clock, 'now'>;
  readonly scanner: Scanner;
  readonly folders: FolderStore;
  readonly records: FileStore;
  readonly ledger: Ledger;
  readonly ownResults: Pick<OwnResults, 'hasContent' | 'existIn' | 'isAwaitingHook' | 'isUntouchedAt'>;
  readonly voices: SubfolderVoices;
  readonly disposals: Disposals;
  readonly writeQueue: WriteQueue;
  readonly baselineWriter: BaselineWriter;
  readonly writes: Pick<WriteGate, 'heldSince' | 'commit' | 'defer'>;
  /** Path of ffmpeg; null if there is none. */
  readonly ffmpeg: () => Promise<string | null>;
  readonly jobs: FolderJobs;
  readonly prepareText: PrepareText;
  trash(path: string): Promise<void>;
  onFile(path: string): void;
  onFolder(): void;
  onDefect(error: unknown): void;
  /** What to do with the baseline: ask the user, or, in a command, the answer given. */
  readonly answer: 'ask' | 'convert' | 'leave';
}

/** Fewer files are added before a thread would have started. */
const minInThread = 500;

/**
 * Acts on what the scanner finds in one watched folder: decides about its files, submits their jobs and follows each
 * until it is settled.
 */
export function createFolderWatcher(dependencies: FolderWatcherDependencies): FolderWatcher {
  const { id, clock, scanner, folders, records, voices, writeQueue, writes, onFile, onFolder, onDefect } = dependencies;
  const { jobs, prepareText, ownResults, baselineWriter } = dependencies;
  const writer = createRecordWriter(dependencies);
  const { folder, upsert, recheck, inBatches, batchSteps } = writer;
  const followup = createJobFollowup({ ...dependencies, writer, awaitStable: (path) => awaitStable([path]) });
  const intake = createFileIntake({
    ...dependencies,
    writer,
    followup,
    continueWith: (steps) => writeQueue.addNext(steps.map((step) => () => isRunning && step())),
  });
  const rechecks = createRechecks({
    ...dependencies,
    writer,
    awaitStable,
    retryFailed: followup.retryFailed,
    whileRunning: (work) => whileRunning(work),
  });
  const baselineQuestion = createBaselineQuestion({
    ...dependencies,
    writer,
    isRunning: () => isRunning,
    onMeasured: (isMeasured) => setState({ isMeasured }),
  });
  const waits = new Map<string, WatchWait>();
  /** Files that left the gate and are being prepared, by path; a file that changes is removed. */
  const preparing = new Map<string, StableFile>();
  /** Unsettled files not seen since the start; those still here after the first full scan were deleted. */
  const unseen = new Set<string>();
  let state: FolderWatcherState = {
    mode: 'paused',
    since: clock.now(),
    problems: [],
    checkedAt: null,
    everySeconds: 60,
    isMeasured: true,
  };
  let isRunning = false;
  /** Times that it was stopped. */
  let stops = 0;

  function setState(change: Partial<FolderWatcherState>): void {
    const since = change.mode !== undefined && change.mode !== state.mode ? clock.now() : state.since;
    state = { ...state, since, ...change };
    onFolder();
  }

  /** Nothing is known about the files at the gate any more. */
  function forgetWaits(): void {
    const paths = [...waits.keys()];
    waits.clear();
    paths.forEach(onFile);
  }

  /** The scanner reports files at the gate as deleted itself, so they leave `unseen`. */
  function awaitStable(paths: readonly string[]): void {
    for (const path of paths) unseen.delete(path);
    if (paths.length > 0) scanner.awaitStable(id, paths);
  }

  /** The user is not asked about Timbre's own results: they would not be converted. */
  const isNewResult = (path: string, signature: Signature) =>
    !writer.find(path) && ownResults.isUntouchedAt(join(folder().settings.path, path), signature);
  const isUnchangedInBaseline = (path: string, signature: Signature) =>
    records.isUnchangedInBaseline(id, path, signature);

  function onDiscovered(files: readonly DiscoveredFile[]): void {
    const { baselineStage, settings } = folder();
    const candidates: string[] = [];
    const holdsResults = baselineStage === 'scanning' && ownResults.existIn(settings.path);
    for (const file of files) {
      const { path, signature } = file;
      unseen.delete(path);
      if (holdsResults && file.kind === 'file' && isNewResult(path, signature)) {
        upsert(path, { signature, decision: 'own-output', stage: 'rest', isPresent: true }, null);
        continue;
      }
      const isSettled = baselineStage === 'scanning' ? writer.addToBaseline : isUnchangedInBaseline;
      if (file.kind === 'file' && isSettled(path, signature)) continue;
      const record = writer.find(path);
      const isInBaseline = !record && baselineStage !== 'scanning' && records.isInBaseline(id, signature);
      const decision = decideOnDiscovered(file, record, { baselineStage, isInBaseline });
      if (decision === 'known') continue;
      if (decision === 'touch') records.updateInPlace(id, path, { signature, isPresent: true });
      else if (decision === 'await-stable') {
        preparing.delete(path);
        // The user's request survives changes at the gate, but does not apply to new content of a converted file.
        recheck(path, { signature, isForced: record?.decision === 'waiting' && record.isForced, movedTo: null });
        candidates.push(path);
      } else if (decision === 'baseline') {
        writer.addToBaseline(path, signature);
        // Placeholders would have to be downloaded first, so the user is not asked about them.
        if (file.kind === 'placeholder') records.updateInPlace(id, path, { isPresent: false });
      } else upsert(path, { signature, decision, stage: 'rest', isPresent: true }, record ?? null);
    }
    awaitStable(candidates);
  }

  /** The files of a first scan are added in a thread; what is left is decided about here, before all later work. */
  async function addInThread(files: readonly DiscoveredFile[]): Promise<void> {
    const added = files.filter(({ kind }) => kind === 'file');
    const known = await baselineWriter.add({ folderId: id, files: added, at: clock.now() });
    if (!isRunning) return;
    const left = known && new Set(known);
    const isLeft = ({ kind, path }: DiscoveredFile) => !left || kind !== 'file' || left.has(path);
    for (const file of files) {
      if (isLeft(file)) continue;
      unseen.delete(file.path);
      onFile(file.path);
    }
    writeQueue.addNext(batchSteps(files.filter(isLeft), unlessStopped(onDiscovered)));
  }

  function onManyDiscovered(files: readonly DiscoveredFile[]): void | Promise<void> {
    if (!isRunning) return;
    const { baselineStage, settings } = folder();
    // A hold ends with a write of this connection.
    const isHeld = writes.heldSince() !== null;
    if (baselineStage === 'scanning' && !isHeld && !ownResults.existIn(settings.path)) return addInThread(files);
    const [first, ...others] = batchSteps(files, unlessStopped(onDiscovered));
    first?.();
    writeQueue.addNext(others);
  }

  function onDeleted(paths: readonly string[]): void {
    for (const path of paths) {
      const record = writer.find(path);
      if (!record?.isPresent) continue;
      waits.delete(path);
      preparing.delete(path);
      if (isAtGate(record)) upsert(path, { isPresent: false, stage: 'rest' });
      else {
        records.updateInPlace(id, path, { isPresent: false });
        followup.onFileDeleted(record);
        onFile(path);
      }
    }
  }

  function onScanned(): void {
    inBatches([...unseen], unlessStopped(onDeleted));
    unseen.clear();
    void baselineWriter.release();
    whileRunning(() => {
      setState({ checkedAt: clock.now() });
      baselineQuestion.onScanned();
    });
  }

  function onJobChange(record: FileRecord, job: Job): void {
    if (record.decision === 'job') onFile(record.path);
    followup.onJobChange(record, job);
  }

  /** Handles jobs that ended while the folder was not watched, and schedules due retries. */
  function resumeOpenRecords(): void {
    for (const record of records.listOpen(id)) {
      if (record.nextTryAt !== null) followup.scheduleRetry(record.path, record.nextTryAt);
      const job = record.jobId === null ? undefined : jobs.find(record.jobId);
      if (job) onJobChange(record, job);
    }
    rechecks.atStart();
  }

  function convertOne(path: string): void {
    const record = writer.find(path);
    if (!record || record.decision === 'link') return;
    const job = record.jobId === null ? undefined : jobs.find(record.jobId);
    if (record.decision === 'job' && job && !hasEnded(job)) return;
    if (record.decision === 'job' && job && job.state !== 'done') followup.retryNow(record, job);
    else if (record.disposalState === 'stays' && job) {
      followup.startDisposal(upsert(path, { disposalState: 'pending', stage: 'open', problem: null }), job);
    } else {
      // Only what was wrong outside of the file is tried again: all else is decided as for any file.
      const isRetry = record.decision === 'refused' && isPassing(record);
      if (isRetry) voices.forget();
      recheck(path, isRetry ? {} : { isForced: true });
      awaitStable([path]);
    }
  }

  function start(): void {
    const now = folder();
    if (now.isPaused) {
      setState({ mode: 'paused', problems: [] });
      return;
    }
    if (!folders.acquireLease(id)) {
      setState({ mode: 'elsewhere', problems: [{ code: 'watch/elsewhere', facts: { folder: now.settings.path } }] });
      return;
    }
    isRunning = true;
    setState({ mode: 'starting', problems: [] });
    for (const path of records.listUnsettled(id)) unseen.add(path);
    scanner.watch(rootOf(now));
    resumeOpenRecords();
  }

  /** Drops events that arrived before `stop`. */
  const unlessStopped =
    <T>(decide: (batch: readonly T[]) => void) =>
    (batch: readonly T[]) => {
      if (isRunning) decide(batch);
    };
  /** Also drops it once the folder is watched again: not all that came before it may have been decided about. */
  const whileRunning = (decide: () => void) => {
    const before = stops;
    writeQueue.add(() => {
      if (isRunning && stops === before) decide();
    });
  };

  /** The voice that the subfolder of a file is named after; null for the folder's. Throws the reason if there is none. */
  async function namedVoice(path: string): Promise<Voice | null> {
    const { hasSubfolderVoices, connectionId } = folder().settings;
    if (!hasSubfolderVoices || dirname(path) === '.') return null;
    try {
      return (await voices.find(connectionId, path)) ?? null;
    } catch (error) {
      // The user's own request is then for the folder's voice.
      if (error instanceof AppError && isUnnamed(error.problem) && writer.find(path)?.isForced === true) return null;
      throw error;
    }
  }

  function acceptStable(file: StableFile): void {
    const { path, text } = file;
    const { hasSubfolderVoices, speech } = folder().settings;
    const isSpoken = text !== null && speech !== null;
    if (!isSpoken && (!hasSubfolderVoices || dirname(path) === '.')) {
      intake.onStable(file, { voice: null, text: null });
      return;
    }
    // Meanwhile the file may change, or the folder be watched with other settings.
    preparing.set(path, file);
    const isCurrent = () => isRunning && preparing.get(path) === file;
    const preparedFor = folder();
    const accept = (prepared: PreparedFile) =>
      whileRunning(() => {
        if (!isCurrent()) return;
        preparing.delete(path);
        // Another process changed the settings.
        if (!isDeepStrictEqual(folder().settings, preparedFor.settings)) acceptStable(file);
        else intake.onStable(file, prepared);
      });
    async function prepare(): Promise<void> {
      const voice = await namedVoice(path);
      if (!isCurrent()) return;
      const spokenBy = voice ? withVoice(preparedFor, voice) : preparedFor;
      const record = writer.find(path);
      if (!record) return;
      accept({ voice, text: isSpoken ? await prepareText(spokenBy, file, record, text) : null });
    }
    void prepare().catch((error: unknown) => {
      const problem: Problem = error instanceof AppError ? error.problem : { code: 'internal' };
      if (problem.code === 'internal') onDefect(error);
      accept({ problem });
    });
  }

  return {
    state: () =>
      writes.heldSince() === null ? state : { ...state, problems: [...state.problems, { code: 'data/not-writable' }] },
    wait: (path) => waits.get(path),
    start,
    stop() {
      if (isRunning) {
        scanner.unwatch(id);
        isRunning = false;
        stops += 1;
        // The folder may be watched again before the database is writable.
        writes.defer(() => {
          if (!isRunning) folders.releaseLease(id);
        });
      }
      void baselineWriter.release();
      forgetWaits();
      preparing.clear();
      unseen.clear();
      baselineQuestion.stop();
      followup.stop();
    },
    onScannerEvent(event) {
      if (!isRunning) return;
      switch (event.kind) {
        case 'status':
          if (event.status.mode === 'offline') forgetWaits();
          else if (state.mode === 'offline') {
            rechecks.onRootBack();
            followup.onRootBack();
          }
          setState(event.status);
          return;
        case 'discovered': {
          const { files } = event;
          if (files.length < minInThread) inBatches(files, unlessStopped(onDiscovered));
          else writeQueue.add(() => onManyDiscovered(files));
          return;
        }
        case 'deleted':
          inBatches(event.paths, unlessStopped(onDeleted));
          return;
        case 'scanned':
          whileRunning(onScanned);
          return;
        case 'waiting':
          waits.set(event.path, event.wait);
          onFile(event.path);
          return;
        case 'stable':
          waits.delete(event.file.path);
          whileRunning(() => acceptStable(event.file));
          return;
        case 'rejected':
          waits.delete(event.path);
          whileRunning(() => intake.onRejected(event.path, event.signature, event.problem));
          return;
        case 'durations':
          inBatches(event.files, baselineQuestion.onDurations);
      }
    },
    onJobChange,
    onJobRemoved({ path, stage }) {
      if (stage === 'attention') upsert(path, { stage: 'rest' });
    },
    convert: (paths) => inBatches(paths, (batch) => batch.forEach(convertOne)),
    answerBaseline: baselineQuestion.answer,
    tick(now) {
      // The other process may have ended.
      if (!isRunning && state.mode === 'elsewhere' && folders.acquireLease(id)) start();
      if (!isRunning) return;
      followup.tick(now);
      rechecks.tick(now);
    },
  };
}
