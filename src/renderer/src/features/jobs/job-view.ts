import { problemKinds, problemText, type Messages, type ProblemAction } from '../../../../shared/messages/index.ts';
import type { Problem } from '../../../../shared/errors.ts';
import type { JobInfo, JobProgress, PauseReason } from '../../../../shared/schemas/job.ts';
import { isRunning } from './jobs.svelte.ts';
import { roughly, secondsLeft } from '../../../../shared/time-left.ts';

export type JobAction = ProblemAction | 'leave';

/** A row of the list in words and shares, ready to be drawn. */
export interface JobView {
  /**
   * `run` and `done` have metal, `wait` is at rest, `later` failed and is tried again by itself, `bad` and `ask` need a person, `calm`
   * is over.
   */
  readonly tone: 'run' | 'wait' | 'later' | 'done' | 'bad' | 'ask' | 'calm';
  readonly words: string;
  readonly more: string;
  /** What the service said, in its own words. */
  readonly said: string | null;
  /** How much of the original has been sent and of the result has come, 0..1. */
  readonly sent: number;
  readonly made: number;
  readonly actions: readonly JobAction[];
}

interface Circumstances {
  readonly progress: JobProgress | undefined;
  /** Will be worked before all others that wait. */
  readonly isNext: boolean;
  /** What holds it up while nobody works on it. */
  readonly held: PauseReason | null;
  /** Seconds of work that a second of sound costs on its connection. */
  readonly pace: number | null;
  /** Milliseconds since 1970; asked only where elapsed time is told. */
  readonly now: () => number;
  readonly messages: Messages;
}

const shareOf = (progress: JobProgress | undefined): number =>
  progress?.totalBytes ? Math.min(1, progress.doneBytes / progress.totalBytes) : 0;

function bytesOf(progress: JobProgress | undefined, { job }: Messages): string {
  if (!progress) return '';
  const { doneBytes, totalBytes } = progress;
  return totalBytes === null ? job.bytesSoFar(doneBytes) : job.ofBytes(doneBytes, totalBytes);
}

const plain = { more: '', said: null, sent: 1, made: 0, actions: [] } as const;

function problemView(tone: 'bad' | 'ask' | 'calm', problem: Problem, messages: Messages): JobView {
  const { title, advice } = problemText(messages, problem);
  const { actions } = problemKinds[problem.code];
  return { ...plain, tone, words: title, more: advice, said: problem.words ?? null, actions };
}

/** A job that nobody works on just now: what comes next, and what it waits for. */
function restView(job: JobInfo, { held, isNext, now, messages }: Circumstances): JobView {
  const { queue, job: words, format } = messages;
  const stages: Readonly<Partial<Record<JobInfo['state'], string>>> = {
    created: queue.uploadsNext,
    uploaded: queue.convertsNext,
    converted: queue.savesNext,
  };
  const stage = stages[job.state];
  const rest = { ...plain, tone: 'wait', sent: job.state === 'queued' || job.state === 'created' ? 0 : 1 } as const;
  if (held === 'person') return { ...rest, words: queue.person.title, more: stage ?? '' };
  if (held !== null) return { ...rest, words: words.waiting, more: queue.waitsFor[held] };
  if (job.nextTryAt !== null && job.problem) {
    const at = job.nextTryAt > now() ? format.appointment(job.nextTryAt, now()) : null;
    const { title } = problemText(messages, job.problem);
    const said = job.problem.words ?? null;
    return { ...rest, tone: 'later', words: title, more: queue.nextTry(at, job.attempts), said };
  }
  return { ...rest, words: stage ?? words.waiting, more: isNext ? words.next : '' };
}

function convertingView(job: JobInfo, { pace, now, messages }: Circumstances): JobView {
  const at = now();
  const left = secondsLeft(job, pace, at);
  const soFar = messages.job.soFar(Math.max(0, at - job.stateChangedAt) / 1000);
  const more = left === null ? soFar : `${soFar}, ${messages.queue.left(roughly(left))}`;
  const words = job.kind === 'speech' ? messages.job.speaking : messages.job.converting;
  return { ...plain, tone: 'run', words, more };
}

/** What a row says of its job. */
export function jobView(job: JobInfo, circumstances: Circumstances): JobView {
  const { progress, now, messages } = circumstances;
  const words = messages.job;
  const transfer = (direction: JobProgress['direction']) => (progress?.direction === direction ? progress : undefined);

  switch (job.state) {
    case 'queued':
    case 'created':
    case 'uploaded':
      return restView(job, circumstances);
    case 'creating':
      return { ...plain, tone: 'run', words: words.starting, sent: 0 };
    case 'uploading': {
      const upload = transfer('upload');
      return { ...plain, tone: 'run', words: words.uploading, more: bytesOf(upload, messages), sent: shareOf(upload) };
    }
    case 'converting':
      return convertingView(job, circumstances);
    case 'converted':
    case 'publishing': {
      if (!isRunning(job, progress)) return restView(job, circumstances);
      const download = transfer('download');
      const isHere = download !== undefined && shareOf(download) === 1;
      const stage = job.state === 'publishing' && (isHere || !download) ? words.saving : words.downloading;
      return { ...plain, tone: 'run', words: stage, more: bytesOf(download, messages), made: shareOf(download) };
    }
    case 'done':
      return {
        ...plain,
        tone: 'done',
        words: words.done,
        more: messages.format.moment(job.stateChangedAt, now()),
        made: 1,
      };
    case 'cancelled': {
      // What was cancelled too late is not simply tried again.
      if (job.problem) return { ...problemView('ask', job.problem, messages), actions: ['convert-again', 'leave'] };
      const at = messages.format.moment(job.stateChangedAt, now());
      return { ...plain, tone: 'calm', words: words.cancelled, more: at, sent: 0, actions: ['convert-again'] };
    }
    case 'failed':
      return problemView('bad', job.problem ?? { code: 'internal' }, messages);
    case 'uncertain': {
      const view = problemView('ask', job.problem ?? { code: 'service/uncertain' }, messages);
      return { ...view, actions: ['convert-again', 'leave'] };
    }
  }
}
