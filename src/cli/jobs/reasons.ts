import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import { type Messages, problemText } from '../../shared/messages/index.ts';
import type { Pause } from '../../shared/schemas/job.ts';
import { jobName } from './job-name.ts';

/** Why a queue stands still, in half a line. `name` is that of the connection. */
export function pauseReason({ reason, until, problem }: Pause, name: string, messages: Messages, now: number): string {
  const { cli, queue, format } = messages;
  const at = until === null ? null : format.appointment(until, now);
  switch (reason) {
    case 'rate':
      return problem?.code === 'service/unavailable' ? cli.unavailable(name, at) : cli.askedForPause(name, at);
    case 'offline':
      return cli.offline;
    case 'person':
    case 'disk':
    case 'data':
      return queue[reason].title;
    case 'token':
    case 'quota':
    case 'uncertain':
      return queue[reason].title(name);
  }
}

/** Why a job is tried again, and when, in one line; null for one that is not. */
export function retryReason(job: Job, messages: Messages, now: number): string | null {
  const { nextTryAt, problem } = job;
  if (hasEnded(job) || nextTryAt === null || !problem) return null;
  const { title } = problemText(messages, problem);
  return `${jobName(job)}: ${title}. ${messages.cli.tryingAgain(messages.format.appointment(nextTryAt, now))}`;
}
