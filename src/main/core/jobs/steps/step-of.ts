import type { Job } from '../job.ts';
import { convertSteps } from './convert-steps.ts';
import { speechSteps } from './speech-steps.ts';
import type { StepContext } from './step.ts';

/** What is to be done next for a job; undefined where it has ended. */
export function stepOf(job: Job): ((context: StepContext, signal: AbortSignal) => Promise<Job>) | undefined {
  if (job.kind === 'speech') {
    const step = speechSteps[job.state];
    return step && ((context, signal) => step(job, context, signal));
  }
  const step = convertSteps[job.state];
  return step && ((context, signal) => step(job, context, signal));
}
