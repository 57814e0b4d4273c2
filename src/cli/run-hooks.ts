import { titleOf } from '../main/core/jobs/job.ts';
import type { Core } from '../main/core/core.ts';
import type { Invocation } from './args.ts';
import { sentence } from './errors.ts';

/**
 * Runs the hook for the results of this command, beside its jobs, and reports where it fails. Call the returned function
 * once all jobs have ended: it resolves when the hook has run for all of them, or the command is to end.
 */
export async function runHooks(
  core: Pick<Core, 'data'>,
  { output, messages, signal, shutdownSignal }: Pick<Invocation, 'output' | 'messages' | 'signal' | 'shutdownSignal'>,
): Promise<() => Promise<void>> {
  const { hooks } = await core.data();
  const unsubscribe = hooks.onRun(({ job, run: { problem, exitCode } }) => {
    if (!job) return;
    const text = problem && sentence(messages, problem);
    if (text !== null) output.error(`${titleOf(job)}: ${text}`);
    output.event({
      event: 'hook',
      id: job.id,
      output: job.output?.path ?? null,
      exitCode,
      ...(problem && { code: problem.code, message: text }),
    });
  });
  hooks.start();

  return async () => {
    try {
      if (hooks.status().waiting > 0) output.status(messages.cli.hookRuns);
      await hooks.idle(AbortSignal.any([signal, shutdownSignal]));
    } catch (error) {
      // The next command runs it again.
      if (!signal.aborted && !shutdownSignal.aborted) throw error;
    } finally {
      output.status(null);
      unsubscribe();
    }
  };
}
