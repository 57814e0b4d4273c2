import { problemText } from '../../../../shared/messages/problem-text.ts';
import { problemHandling, type ProblemAction } from '../../../../shared/errors.ts';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { Problem } from '../../../../shared/errors.ts';
import { localConnectionId } from '../../../../shared/schemas/connection.ts';
import type { JobInfo, JobProgress, PauseReason, TransferProgress } from '../../../../shared/schemas/job.ts';
import { isRunning } from './jobs.svelte.ts';
import { roughly, secondsLeft } from '../../../../shared/time-left.ts';

export type JobAction = ProblemAction | 'leave';

/** What a row shows of its job. */
export interface JobView {
  /** `retrying` failed and is retried automatically; `error` and `needs-input` need the user; `idle` was cancelled. */
  readonly status: 'active' | 'pending' | 'retrying' | 'done' | 'error' | 'needs-input' | 'idle';
  readonly title: string;
  /** Progress, time, advice or what comes next; may be empty. */
  readonly detail: string;
  readonly serviceMessage: string | null;
  /** Share of the source that was sent, and of the result that was received, 0..1. */
  readonly sent: number;
  readonly received: number;
  readonly actions: readonly JobAction[];
}

interface Context {
  readonly progress: JobProgress | undefined;
  /** The first waiting job of the queue. */
  readonly isNext: boolean;
  /** The pause that applies to the job unless it is running. */
  readonly pauseReason: PauseReason | null;
  /** Processing time per second of sound on the job's connection; null if unknown. */
  readonly realTimeFactor: number | null;
  /** Milliseconds since 1970. A function, so that only rows that show a time update with the clock. */
  readonly now: () => number;
  readonly messages: Messages;
}

const shareOf = (progress: TransferProgress | undefined): number =>
  progress?.totalBytes ? Math.min(1, progress.doneBytes / progress.totalBytes) : 0;

function bytesText(progress: TransferProgress | undefined, { job: t, format }: Messages): string {
  if (!progress) return '';
  const { doneBytes, totalBytes } = progress;
  return totalBytes === null ? t.bytesSoFar({ done: doneBytes }) : t.ofBytes(format.bytesPair(doneBytes, totalBytes));
}

/** What the engine of this computer gets and returns stays here: nothing is uploaded. */
const isLocal = ({ connectionId }: JobInfo): boolean => connectionId === localConnectionId;

const base = { detail: '', serviceMessage: null, sent: 1, received: 0, actions: [] } as const;

function problemView(status: 'error' | 'needs-input', problem: Problem, messages: Messages): JobView {
  const { title, advice } = problemText(messages, problem);
  const { actions } = problemHandling[problem.code];
  return { ...base, status, title, detail: advice, serviceMessage: problem.words ?? null, actions };
}

/** A job that waits for another process, which makes a part of it. */
function elsewhereView(problem: Problem, messages: Messages): JobView {
  const { title, advice } = problemText(messages, problem);
  return { ...base, status: 'pending', title, detail: advice };
}

/** A job that is not running: what comes next, and what it waits for. */
function waitingView(job: JobInfo, { pauseReason, isNext, now, messages }: Context): JobView {
  const { queue, job: t, format } = messages;
  const nextSteps: Readonly<Partial<Record<JobInfo['state'], string>>> = {
    created: isLocal(job) ? queue.convertsNext : queue.uploadsNext,
    uploaded: queue.convertsNext,
    converted: queue.savesNext,
  };
  const nextStep = nextSteps[job.state];
  const sent = job.state === 'queued' || job.state === 'created' ? 0 : 1;
  const waiting = { ...base, status: 'pending', sent } as const;
  if (pauseReason === 'user') return { ...waiting, title: queue.user.title, detail: nextStep ?? '' };
  if (pauseReason !== null) return { ...waiting, title: t.waiting, detail: queue.waitsFor[pauseReason] };
  if (job.problem?.code === 'job/elsewhere') return elsewhereView(job.problem, messages);
  if (job.nextTryAt !== null && job.problem) {
    const { title } = problemText(messages, job.problem);
    const n = job.attempts;
    const detail =
      job.nextTryAt > now()
        ? queue.nextTry({ ...format.appointment(job.nextTryAt, now()), n })
        : queue.nextTrySoon({ n });
    return { ...waiting, status: 'retrying', title, detail, serviceMessage: job.problem.words ?? null };
  }
  return { ...waiting, title: nextStep ?? t.waiting, detail: isNext ? t.next : '' };
}

function convertingView(job: JobInfo, { progress, realTimeFactor, now, messages }: Context): JobView {
  if (job.problem?.code === 'job/elsewhere') return elsewhereView(job.problem, messages);
  if (progress?.direction === 'speech') {
    const { donePassages, passages } = progress;
    const detail = messages.job.ofSentences({ done: donePassages, total: passages });
    return { ...base, status: 'active', title: messages.job.speaking, detail, received: donePassages / passages };
  }
  const at = now();
  const left = secondsLeft(job, realTimeFactor, at);
  const elapsed = messages.job.soFar({ seconds: Math.max(0, at - job.stateChangedAt) / 1000 });
  const detail =
    left === null ? elapsed : messages.format.facts(elapsed, messages.queue.left({ seconds: roughly(left) }));
  const title = job.kind === 'speech' ? messages.job.speaking : messages.job.converting;
  return { ...base, status: 'active', title, detail };
}

/** What a row shows of its job. */
export function jobView(job: JobInfo, context: Context): JobView {
  const { progress, now, messages } = context;
  const { job: t, format } = messages;
  const transfer = (direction: TransferProgress['direction']) =>
    progress?.direction === direction && 'doneBytes' in progress ? progress : undefined;

  switch (job.state) {
    case 'queued':
    case 'created':
    case 'uploaded':
      return waitingView(job, context);
    case 'creating':
      return { ...base, status: 'active', title: t.starting, sent: 0 };
    case 'uploading': {
      const upload = transfer('upload');
      const detail = bytesText(upload, messages);
      const title = isLocal(job) ? t.starting : t.uploading;
      return { ...base, status: 'active', title, detail, sent: shareOf(upload) };
    }
    case 'converting':
      return convertingView(job, context);
    case 'converted':
    case 'publishing': {
      if (!isRunning(job, progress)) return waitingView(job, context);
      if (progress?.direction === 'speech') return { ...base, status: 'active', title: t.joining, received: 1 };
      const download = transfer('download');
      const received = shareOf(download);
      const isSaving = job.state === 'publishing' && (download === undefined || received === 1);
      const title = isSaving || isLocal(job) ? t.saving : t.downloading;
      return { ...base, status: 'active', title, detail: bytesText(download, messages), received };
    }
    case 'done': {
      const detail = format.stamp(job.stateChangedAt, now());
      return { ...base, status: 'done', title: t.done, detail, received: 1 };
    }
    case 'cancelled': {
      // A problem says that the paid call had been sent: converting again may cost once more, so it is no plain retry.
      if (job.problem) {
        return { ...problemView('needs-input', job.problem, messages), actions: ['convert-again', 'leave'] };
      }
      const detail = format.stamp(job.stateChangedAt, now());
      return { ...base, status: 'idle', title: t.cancelled, detail, sent: 0, actions: ['convert-again'] };
    }
    case 'failed':
      return problemView('error', job.problem ?? { code: 'internal' }, messages);
    case 'uncertain': {
      const view = problemView('needs-input', job.problem ?? { code: 'service/uncertain' }, messages);
      return { ...view, actions: ['convert-again', 'leave'] };
    }
  }
}
