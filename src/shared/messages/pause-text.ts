import type { Problem } from '../errors.ts';
import type { Pause } from '../schemas/job.ts';
import type { Messages } from './index.ts';
import { problemText } from './problem-text.ts';

/** The origin that needs the token and that it was not entered for; null for other problems. */
export function originOf(problem: Problem | null): string | null {
  const origin = problem?.code === 'auth/missing' ? problem.facts?.['origin'] : undefined;
  return typeof origin === 'string' ? origin : null;
}

/** True if the connection does not suit its service, so that it is to be mended; false if a response was lost. */
export const isMismatch = (problem: Problem | null): problem is Problem =>
  problem !== null && problem.code !== 'service/uncertain' && problem.code !== 'service/result-gone';

/** Why the queue is paused, without a full stop. `name` is the display name of the connection. */
export function pauseTitle(
  { reason, problem }: Pick<Pause, 'reason' | 'problem'>,
  name: string,
  messages: Messages,
): string {
  const { queue, problems } = messages;
  const code = problem?.code;
  switch (reason) {
    case 'user':
    case 'battery':
      return queue[reason].title;
    case 'data':
    case 'disk':
      return code === 'output/folder-missing' ? queue.disk.missing : problems[code ?? 'output/disk-full'].title;
    case 'token': {
      const origin = originOf(problem);
      if (origin !== null) return queue.token.otherOrigin({ name, origin });
      return code === 'auth/missing' ? queue.token.missing({ name }) : queue.token.title({ name });
    }
    case 'quota':
      return code === 'auth/forbidden' ? queue.quota.forbidden({ name }) : queue.quota.title({ name });
    case 'rate': {
      const seconds = problem?.facts?.['retryAfterSeconds'];
      if (code === 'service/unavailable') return queue.rate.unavailable({ name });
      return typeof seconds === 'number' ? queue.rate.titleSeconds({ name, seconds }) : queue.rate.title({ name });
    }
    case 'uncertain':
      return isMismatch(problem) ? problemText(messages, problem).title : queue.uncertain.title({ name });
    case 'offline':
    case 'offline-mode':
      return queue[reason].title({ name });
  }
}
