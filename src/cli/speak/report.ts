import { extname } from 'node:path';
import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import type { Invocation } from '../command.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-code.ts';
import { heldUp, type BatchEnd } from '../jobs/held-up.ts';
import type { Messages } from '../../shared/messages/index.ts';
import { sentence } from '../sentence.ts';
import { endingFits, type WishedName } from './wished-name.ts';

interface Ended {
  readonly job: Job;
  readonly end: BatchEnd;
  /** Undefined where no name was asked for. */
  readonly wish: WishedName | undefined;
  /** What the service said beside the sound. */
  readonly message: string | null;
}

/** Where the sound is, and why not where it was wished. */
function savedText(path: string, wish: WishedName | undefined, { cli }: Messages): string {
  if (!wish || path === wish.path || path === wish.path + extname(path)) return path;
  return (endingFits(path, wish) ? cli.speak.renamed : cli.speak.otherFormat)(path);
}

/** What came of a piece of speech, for people and for programs. */
export function concludeSpeech(
  { job, end, wish, message }: Ended,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): ExitCode {
  const sha256 = job.finished?.sha256 ?? null;
  if (job.state === 'done') {
    const path = job.output?.path ?? '';
    output.report(savedText(path, wish, messages));
    if (message !== null) output.remark(messages.app.serviceSaid(message));
    output.event({ event: 'result', output: path, sha256, message });
    return exitCodes.done;
  }
  const problem = heldUp(job, end);
  const told = problem
    ? sentence(messages, problem)
    : messages.job[job.state === 'cancelled' ? 'cancelled' : 'waiting'];
  output.complain(told);
  if (!hasEnded(job)) output.complain(messages.cli.runAgain);
  output.event({
    event: 'result',
    output: null,
    sha256,
    message: told,
    status: hasEnded(job) ? job.state : 'waiting',
    ...(problem && { code: problem.code }),
  });
  if (end === 'left' || job.state === 'cancelled') return exitCodes.cancelled;
  return problem ? exitCodeOf(problem.code) : exitCodes.other;
}
