import { problemKinds, problemText, type Messages, type ProblemAction } from '../../../../shared/messages/index.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { JobInfo, JobProgress } from '../../../../shared/wire/job.ts';

export type JobAction = ProblemAction | 'leave';

/** A row of the list in words and shares, ready to be drawn. */
export interface JobView {
  /** `run` and `done` have metal, `wait` is at rest, `bad` and `ask` need a person, `calm` is over. */
  readonly tone: 'run' | 'wait' | 'done' | 'bad' | 'ask' | 'calm';
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

/** What a row says of its job. */
export function viewOf(job: JobInfo, { progress, isNext, now, messages }: Circumstances): JobView {
  const words = messages.job;
  const transfer = (direction: JobProgress['direction']) => (progress?.direction === direction ? progress : undefined);

  switch (job.state) {
    case 'queued':
      return { ...plain, tone: 'wait', words: words.waiting, more: isNext ? words.next : '', sent: 0 };
    case 'creating':
    case 'created':
      return { ...plain, tone: 'run', words: words.starting, sent: 0 };
    case 'uploading': {
      const upload = transfer('upload');
      return { ...plain, tone: 'run', words: words.uploading, more: bytesOf(upload, messages), sent: shareOf(upload) };
    }
    case 'uploaded':
      return { ...plain, tone: 'run', words: words.uploaded };
    case 'converting':
      return {
        ...plain,
        tone: 'run',
        words: words.converting,
        more: words.soFar(Math.max(0, now() - job.since) / 1000),
      };
    case 'converted':
    case 'publishing': {
      const download = transfer('download');
      const isHere = download !== undefined && shareOf(download) === 1;
      const stage = job.state === 'publishing' && (isHere || !download) ? words.saving : words.downloading;
      return { ...plain, tone: 'run', words: stage, more: bytesOf(download, messages), made: shareOf(download) };
    }
    case 'done':
      return { ...plain, tone: 'done', words: words.done, more: messages.format.moment(job.since, now()), made: 1 };
    case 'cancelled': {
      const at = messages.format.moment(job.since, now());
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
