import type { JobInfo } from '../../../../shared/schemas/job.ts';
import type { JobAction } from './job-view.ts';
import type { Jobs } from './jobs.svelte.ts';

const over: ReadonlySet<JobInfo['state']> = new Set(['done', 'cancelled', 'failed', 'uncertain']);

interface Choosers {
  readonly chooseVoice: () => void;
  readonly chooseFolder: () => void;
}

/** What the buttons of a row do, whichever list it is in. */
export const jobActions = (jobs: Jobs, { chooseVoice, chooseFolder }: Choosers) => ({
  onremove({ id, state }: JobInfo): void {
    void (over.has(state) ? jobs.remove([id]) : jobs.cancel([id]));
  },
  onaction({ id }: JobInfo, action: JobAction): void {
    if (action === 'retry' || action === 'convert-again') void jobs.retry([id]);
    else if (action === 'show-file') void jobs.reveal(id, 'source');
    else if (action === 'choose-voice') chooseVoice();
    else if (action === 'choose-folder') chooseFolder();
    else void jobs.remove([id]);
  },
});

/** What a person can want of one row. */
export interface RowEvents {
  readonly listen: () => void;
  readonly reveal: () => void;
  /** A new job like this one. */
  readonly again: () => void;
  /** Before all others that wait. */
  readonly next: () => void;
  /** Cancels what runs or waits, takes what is over off the list. */
  readonly remove: () => void;
  readonly action: (action: JobAction) => void;
}
