import { problemKinds, type Messages, type ProblemAction } from '../../../../shared/messages/index.ts';
import type { Problem } from '../../../../shared/errors.ts';
import type { JobInfo, JobProgress, JobState, PauseReason } from '../../../../shared/schemas/job.ts';
import type { WatchedFile, WatchWait } from '../../../../shared/schemas/watch.ts';
import { truncateMiddle } from '../../lib/truncate.ts';
import { watchedProblemText } from './watch-labels.ts';
import { jobView } from '../jobs/job-view.ts';

export type FileAction = 'convert' | 'convert-anyway' | 'convert-again' | 'retry' | 'leave' | 'show-file' | 'edit';

export type FileIcon =
  | 'writing'
  | 'waiting'
  | 'converting'
  | 'done'
  | 'same'
  | 'before'
  | 'again'
  | 'own'
  | 'link'
  | 'cloud'
  | 'budget'
  | 'cancelled'
  | 'warn'
  | 'bad'
  | 'ask';

/** A row of the table: what happened to a file, why, and what a person can do. */
export interface FileView {
  readonly icon: FileIcon;
  readonly tone: 'rest' | 'run' | 'done' | 'warn' | 'bad';
  readonly words: string;
  /** What to do about it, or what comes next; empty where the words are enough. */
  readonly more: string;
  /** What the service said, in its own words. */
  readonly said: string | null;
  readonly actions: readonly FileAction[];
  /** How much of the original was sent and of the result has come, 0..1. */
  readonly sent: number;
  readonly made: number;
  /** When it came to this, in milliseconds since 1970; null for what goes on now. */
  readonly at: number | null;
}

export interface Circumstances {
  readonly progress: JobProgress | undefined;
  readonly held: PauseReason | null;
  /** Milliseconds since 1970; asked only where elapsed time is told. */
  readonly now: () => number;
  readonly messages: Messages;
}

const plain = { tone: 'rest', more: '', said: null, actions: [], sent: 1, made: 0 } as const;

/** What a person sees of a conversion: it is taken, sent, converted, brought home. */
const steps: Readonly<Partial<Record<JobState, number>>> = {
  creating: 1,
  created: 1,
  uploading: 2,
  uploaded: 2,
  converting: 3,
  converted: 4,
  publishing: 4,
};
const lastStep = 4;

/** What is offered for a problem of a watched file: voice and folder are those of the watched folder. */
const actionOf: Readonly<Record<ProblemAction, FileAction>> = {
  retry: 'retry',
  'convert-again': 'convert-again',
  'show-file': 'show-file',
  'choose-voice': 'edit',
  'choose-folder': 'edit',
};
const actionsFor = ({ code }: Problem): readonly FileAction[] => [
  ...new Set(problemKinds[code].actions.map((action) => actionOf[action])),
];

/** It is looked at again by itself when it changes, so trying again is not offered; converting it all the same sometimes is. */
function refusedActions(problem: Problem): readonly FileAction[] {
  switch (problem.code) {
    case 'watch/length-open':
      return ['convert-anyway'];
    case 'watch/length-unknown':
    case 'watch/too-long':
      return ['convert', 'edit'];
    default:
      return actionsFor(problem).filter((action) => action !== 'retry');
  }
}

function textOf(problem: Problem, messages: Messages): Pick<FileView, 'words' | 'more' | 'said'> {
  const { title, advice } = watchedProblemText(problem, messages);
  return { words: `${title}.`, more: advice, said: problem.words ?? null };
}

function waitView(wait: WatchWait, { watch: { file: t } }: Messages): Pick<FileView, 'icon' | 'words'> {
  switch (wait.kind) {
    case 'quiet':
      return { icon: 'writing', words: t.quiet(wait.sizeBytes, wait.quietSeconds, wait.neededSeconds) };
    case 'writer':
      return { icon: 'writing', words: t.writer(wait.sizeBytes, wait.program) };
    case 'reading':
      return { icon: 'waiting', words: t.reading };
    case 'budget':
      return { icon: 'budget', words: t.budget(wait.usedMinutes, wait.limitMinutes) };
    case 'turn':
      return { icon: 'waiting', words: t.turn };
  }
}

function endView(job: JobInfo, file: WatchedFile, { messages }: Circumstances): FileView | null {
  const { file: t } = messages.watch;
  switch (job.state) {
    case 'done': {
      const seconds = (job.stateChangedAt - file.stateChangedAt) / 1000;
      const words = seconds >= 0.5 ? t.convertedIn(seconds) : t.converted;
      const done = { ...plain, icon: 'done', tone: 'done', made: 1, at: job.stateChangedAt } as const;
      return file.movedTo === null
        ? { ...done, words }
        : { ...done, words: `${words}.`, more: t.movedTo(truncateMiddle(file.movedTo)) };
    }
    case 'cancelled':
      return {
        ...plain,
        icon: 'cancelled',
        words: t.cancelled,
        actions: ['convert-again'],
        sent: 0,
        at: job.stateChangedAt,
      };
    case 'failed': {
      const problem = job.problem ?? { code: 'internal' };
      const actions = actionsFor(problem);
      return { ...plain, ...textOf(problem, messages), icon: 'bad', tone: 'bad', actions, at: job.stateChangedAt };
    }
    case 'uncertain': {
      const text = textOf(job.problem ?? { code: 'service/uncertain' }, messages);
      return {
        ...plain,
        ...text,
        icon: 'ask',
        tone: 'warn',
        actions: ['convert-again', 'leave'],
        at: job.stateChangedAt,
      };
    }
    default:
      return null;
  }
}

function viewOfJob(job: JobInfo, file: WatchedFile, circumstances: Circumstances): FileView {
  const end = endView(job, file, circumstances);
  if (end) return end;
  const { messages, progress, held, now } = circumstances;
  const { file: t } = messages.watch;
  const view = jobView(job, { progress, held, isNext: false, pace: null, now, messages });
  const step = steps[job.state];
  const isWaiting = view.tone === 'wait' || view.tone === 'later';
  const stage = job.state === 'queued' && held === null && view.tone === 'wait' ? t.queued : view.words;
  const words = [step === undefined ? stage : t.step(stage, step, lastStep), view.more];
  return {
    ...plain,
    icon: isWaiting ? 'waiting' : 'converting',
    tone: isWaiting ? 'rest' : 'run',
    words: words.filter((part) => part !== '').join(', '),
    said: view.said,
    sent: view.sent,
    made: view.made,
    at: null,
  };
}

/** What a row says of its file. `job` is how it stands just now, where it is one. */
export function fileView(file: WatchedFile, job: JobInfo | null, circumstances: Circumstances): FileView {
  const { messages, now } = circumstances;
  const { file: t } = messages.watch;
  const { state, stateChangedAt: at } = file;
  switch (state.kind) {
    case 'waiting':
      return { ...plain, ...waitView(state.wait, messages), at: state.wait.kind === 'budget' ? at : null };
    case 'job':
      // A job that was taken off the list was over before.
      return job
        ? viewOfJob(job, file, circumstances)
        : { ...plain, icon: 'done', tone: 'done', words: t.converted, at };
    case 'retrying': {
      const next = state.at > now() ? messages.format.appointment(state.at, now()) : null;
      const more = t.retrying(next, state.failures);
      return { ...plain, ...textOf(state.problem, messages), icon: 'again', more, actions: ['retry'], at };
    }
    case 'quarantined': {
      const text = textOf(state.problem, messages);
      const others = actionsFor(state.problem).filter((action) => action !== 'retry' && action !== 'convert-again');
      const more = `${t.quarantined(state.failures)} ${text.more}`;
      return { ...plain, ...text, icon: 'bad', tone: 'bad', more, actions: ['retry', ...others], at };
    }
    case 'source-stays': {
      const text = textOf(state.problem, messages);
      return { ...plain, ...text, icon: 'warn', tone: 'warn', actions: ['retry', 'show-file'], made: 1, at };
    }
    case 'before':
      return { ...plain, icon: 'before', words: t.before, actions: ['convert'], at };
    case 'same-sound':
      return { ...plain, icon: 'same', words: t.sameSound(truncateMiddle(state.as)), actions: ['convert'], at };
    case 'other-settings':
      return { ...plain, icon: 'done', words: t.otherSettings, actions: ['convert-again'], made: 1, at };
    case 'own-output':
      return { ...plain, icon: 'own', words: t.ownOutput, actions: ['convert'], at };
    case 'refused': {
      const actions = refusedActions(state.problem);
      return { ...plain, ...textOf(state.problem, messages), icon: 'warn', tone: 'warn', actions, at };
    }
    case 'link':
      return { ...plain, icon: 'link', words: t.link, at };
    case 'placeholder':
      return { ...plain, icon: 'cloud', words: t.placeholder, actions: ['show-file'], at };
  }
}
