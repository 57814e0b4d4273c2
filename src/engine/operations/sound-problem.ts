import { AppError } from '../../shared/errors.ts';
import { HttpError } from '../http-error.ts';

/** Converts errors that any audio work may have; returns other causes unchanged. */
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
