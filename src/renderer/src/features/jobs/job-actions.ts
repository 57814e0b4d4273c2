import type { JobInfo } from '../../../../shared/schemas/job.ts';
import type { AppState } from '../../app/app-state.svelte.ts';
import type { JobAction } from './job-view.ts';

const over: ReadonlySet<JobInfo['state']> = new Set(['done', 'cancelled', 'failed', 'uncertain']);

/** What the buttons of a row do, wherever the list stands. */
export const jobActions = (app: AppState) => ({
  onremove({ id, state }: JobInfo): void {
    void (over.has(state) ? app.jobs.remove([id]) : app.jobs.cancel([id]));
  },
  onaction({ id }: JobInfo, action: JobAction): void {
    if (action === 'retry' || action === 'convert-again') void app.jobs.retry([id]);
    else if (action === 'show-file') void app.jobs.reveal(id, 'source');
    else if (action === 'choose-voice') app.isVoicePickerOpen = true;
    else if (action === 'choose-folder') void app.chooseOutputFolder();
    else void app.jobs.remove([id]);
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
