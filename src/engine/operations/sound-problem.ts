import { AppError } from '../../shared/errors.ts';
import { HttpError } from '../http-error.ts';

const diskFull = (cause: Error): HttpError =>
  new HttpError(507, 'Insufficient storage.', 'The disk that keeps Timbre’s data is full.', { cause });

/** Converts errors that any audio work may have, such as a full disk; returns other causes unchanged. */
export function soundProblem(cause: unknown): unknown {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC') return diskFull(cause);
  if (!(cause instanceof AppError)) return cause;
  switch (cause.code) {
    case 'output/disk-full':
      return diskFull(cause);
    case 'job/cancelled':
      return new HttpError(503, 'Service unavailable.', 'The engine is stopping.', { cause });
    default:
      return cause;
  }
}
