import { isRemedy } from '../../../../shared/errors.ts';
import type { JobInfo } from '../../../../shared/schemas/job.ts';
import type { RunRemedy } from '../../lib/context.ts';
import type { JobAction } from './job-view.ts';
import type { Jobs } from './jobs.svelte.ts';

const endStates: ReadonlySet<JobInfo['state']> = new Set(['done', 'cancelled', 'failed', 'uncertain']);
export const hasEnded = ({ state }: Pick<JobInfo, 'state'>): boolean => endStates.has(state);

interface Choosers {
  /** Lets the user choose the folder for results. */
  readonly chooseFolder: (onchosen: (folder: string) => Promise<void>) => Promise<void>;
  /** Opens a form with the settings of the job. */
  readonly convertDifferently: (job: JobInfo) => void;
  readonly runRemedy: RunRemedy;
}

/** What the buttons of a row do, the same in each list of jobs. */
export const jobActions = (jobs: Jobs, { chooseFolder, convertDifferently, runRemedy }: Choosers) => ({
  onremove(job: JobInfo): void {
    void (hasEnded(job) ? jobs.remove([job.id]) : jobs.cancel([job.id]));
  },
  onaction(job: JobInfo, action: JobAction): void {
    const { id, connectionId } = job;
    if (action === 'retry' || action === 'convert-again') void jobs.retry([id]);
    else if (action === 'show-file') void jobs.reveal(id, 'source');
    else if (action === 'choose-folder') void chooseFolder((folder) => jobs.retryIn(folder, id));
    // The voice of a job is in its settings, and the form offers the one most like a voice that is gone.
    else if (action === 'convert-differently' || action === 'choose-voice') convertDifferently(job);
    else if (isRemedy(action)) runRemedy(action, connectionId);
    else void jobs.remove([id]);
  },
});

/** The commands of one row. */
export interface RowActions {
  readonly listen: () => void;
  readonly reveal: () => void;
  /** Continues a drag of the row as a drag of its result. */
  readonly drag: () => void;
  /** Adds a new job with the same settings. */
  readonly repeat: () => void;
  /** Moves it to the front of the queue. */
  readonly moveToFront: () => void;
  /** Cancels a job that runs or waits; removes one that has ended from the list. */
  readonly remove: () => void;
  readonly action: (action: JobAction) => void;
}
