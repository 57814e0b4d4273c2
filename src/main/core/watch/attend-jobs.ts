import { basename, join } from 'node:path';
import type { Problem } from '../../../shared/problem.ts';
import type { Clock } from '../clock.ts';
import type { Job } from '../jobs/job.ts';
import type { FileDesk } from './file-desk.ts';
import type { FileLine } from './file-line.ts';
import { judgeJob } from './judge-job.ts';
import type { Ledger } from './ledger.ts';
import { endSource } from './source-end.ts';

/** What comes of the jobs of one folder: another try, quarantine, or the end of the original. */
export interface AttendJobs {
  /** The job of a line is news. */
  hear(line: FileLine, job: Job): void;
  /** Begins the job of a line again at this time. */
  retryAt(path: string, at: number): void;
  retryNow(path: string, jobId: string): void;
  /** Does with an original what the folder says, once its result is verified. */
  endSource(line: FileLine, job: Job): void;
  tick(now: number): void;
  stop(): void;
}

/** Originals that are being moved or thrown away, by folder and path. It outlives whoever began that. */
export type Endings = Map<string, Promise<void>>;

interface Dependencies {
  readonly desk: FileDesk;
  readonly ledger: Ledger;
  readonly endings: Endings;
  readonly clock: Pick<Clock, 'now'>;
  /** Sends a file to the gate again. */
  consider(path: string): void;
  retryJob(id: string): void;
  trash(path: string): Promise<void>;
  onDefect(error: unknown): void;
}

export function createAttendJobs(dependencies: Dependencies): AttendJobs {
  const { desk, ledger, endings, clock, consider, retryJob, trash, onDefect } = dependencies;
  const { id, put } = desk;
  const retries = new Map<string, number>();

  async function end({ path }: FileLine, job: Job): Promise<void> {
    const { settings } = desk.folder();
    const { afterwards } = settings;
    if (job.kind !== 'conversion' || afterwards === 'keep') {
      put(path, { sourceEnd: null, standing: 'rest' });
      return;
    }
    try {
      const root = settings.path;
      const movedTo = await endSource({ job, path: join(root, path), root, afterwards, trash });
      const sourceEnd = afterwards === 'done' ? 'moved' : 'trashed';
      put(path, { sourceEnd, movedTo, isThere: false, standing: 'rest' });
    } catch (error) {
      onDefect(error);
      const problem: Problem = { code: 'watch/source-stays', facts: { name: basename(path) } };
      put(path, { sourceEnd: 'stays', problem, standing: 'attention' });
    }
  }

  function beginEnd(line: FileLine, job: Job): void {
    const key = join(id, line.path);
    if (endings.has(key)) return;
    const ending = end(line, job)
      .catch(onDefect)
      .finally(() => endings.delete(key));
    endings.set(key, ending);
  }

  return {
    hear(line, job) {
      const { path } = line;
      const judgement = judgeJob(job, line);
      switch (judgement.kind) {
        case 'nothing':
          return;
        case 'open':
          retries.delete(path);
          put(path, { standing: 'open', nextTryAt: null });
          return;
        case 'done':
          if (line.sourceEnd === 'pending' && line.isThere) beginEnd(line, job);
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
          // It was never sent: nothing was paid for it.
          ledger.giveBack(id, job.id);
          desk.toGate(path, { jobId: null, sha256: null });
          consider(path);
      }
    },
    retryAt: (path, at) => void retries.set(path, at),
    retryNow(path, jobId) {
      retries.delete(path);
      put(path, { standing: 'open', failures: 0, nextTryAt: null });
      retryJob(jobId);
    },
    endSource: beginEnd,
    tick(now) {
      for (const [path, at] of retries) {
        if (at > now) continue;
        retries.delete(path);
        const line = desk.get(path);
        if (!line?.jobId || line.nextTryAt === null) continue;
        put(path, { nextTryAt: null });
        retryJob(line.jobId);
      }
    },
    stop: () => retries.clear(),
  };
}
