import type { JobInfo } from '../../../../shared/schemas/job.ts';
import type { JobAction } from './job-view.ts';
import type { Jobs } from './jobs.svelte.ts';

const endStates: ReadonlySet<JobInfo['state']> = new Set(['done', 'cancelled', 'failed', 'uncertain']);

interface Choosers {
  readonly chooseVoice: () => void;
  readonly chooseFolder: () => void;
}

/** What the buttons of a row do, the same in each list of jobs. */
export const jobActions = (jobs: Jobs, { chooseVoice, chooseFolder }: Choosers) => ({
  onremove({ id, state }: JobInfo): void {
    void (endStates.has(state) ? jobs.remove([id]) : jobs.cancel([id]));
  },
  onaction({ id }: JobInfo, action: JobAction): void {
    if (action === 'retry' || action === 'convert-again') void jobs.retry([id]);
    else if (action === 'show-file') void jobs.reveal(id, 'source');
    else if (action === 'choose-voice') chooseVoice();
    else if (action === 'choose-folder') chooseFolder();
    else void jobs.remove([id]);
  },
});

/** The commands of one row. */
export interface RowActions {
  readonly listen: () => void;
  readonly reveal: () => void;
  /** Adds a new job with the same settings. */
  readonly repeat: () => void;
  /** Moves it to the front of the queue. */
  readonly moveToFront: () => void;
  /** Cancels a job that runs or waits; removes one that has ended from the list. */
  readonly remove: () => void;
  readonly action: (action: JobAction) => void;
}
