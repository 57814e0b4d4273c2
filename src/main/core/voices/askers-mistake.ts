import type { AppError } from '../../../shared/app-error.ts';
import { numberFact } from '../../../shared/messages/facts.ts';

/**
 * Whether asking again would be as wrong: the service answered, and it was the question that it refused. Such an error is told as it
 * is, because an older answer to a wrong question is none.
 */
export function isAskersMistake({ code, problem }: AppError): boolean {
  if (code === 'request/invalid' || code === 'connection/not-found') return true;
  const status = numberFact(problem.facts ?? {}, 'status') ?? 0;
  return code === 'service/refused' && status >= 400 && status < 500;
}
