import type { DatabaseSync } from 'node:sqlite';
import type { Problem } from '../../../shared/errors.ts';
import type { WatchMode, WatchWait } from '../../../shared/schemas/watch.ts';
import type { Clock } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { hasEnded, type Job, type JobSource } from '../jobs/job.ts';
import { createJobFollowup, type Disposals } from './job-followup.ts';
import type { Scanner, ScannerEvent, SeenFile, Signature } from '../scanner/scanner.ts';
import { createExistingFiles } from './existing-files.ts';
import { createBatchWriter, type WriteQueue } from './batch-writer.ts';
import type { FileRecord } from './file-record.ts';
import type { FileStore } from './file-store.ts';
import { type FolderStore, rootOf, type WatchFolder } from './folder-store.ts';
import { decideOnSeen } from './decisions.ts';
import type { Ledger } from './ledger.ts';
import { createRechecks, createFileIntake } from './file-intake.ts';

/** How a folder stands just now, beside what is on disk. */
export interface FolderWatcherState {
  readonly mode: WatchMode;
  readonly since: number;
  readonly problems: readonly Problem[];
  readonly checkedAt: number | null;
  readonly everySeconds: number;
  readonly isMeasured: boolean;
}

/** Whoever answers for one folder: decides about its files, and sees each through to its end. */
export interface FolderWatcher {
  state(): FolderWatcherState;
  wait(path: string): WatchWait | undefined;
  /** Begins, or goes on by new settings. */
  start(): void;
  /** Looks no more; what is at work goes on. */
  stop(): void;
  hear(news: ScannerEvent): void;
  hearJob(line: FileRecord, job: Job): void;
  /** A person took a job off the list: what it needed them for is over. */
  hearRemoved(line: FileRecord): void;
  convert(paths: readonly string[]): void;
  answerExisting(answer: 'convert' | 'leave'): void;
  /** Once a second: what has to be tried again. */
  tick(now: number): void;
}

export interface FolderWatcherDependencies {
  readonly id: string;
  readonly database: DatabaseSync;
  readonly clock: Pick<Clock, 'now'>;
  readonly eyes: Scanner;
  readonly folders: FolderStore;
  readonly lines: FileStore;
  readonly ledger: Ledger;
  readonly endings: Disposals;
  readonly work: WriteQueue;
  readonly writes: Pick<WriteGate, 'heldSince' | 'commit' | 'defer'>;
  job(id: string): Job | undefined;
  /** Makes a job of a recording by the folder's settings. Throws `connection/not-found`. */
  addJob(folder: WatchFolder, source: JobSource): Job;
  retryJob(id: string): void;
  trash(path: string): Promise<void>;
  onFile(path: string): void;
  onFolder(): void;
  onDefect(error: unknown): void;
  /** A command cannot be asked about what was there before. */
  readonly answer: 'ask' | 'convert' | 'leave';
}

export function createFolderWatcher(dependencies: FolderWatcherDependencies): FolderWatcher {
  const { id, clock, eyes, folders, lines, work, writes, onFile, onFolder } = dependencies;
  const desk = createBatchWriter(dependencies);
  const { folder, put, toGate, inSlices } = desk;
  const jobs = createJobFollowup({ ...dependencies, desk, consider: (path) => consider([path]) });
  const passing = createFileIntake({ ...dependencies, desk, jobs });
  const again = createRechecks({ ...dependencies, desk, consider });
  const existing = createExistingFiles({
    ...dependencies,
    desk,
    isRunning: () => isRunning,
    onMeasured: (isMeasured) => set({ isMeasured }),
  });
  const waits = new Map<string, WatchWait>();
  /** Files that are not settled and that nobody has seen since it began: after the first look over everything they are not there. */
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

  function set(change: Partial<FolderWatcherState>): void {
    const since = change.mode !== undefined && change.mode !== state.mode ? clock.now() : state.since;
    state = { ...state, since, ...change };
    onFolder();
  }

  /** What is at the gate is told gone, and not seen. */
  function consider(paths: readonly string[]): void {
    for (const path of paths) unseen.delete(path);
    if (paths.length > 0) eyes.awaitStable(id, paths);
  }

  const isLeftAlone = (path: string, signature: Signature) => lines.isLeftAlone(id, path, signature);

  function see(files: readonly SeenFile[]): void {
    const { existing } = folder();
    const considered: string[] = [];
    for (const seen of files) {
      const { path, signature } = seen;
      unseen.delete(path);
      const isSettled = existing === 'scanning' ? desk.leave : isLeftAlone;
      if (seen.kind === 'file' && isSettled(path, signature)) continue;
      const line = desk.get(path);
      const wasBefore = !line && existing !== 'scanning' && lines.wasBefore(id, signature);
      const judgement = decideOnSeen(seen, line, { existing, wasBefore });
      if (judgement === 'known') continue;
      if (judgement === 'touch') lines.touch(id, path, { signature, isThere: true });
      else if (judgement === 'consider') {
        // What a person asked for stays asked for; a new content of a converted file is nobody's wish yet.
        toGate(path, { signature, isForced: line?.verdict === 'waiting' && line.isForced, movedTo: null });
        considered.push(path);
      } else if (judgement === 'before') {
        desk.leave(path, signature);
        // Nobody is asked about what would have to be fetched first.
        if (seen.kind === 'placeholder') lines.touch(id, path, { isThere: false });
      } else put(path, { signature, verdict: judgement, standing: 'rest', isThere: true }, line ?? null);
    }
    consider(considered);
  }

  function lose(paths: readonly string[]): void {
    for (const path of paths) {
      const line = desk.get(path);
      if (!line?.isThere) continue;
      waits.delete(path);
      if (line.verdict === 'waiting' || line.verdict === 'budget') put(path, { isThere: false, standing: 'rest' });
      else {
        lines.touch(id, path, { isThere: false });
        jobs.lose(line);
        onFile(path);
      }
    }
  }

  function endScan(): void {
    inSlices([...unseen], unlessStopped(lose));
    unseen.clear();
    later(() => {
      set({ checkedAt: clock.now() });
      existing.hearScanned();
    });
  }

  function hearJob(line: FileRecord, job: Job): void {
    if (line.verdict === 'job') onFile(line.path);
    jobs.hear(line, job);
  }

  /** What ended while nobody watched, and what waits for a time. */
  function takeStock(): void {
    for (const line of lines.open(id)) {
      if (line.nextTryAt !== null) jobs.retryAt(line.path, line.nextTryAt);
      const job = line.jobId === null ? undefined : dependencies.job(line.jobId);
      if (job) hearJob(line, job);
    }
    again.atStart();
  }

  function convertOne(path: string): void {
    const line = desk.get(path);
    if (!line || line.verdict === 'link') return;
    const job = line.jobId === null ? undefined : dependencies.job(line.jobId);
    if (line.verdict === 'job' && job && !hasEnded(job)) return;
    if (line.verdict === 'job' && job && job.state !== 'done') jobs.retryNow(path, job.id);
    else if (line.sourceEnd === 'stays' && job) {
      jobs.endSource(put(path, { sourceEnd: 'pending', standing: 'open', problem: null }), job);
    } else {
      toGate(path, { isForced: true });
      consider([path]);
    }
  }

  function start(): void {
    const now = folder();
    if (now.isPaused) {
      set({ mode: 'paused', problems: [] });
      return;
    }
    if (!folders.own(id)) {
      set({ mode: 'elsewhere', problems: [{ code: 'watch/elsewhere', facts: { folder: now.settings.path } }] });
      return;
    }
    isRunning = true;
    set({ mode: 'starting', problems: [] });
    for (const path of lines.unsettled(id)) unseen.add(path);
    eyes.watch(rootOf(now));
    takeStock();
  }

  /** What was told before it stopped is not judged any more. */
  const unlessStopped =
    <T>(judge: (some: readonly T[]) => void) =>
    (some: readonly T[]) => {
      if (isRunning) judge(some);
    };
  const later = (judge: () => void) =>
    work.add(() => {
      if (isRunning) judge();
    });

  return {
    state: () =>
      writes.heldSince() === null ? state : { ...state, problems: [...state.problems, { code: 'data/not-writable' }] },
    wait: (path) => waits.get(path),
    start,
    stop() {
      if (isRunning) {
        eyes.unwatch(id);
        isRunning = false;
        // It may be watched again before the database can be written.
        writes.defer(() => {
          if (!isRunning) folders.disown(id);
        });
      }
      waits.clear();
      unseen.clear();
      existing.stop();
      jobs.stop();
    },
    hear(news) {
      if (!isRunning) return;
      switch (news.kind) {
        case 'sight':
          if (state.mode === 'offline' && news.sight.mode !== 'offline') again.whenBack();
          set(news.sight);
          return;
        case 'seen':
          inSlices(news.files, unlessStopped(see));
          return;
        case 'gone':
          inSlices(news.paths, unlessStopped(lose));
          return;
        case 'scanned':
          later(endScan);
          return;
        case 'waiting':
          waits.set(news.path, news.wait);
          onFile(news.path);
          return;
        case 'ready':
          waits.delete(news.file.path);
          later(() => passing.ready(news.file));
          return;
        case 'refused':
          waits.delete(news.path);
          later(() => passing.refused(news.path, news.signature, news.problem));
          return;
        case 'measured':
          inSlices(news.files, existing.takeLengths);
      }
    },
    hearJob,
    hearRemoved({ path, standing }) {
      if (standing === 'attention') put(path, { standing: 'rest' });
    },
    convert: (paths) => inSlices(paths, (some) => some.forEach(convertOne)),
    answerExisting: existing.answer,
    tick(now) {
      // Whoever watched it may be gone.
      if (state.mode === 'elsewhere' && folders.own(id)) start();
      if (!isRunning) return;
      jobs.tick(now);
      again.tick(now);
    },
  };
}
