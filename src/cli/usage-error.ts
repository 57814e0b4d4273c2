import { AppError, type ErrorCode } from '../shared/errors.ts';

/** A problem that brings its own whole sentence: only whoever read the command line knows what it should have been. */
export class ToldError extends AppError {
  readonly sentence: string;

  constructor(code: ErrorCode, sentence: string) {
    super(code, sentence);
    this.sentence = sentence;
  }
}

/** A command line that cannot be run. `sentence` says what to write instead. */
export const usageError = (sentence: string): ToldError => new ToldError('request/invalid', sentence);
