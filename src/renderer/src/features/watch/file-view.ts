import { isPassingProblem, problemHandling, type ProblemAction } from '../../../../shared/errors.ts';
import { timesOf } from '../../../../shared/text/hours.ts';
import { watchedProblemText } from '../../../../shared/messages/problem-text.ts';
import { type Messages, watchedFileTexts } from '../../../../shared/messages/index.ts';
import type { Problem } from '../../../../shared/errors.ts';
import type { JobInfo, JobProgress, JobState, PauseReason } from '../../../../shared/schemas/job.ts';
import { isTextPath, type WatchedFile, type WatchWait } from '../../../../shared/schemas/watch.ts';
import { truncateMiddle } from '../../lib/truncate.ts';
import { jobView, type JobView } from '../jobs/job-view.ts';

export type FileAction = 'convert' | 'convert-anyway' | 'convert-again' | 'retry' | 'leave' | 'show-file' | 'edit';

/** The labels of the actions on a file: a text is spoken, a recording is converted. */
export const fileActionLabels = (path: string, { watch }: Messages): Readonly<Record<FileAction, string>> =>
  isTextPath(path) ? { ...watch.actions, ...watch.textActions } : watch.actions;

export type FileIcon =
  | 'writing'
  | 'waiting'
  | 'converting'
  | 'done'
  | 'duplicate'
  | 'baseline'
  | 'retry'
  | 'own-result'
  | 'link'
  | 'cloud'
  | 'budget'
  | 'cancelled'
  | 'warning'
  | 'error'
  | 'question';

/** What a row of the table shows of its file: what happened, why, and what the user can do. */
export interface FileView extends Omit<JobView, 'status' | 'actions'> {
  readonly icon: FileIcon;
  readonly status: 'idle' | 'active' | 'done' | 'warning' | 'error';
  readonly actions: readonly FileAction[];
  /** When the state began, in milliseconds since 1970; null while it is active. */
  readonly at: number | null;
}

export interface FileContext {
  readonly progress: JobProgress | undefined;
  /** The pause that applies to the file's job. */
  readonly pauseReason: PauseReason | null;
  /** Milliseconds since 1970. A function, so that only rows that show a time update with the clock. */
  readonly now: () => number;
  readonly messages: Messages;
}

const base = { status: 'idle', detail: '', serviceMessage: null, actions: [], sent: 1, received: 0 } as const;

/** The steps of a conversion, as the user counts them: created, uploaded, converted, downloaded. */
const stepNumbers: Readonly<Partial<Record<JobState, number>>> = {
  creating: 1,
  created: 1,
  uploading: 2,
  uploaded: 2,
  converting: 3,
  converted: 4,
  publishing: 4,
};
const stepCount = 4;

/** Actions for problems of a watched file, whose voice and output folder are those of its folder. */
const actionOf: Readonly<Partial<Record<ProblemAction, FileAction>>> = {
  retry: 'retry',
  'convert-again': 'convert-again',
  'convert-differently': 'edit',
  'show-file': 'show-file',
  'choose-voice': 'edit',
  'choose-folder': 'edit',
};
/** Remedies of a connection or disk are offered with the queue's pause, not on each row. */
const actionsFor = ({ code }: Problem): readonly FileAction[] =>
  code === 'voice/speaker-not-found'
    ? // A job has no form for its speakers, but the folder has.
      ['edit']
    : [...new Set(problemHandling[code].actions.flatMap((action) => actionOf[action] ?? []))];

/** A rejected file is checked again when it changes, so there is no retry; some can be converted anyway. */
function refusedActions(problem: Problem): readonly FileAction[] {
  switch (problem.code) {
    case 'watch/length-open':
      return ['convert-anyway'];
    case 'watch/length-unknown':
    case 'watch/too-long':
      return ['convert', 'edit'];
    case 'input/text-too-long':
    case 'input/text-empty':
    case 'input/not-text':
      return ['show-file'];
    case 'watch/no-voice':
    case 'watch/several-voices':
    case 'watch/another-voice':
      return ['convert', 'show-file'];
    default: {
      const isPassing = isPassingProblem(problem);
      return actionsFor(problem).filter((action) => isPassing || action !== 'retry');
    }
  }
}

function textOf(problem: Problem, messages: Messages): Pick<FileView, 'title' | 'detail' | 'serviceMessage'> {
  const { title, advice } = watchedProblemText(messages, problem);
  return { title: messages.format.sentence(title), detail: advice, serviceMessage: problem.words ?? null };
}

function waitView(wait: WatchWait, { watch: { file: t } }: Messages): Pick<FileView, 'icon' | 'title'> {
  switch (wait.kind) {
    case 'quiet':
      return {
        icon: 'writing',
        title: t.quiet({ bytes: wait.sizeBytes, quiet: Math.floor(wait.quietSeconds), needed: wait.neededSeconds }),
      };
    case 'writer':
      return {
        icon: 'writing',
        title:
          wait.program === null
            ? t.unknownWriter({ bytes: wait.sizeBytes })
            : t.writer({ bytes: wait.sizeBytes, program: wait.program }),
      };
    case 'reading':
      return { icon: 'waiting', title: t.reading };
    case 'budget':
      return { icon: 'budget', title: t.budget({ used: wait.usedMinutes, limit: wait.limitMinutes }) };
    case 'hours':
      return { icon: 'budget', title: t.hours(timesOf(wait.hours)) };
    case 'turn':
      return { icon: 'waiting', title: t.turn };
  }
}

function endView(job: JobInfo, file: WatchedFile, { messages }: FileContext): FileView | null {
  const t = watchedFileTexts(messages, file.path);
  switch (job.state) {
    case 'done': {
      const seconds = (job.stateChangedAt - file.stateChangedAt) / 1000;
      const title = seconds >= 0.5 ? t.convertedIn({ seconds }) : t.converted;
      const done = { ...base, icon: 'done', status: 'done', received: 1, at: job.stateChangedAt } as const;
      return file.movedTo === null
        ? { ...done, title }
        : {
            ...done,
            title: messages.format.sentence(title),
            detail: t.movedTo({ place: truncateMiddle(file.movedTo) }),
          };
    }
    case 'cancelled':
      return {
        ...base,
        icon: 'cancelled',
        title: t.cancelled,
        actions: ['convert-again'],
        sent: 0,
        at: job.stateChangedAt,
      };
    case 'failed': {
      const problem = job.problem ?? { code: 'internal' };
      const actions = actionsFor(problem);
      return { ...base, ...textOf(problem, messages), icon: 'error', status: 'error', actions, at: job.stateChangedAt };
    }
    case 'uncertain': {
      const text = textOf(job.problem ?? { code: 'service/uncertain' }, messages);
      return {
        ...base,
        ...text,
        icon: 'question',
        status: 'warning',
        actions: ['convert-again', 'leave'],
        at: job.stateChangedAt,
      };
    }
    default:
      return null;
  }
}

function viewOfJob(job: JobInfo, file: WatchedFile, context: FileContext): FileView {
  const end = endView(job, file, context);
  if (end) return end;
  const { messages, progress, pauseReason, now } = context;
  const { file: t } = messages.watch;
  const view = jobView(job, {
    progress,
    pauseReason,
    isNext: false,
    realTimeFactor: null,
    now,
    messages,
  });
  // Speech has a single step.
  const step = job.kind === 'speech' ? undefined : stepNumbers[job.state];
  const isWaiting = view.status === 'pending' || view.status === 'retrying';
  const label = job.state === 'queued' && pauseReason === null && view.status === 'pending' ? t.queued : view.title;
  const parts = [step === undefined ? label : t.step({ words: label, step, of: stepCount }), view.detail];
  return {
    ...base,
    icon: isWaiting ? 'waiting' : 'converting',
    status: isWaiting ? 'idle' : 'active',
    title: messages.format.facts(...parts),
    serviceMessage: view.serviceMessage,
    sent: view.sent,
    received: view.received,
    at: null,
  };
}

/** What a row shows of its file. `job` is the file's job in its current state, if it has one. */
export function fileView(file: WatchedFile, job: JobInfo | null, context: FileContext): FileView {
  const { messages, now } = context;
  const t = watchedFileTexts(messages, file.path);
  const { state, stateChangedAt: at } = file;
  switch (state.kind) {
    case 'waiting':
      return {
        ...base,
        ...waitView(state.wait, messages),
        at: state.wait.kind === 'budget' || state.wait.kind === 'hours' ? at : null,
      };
    case 'job':
      // A job can only be removed from the list after it has ended.
      return job ? viewOfJob(job, file, context) : { ...base, icon: 'done', status: 'done', title: t.converted, at };
    case 'retrying': {
      const n = state.failures;
      const detail =
        state.at > now() ? t.retrying({ ...messages.format.appointment(state.at, now()), n }) : t.retryingNow({ n });
      return { ...base, ...textOf(state.problem, messages), icon: 'retry', detail, actions: ['retry'], at };
    }
    case 'quarantined': {
      const text = textOf(state.problem, messages);
      const others = actionsFor(state.problem).filter((action) => action !== 'retry' && action !== 'convert-again');
      const detail = messages.format.sentences(t.quarantined({ n: state.failures }), text.detail);
      return { ...base, ...text, icon: 'error', status: 'error', detail, actions: ['retry', ...others], at };
    }
    case 'source-stays': {
      const text = textOf(state.problem, messages);
      return { ...base, ...text, icon: 'warning', status: 'warning', actions: ['retry', 'show-file'], received: 1, at };
    }
    case 'baseline':
      return { ...base, icon: 'baseline', title: t.baseline, actions: ['convert'], at };
    case 'same-sound':
      return {
        ...base,
        icon: 'duplicate',
        title: t.sameSound({ name: truncateMiddle(state.as) }),
        actions: ['convert'],
        at,
      };
    case 'other-settings':
      return { ...base, icon: 'done', title: t.otherSettings, actions: ['convert-again'], received: 1, at };
    case 'own-output':
      return { ...base, icon: 'own-result', title: t.ownOutput, actions: ['convert'], at };
    case 'refused': {
      const actions = refusedActions(state.problem);
      return { ...base, ...textOf(state.problem, messages), icon: 'warning', status: 'warning', actions, at };
    }
    case 'link':
      return { ...base, icon: 'link', title: t.link, at };
    case 'placeholder':
      return { ...base, icon: 'cloud', title: t.placeholder, actions: ['show-file'], at };
  }
}
