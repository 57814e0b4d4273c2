import type { Core } from '../main/core/core.ts';
import type { Problem } from '../shared/errors.ts';
import { problemText } from '../shared/messages/problem-text.ts';
import type { Invocation } from './args.ts';

/**
 * Call the returned function once all jobs have ended: it waits for the copies of their results, not for long, and reports once
 * if one could not be made.
 */
export async function reportCopies(
  core: Pick<Core, 'data'>,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): Promise<() => Promise<void>> {
  const { copies } = await core.data();
  let problem: Problem | null = null;
  // A later copy that succeeds ends the problem.
  const unsubscribe = copies.onChanged(() => (problem ??= copies.problem()));
  return async () => {
    await copies.stop();
    unsubscribe();
    if (!problem) return;
    const message = messages.cli.notCopied({ why: problemText(messages, problem).title });
    output.error(message);
    output.event({ event: 'copy', code: problem.code, message });
  };
}
