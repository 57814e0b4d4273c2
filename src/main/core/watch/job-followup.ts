import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError, type Problem } from '../../../shared/errors.ts';
import type { Clock } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import type { Job } from '../jobs/job.ts';
import { standingAt } from '../files/identity.ts';
import { checkRoot } from '../scanner/root-identity.ts';
import type { BatchWriter } from './batch-writer.ts';
import type { FileRecord } from './file-record.ts';
import type { FileStore, RecordChange } from './file-store.ts';
import { createStashedSources, disposeOfSource, hiddenSourcePathOf, type StashedSource } from './source-disposal.ts';
import { wasNeverSent, decideOnJobEnd } from './decisions.ts';
import type { Ledger } from './ledger.ts';

/** What comes of the jobs of one folder: another try, quarantine, or the end of the original. */
export interface JobFollowup {
  /** The job of a line is news: its own, or that of the sound that it has too. */
  hear(line: FileRecord, job: Job): void;
  /** Begins the job of a line again at this time. */
  retryAt(path: string, at: number): void;
  retryNow(path: string, jobId: string): void;
  /** A job could not be sent: its sound is free again, and what leant on it is looked at anew. */
  giveBack(job: Job): void;
  /** A file is gone: its copy is the one that was converted. */
  lose(line: FileRecord): void;
  /** Does with an original what the folder says, once its result is verified. */
  endSource(line: FileRecord, job: Job): void;
  tick(now: number): void;
  stop(): void;
}

/** Originals that are being moved or thrown away, by job. It outlives whoever began that. */
export type Disposals = Map<string, Promise<void>>;

interface Dependencies {
  readonly desk: BatchWriter;
  readonly database: DatabaseSync;
  readonly lines: Pick<FileStore, 'ofJob'>;
  readonly ledger: Ledger;
  readonly endings: Disposals;
  readonly writes: Pick<WriteGate, 'commit'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Sends a file to the gate again. */
  consider(path: string): void;
  job(id: string): Job | undefined;
  retryJob(id: string): void;
  trash(path: string): Promise<void>;
  onDefect(error: unknown): void;
}

const left = { isThere: false, standing: 'rest', problem: null } as const;
/** How often is asked whether an original has no name but a hidden one: a kill left it so, or a share that went away. */
const movesLookMs = 60_000;

export function createJobFollowup(dependencies: Dependencies): JobFollowup {
  const { desk, database, lines, ledger, endings, writes, clock, consider, retryJob, trash, onDefect } = dependencies;
  const { id, put } = desk;
  const moves = createStashedSources(database);
  const retries = new Map<string, number>();
  let movesLookAt = 0;

  /** Meanwhile the next recording may have got the name, and its line. */
  const tell = (path: string, job: Job, change: RecordChange): Promise<void> =>
    writes.commit(() => {
      const line = desk.get(path);
      if (line?.verdict === 'job' && line.jobId === job.id) put(path, change);
    });

  /** As `tell`, of an original that has left; one that was only touched meanwhile is at the gate. */
  async function tellLeft(root: string, path: string, job: Job, change: RecordChange): Promise<void> {
    const isNameFree = (await standingAt(join(root, path))) === null;
    await writes.commit(() => {
      if (isNameFree && desk.get(path)?.jobId === job.id) put(path, { ...left, verdict: 'job', ...change });
      // Its copies are no originals.
      for (const other of pendingOf(job)) put(other.path, { sourceEnd: null, standing: 'rest' });
    });
  }

  const isPending = (line: FileRecord, jobId: string): boolean =>
    line.verdict === 'job' && line.jobId === jobId && line.sourceEnd === 'pending';
  /** Lines of a job whose original is there and still to be moved or thrown away. */
  const pendingOf = (job: Job): readonly FileRecord[] =>
    lines.ofJob(job.id).filter((line) => line.folderId === id && line.isThere && isPending(line, job.id));

  async function end(path: string, job: Job): Promise<void> {
    const { settings, identity } = desk.folder();
    // What was begun is brought to its end, whatever the folder says by now.
    const afterwards = moves.has(job.id) ? 'done' : settings.afterwards;
    if (job.kind !== 'conversion' || afterwards === 'keep') {
      await tell(path, job, { sourceEnd: null, standing: 'rest' });
      return;
    }
    try {
      const root = settings.path;
      const outcome = await disposeOfSource({
        job,
        path: join(root, path),
        root,
        afterwards,
        trash,
        onHiding: () => writes.commit(() => moves.begin(id, { jobId: job.id, path })),
        onNamed: () => writes.commit(() => moves.end(job.id)),
      });
      if (outcome.kind === 'moved') await tellLeft(root, path, job, { sourceEnd: 'moved', movedTo: outcome.to });
      else if (outcome.kind === 'trashed') await tellLeft(root, path, job, { sourceEnd: 'trashed' });
      else if ((await checkRoot(root, identity)) === 'there') {
        await tell(path, job, left);
        // It may have got another name meanwhile, and whoever saw that found this end begun.
        for (const other of pendingOf(job)) await end(other.path, job);
      } else throw new AppError('watch/missing', `${root} went away`, { facts: { folder: root } });
    } catch (error) {
      onDefect(error);
      const problem: Problem = { code: 'watch/source-stays', facts: { name: basename(path) } };
      await tell(path, job, { sourceEnd: 'stays', problem, standing: 'attention' });
    }
  }

  function begin(jobId: string, work: () => Promise<void>): void {
    if (endings.has(jobId)) return;
    const ending = work()
      .catch(onDefect)
      .finally(() => endings.delete(jobId));
    endings.set(jobId, ending);
  }

  const beginEnd = (path: string, job: Job) => begin(job.id, () => end(path, job));

  async function goOn({ jobId, path }: StashedSource): Promise<void> {
    const { settings, identity } = desk.folder();
    if ((await checkRoot(settings.path, identity)) !== 'there') return;
    const job = dependencies.job(jobId);
    const isHidden = (await standingAt(hiddenSourcePathOf(jobId, join(settings.path, path)))) !== null;
    if (!isHidden) await writes.commit(() => moves.end(jobId));
    const line = desk.get(path);
    if (job && (isHidden || (line && isPending(line, jobId)))) await end(path, job);
  }

  /** To the gate again, where there is still something to look at; what is gone is looked at when it comes back. */
  function lookAgain({ path, isThere }: FileRecord): void {
    const standing = isThere ? 'open' : 'rest';
    desk.toGate(path, { isThere, standing, jobId: null, sha256: null, sameAs: null });
    if (isThere) consider(path);
  }

  /** It was never sent: nothing was paid for it, and what has the same sound is not converted either. */
  function giveBack(job: Job): void {
    // Only what was read before is in the ledger.
    if (job.kind === 'conversion' && job.source.sha256 !== undefined) ledger.giveBack(id, job.source.sha256, job.id);
    for (const line of lines.ofJob(job.id)) {
      if (line.folderId === id && (line.verdict === 'same-sound' || line.verdict === 'other-settings')) lookAgain(line);
    }
  }

  return {
    hear(line, job) {
      const { path } = line;
      if (line.verdict !== 'job') {
        // It is at the gate by now, or another one was there first.
        if (wasNeverSent(job)) giveBack(job);
        return;
      }
      const judgement = decideOnJobEnd(job, line);
      switch (judgement.kind) {
        case 'nothing':
          return;
        case 'open':
          retries.delete(path);
          put(path, { standing: 'open', nextTryAt: null });
          return;
        case 'done':
          if (line.sourceEnd === 'pending') beginEnd(path, job);
          else put(path, { standing: 'rest', failures: 0 });
          return;
        case 'cancelled':
          put(path, { standing: 'rest' });
          return;
        case 'uncertain':
          put(path, { standing: 'attention' });
          return;
        case 'quarantine':
          put(path, { standing: 'attention', failures: judgement.failures });
          return;
        case 'retry': {
          const at = clock.now() + judgement.afterMs;
          retries.set(path, at);
          put(path, { failures: judgement.failures, nextTryAt: at });
          return;
        }
        case 'look-again':
          giveBack(job);
          lookAgain(line);
      }
    },
    retryAt: (path, at) => void retries.set(path, at),
    retryNow(path, jobId) {
      retries.delete(path);
      put(path, { standing: 'open', failures: 0, nextTryAt: null });
      retryJob(jobId);
    },
    giveBack,
    lose({ path, jobId }) {
      if (jobId === null) return;
      const copies = lines.ofJob(jobId).filter((line) => line.folderId === id && line.verdict === 'same-sound');
      for (const copy of copies) if (copy.sameAs === path && copy.isThere) lookAgain(copy);
    },
    endSource: ({ path }, job) => beginEnd(path, job),
    tick(now) {
      if (now >= movesLookAt) {
        movesLookAt = now + movesLookMs;
        for (const move of moves.ofFolder(id)) begin(move.jobId, () => goOn(move));
      }
      for (const [path, at] of retries) {
        if (at > now) continue;
        const line = desk.get(path);
        if (line?.jobId && line.nextTryAt !== null) {
          retryJob(line.jobId);
          put(path, { nextTryAt: null });
        }
        retries.delete(path);
      }
    },
    stop() {
      retries.clear();
      movesLookAt = 0;
    },
  };
}
