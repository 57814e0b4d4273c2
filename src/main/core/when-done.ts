import { AppError, type Problem } from '../../shared/errors.ts';
import { countdownSeconds, type WhenDone, type WhenDoneAction, whenNothingIsDone } from '../../shared/schemas/app.ts';
import type { Activity } from './activity.ts';
import type { Clock } from './clock.ts';
import type { BatchSummary } from './jobs/batch-summary.ts';
import { hasEnded, type Job } from './jobs/job.ts';
import type { JobStore } from './jobs/job-store.ts';

/** What ended since the user chose what happens then. */
export interface EndedWork extends BatchSummary {
  /** Path of the last result; null if there is none. */
  readonly result: string | null;
}

/** Does once what the user chose, when the current work is done. The choice is never stored. */
export interface WhenDoneControl {
  get(): WhenDone;
  /** Also cancels what was chosen before, even while it counts down. */
  choose(action: WhenDoneAction): void;
  /** The page asks something that the user must answer first. */
  postpone(): void;
  stop(): void;
}

interface Dependencies {
  readonly clock: Clock;
  readonly store: Pick<JobStore, 'onEvent' | 'owns' | 'hasUnfinished'>;
  activity(): Pick<Activity, 'open' | 'incoming' | 'isPausedByUser'>;
  /** True while recordings are added to the queue, also while they wait until the data can be written. */
  isAdding(): boolean;
  /** True while the user exports or imports, or a dialog of the system is open. */
  isBusy(): boolean;
  /** Rejects if the system does not allow it. */
  perform(action: Exclude<WhenDoneAction, 'nothing'>, work: EndedWork): Promise<void>;
  onChanged(state: WhenDone): void;
  onError(error: unknown): void;
}

const countedDown: ReadonlySet<WhenDoneAction> = new Set(['sleep', 'shut-down']);
/** The page may ask one thing after another. */
const postponedSeconds = 10;
const tickMs = 1000;
/** The computer slept meanwhile, so the user may have just come back. */
const lateTickMs = 5000;

const nothingEnded: EndedWork = { done: 0, needAttention: 0, result: null };

/**
 * States: nothing chosen; waiting until no job of any process, no recording to be added, no watched file, no pause of the user's
 * and no open question is left; counting down, which anything of that sort ends; done, which is nothing chosen again.
 */
export function createWhenDone(dependencies: Dependencies): WhenDoneControl {
  const { clock, store, activity, isAdding, isBusy, perform, onChanged, onError } = dependencies;
  let state: WhenDone = whenNothingIsDone;
  /** Jobs that ended before do not count; earlier once the clock was set back. */
  let chosenAt = 0;
  let readAt = 0;
  let ended = nothingEnded;
  let waitSeconds = 0;
  let running: AbortController | undefined;

  function setState(change: Partial<WhenDone>): void {
    const next = { ...state, ...change };
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    onChanged(state);
  }

  function readClock(): number {
    const now = clock.now();
    if (now < readAt) chosenAt = Math.min(chosenAt, now);
    readAt = now;
    return now;
  }

  function count(job: Job): void {
    if (!hasEnded(job) || job.stateChangedAt < chosenAt || !store.owns(job.id)) return;
    if (job.state === 'done') ended = { ...ended, done: ended.done + 1, result: job.output?.path ?? ended.result };
    else if (job.state !== 'cancelled') ended = { ...ended, needAttention: ended.needAttention + 1 };
  }
  const seen = new Map<string, Job['state']>();
  const unsubscribe = store.onEvent((event) => {
    if (event.kind !== 'upserted' || state.action === 'nothing') return;
    readClock();
    for (const job of event.jobs) {
      // A row that is only removed from the list ended before.
      if (seen.get(job.id) !== job.state) count(job);
      seen.set(job.id, job.state);
    }
  });

  function isDone(): boolean {
    try {
      const { open, incoming, isPausedByUser } = activity();
      const isWaiting = open > 0 || incoming > 0 || isPausedByUser || isAdding() || isBusy();
      return !isWaiting && !store.hasUnfinished();
    } catch (error) {
      // The disk of the database may only be away for a moment: until it is back, nothing is known to be done.
      onError(error);
      return false;
    }
  }

  async function act(action: Exclude<WhenDoneAction, 'nothing'>): Promise<void> {
    const work = ended;
    // Before it is done: a computer that wakes up must not do it again.
    setState(whenNothingIsDone);
    try {
      await perform(action, work);
    } catch (error) {
      const problem: Problem = error instanceof AppError ? error.problem : { code: 'internal' };
      if (problem.code === 'internal') onError(error);
      setState({ problem });
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    let tickedAt = readClock();
    for (;;) {
      await clock.sleep(tickMs, signal);
      const now = readClock();
      const wasAsleep = Math.abs(now - tickedAt) > lateTickMs;
      tickedAt = now;
      const { action, secondsLeft } = state;
      if (action === 'nothing') return;
      if (waitSeconds > 0) waitSeconds -= 1;
      else if (!isDone()) setState({ secondsLeft: null });
      else if (!countedDown.has(action) || (secondsLeft === 1 && !wasAsleep)) {
        await act(action);
        return;
      } else setState({ secondsLeft: secondsLeft === null || wasAsleep ? countdownSeconds : secondsLeft - 1 });
    }
  }

  return {
    get: () => state,
    choose(action) {
      running?.abort(new Error('chosen anew'));
      running = undefined;
      chosenAt = readClock();
      ended = nothingEnded;
      waitSeconds = 0;
      seen.clear();
      setState({ action, secondsLeft: null, problem: null });
      if (action === 'nothing') return;
      const { signal } = (running = new AbortController());
      run(signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
    },
    postpone() {
      waitSeconds = postponedSeconds;
      setState({ secondsLeft: null });
    },
    stop() {
      running?.abort(new Error('stopped'));
      unsubscribe();
    },
  };
}
