import { AppError } from './app-error.ts';
import { isErrorCode } from './error-code.ts';
import type { Problem } from './problem.ts';

/** A failure on the wire. An error object loses its class and its code on each hop between processes, so it travels as data. */
export interface Failure extends Problem {
  readonly message: string;
}

export type Reply<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure };

/** Rebuilds the error on the page's side. A code that this build does not know becomes `internal`. */
export function errorFrom({ code, message, facts, words }: Failure): AppError {
  return new AppError(isErrorCode(code) ? code : 'internal', message, { facts, words });
}
