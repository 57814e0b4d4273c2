import type { JobState } from '../../../../src/shared/schemas/job.ts';

/** The states that may follow each state, besides itself. Only the user's retry leads out of a final state. */
export const allowedSteps: Readonly<Record<JobState, readonly JobState[]>> = {
  queued: ['creating', 'converting', 'failed', 'cancelled'],
  creating: ['created', 'queued', 'failed', 'cancelled'],
  created: ['uploading', 'cancelled'],
  uploading: ['uploaded', 'created', 'failed', 'cancelled'],
  uploaded: ['converting', 'cancelled'],
  converting: ['converted', 'uploaded', 'queued', 'uncertain', 'failed', 'cancelled'],
  converted: ['publishing', 'uploaded', 'queued', 'uncertain', 'failed', 'cancelled'],
  publishing: ['done', 'converted', 'failed', 'cancelled'],
  done: [],
  failed: ['queued', 'converted'],
  cancelled: ['queued', 'uploaded', 'converted'],
  uncertain: ['queued', 'uploaded', 'converted'],
};
