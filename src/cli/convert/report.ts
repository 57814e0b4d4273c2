import { basename } from 'node:path';
import { hasEnded, type ConversionJob } from '../../main/core/jobs/job.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { Invocation } from '../command.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-code.ts';
import { heldUp, type BatchEnd } from '../jobs/held-up.ts';
import type { Output } from '../output.ts';
import { sentence } from '../sentence.ts';

type Asked = readonly ConversionJob[];

/** One job as a program reads it. */
function toResult(job: ConversionJob, end: BatchEnd, messages: Messages): Readonly<Record<string, unknown>> {
  const problem = heldUp(job, end);
  return {
    source: job.source.path,
    output: job.state === 'done' ? (job.output?.path ?? null) : null,
    taskId: job.taskId,
    sha256: job.finished?.sha256 ?? null,
    processingTime: job.processingTime,
    status: hasEnded(job) ? job.state : 'waiting',
    ...(problem && { code: problem.code, message: sentence(messages, problem) }),
  };
}

/** One line of what came of a job that has ended. */
export function sayEnded(job: ConversionJob, output: Output, messages: Messages): void {
  const name = basename(job.source.path);
  if (job.state === 'done') output.report(`${name} -> ${job.output?.path ?? ''}`);
  else output.complain(`${name}: ${job.problem ? sentence(messages, job.problem) : messages.job.cancelled}`);
}

/** That of the first job that is not done. */
function exitOf(jobs: Asked, end: BatchEnd): ExitCode {
  const failed = jobs.find(({ state }) => state !== 'done');
  if (!failed) return exitCodes.done;
  if (failed.state === 'cancelled') return exitCodes.cancelled;
  const problem = heldUp(failed, end);
  return problem ? exitCodeOf(problem.code) : exitCodes.other;
}

/** The end of a batch. Those of it that have ended were told one by one. */
export function conclude(
  jobs: Asked,
  end: BatchEnd,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): ExitCode {
  const pause = end === 'left' ? null : end;
  const waiting = jobs.filter((job) => !hasEnded(job));
  if (pause) for (const job of waiting) output.complain(`${basename(job.source.path)}: ${messages.job.waiting}`);
  if (pause?.problem) output.complain(sentence(messages, pause.problem));
  if (waiting.length > 0) output.complain(messages.cli.runAgain);
  output.event({ event: 'result', outputs: jobs.map((job) => toResult(job, end, messages)) });
  return end === 'left' ? exitCodes.cancelled : exitOf(jobs, end);
}
