import { AppError } from '../../shared/errors.ts';
import { HttpError } from '../http-error.ts';

/** What this computer has against sound work, whatever the operation; other causes pass as they are. */
export function soundProblem(cause: unknown): unknown {
  if (!(cause instanceof AppError)) return cause;
  switch (cause.code) {
    case 'output/disk-full':
      return new HttpError(507, 'Insufficient storage.', 'The disk that keeps the results is full.', { cause });
    case 'job/cancelled':
      return new HttpError(503, 'Service unavailable.', 'The engine is stopping.', { cause });
    default:
      return cause;
  }
}
