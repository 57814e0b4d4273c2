import type { ErrorCode } from './error-code.ts';
import type { Facts, Problem } from './problem.ts';

interface Options extends ErrorOptions {
  readonly facts?: Facts | undefined;
  readonly words?: string | undefined;
}

/** The only error that crosses a boundary. `message` is for the log; people read the sentence of `problem.code`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly problem: Problem;

  constructor(code: ErrorCode, message: string, { facts, words, ...options }: Options = {}) {
    super(message, options);
    this.problem = { code, ...(facts && { facts }), ...(words && { words }) };
  }

  get code(): ErrorCode {
    return this.problem.code;
  }
}
