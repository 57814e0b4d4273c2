import { AppError, type Problem } from '../../../shared/errors.ts';
import type { Client } from '../../../shared/ipc/define-contract.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';

/** All requests and events between the page and main. */
export type Api = Client<Contract>;

/** The problem to show for anything that was thrown; a bug of the page is `internal`, as in main. */
export const toProblem = (error: unknown): Problem =>
  error instanceof AppError ? error.problem : { code: 'internal' };
