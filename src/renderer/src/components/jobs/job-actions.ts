import type { JobInfo } from '../../../../shared/wire/job.ts';
import type { AppState } from '../../state/app-state.svelte.ts';
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
    else if (action === 'choose-voice') app.isPickerOpen = true;
    else if (action === 'choose-folder') void app.chooseOutputFolder();
    else void app.jobs.remove([id]);
  },
});
