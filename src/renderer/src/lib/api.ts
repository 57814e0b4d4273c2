import { AppError, type Problem } from '../../../shared/errors.ts';
import type { Client } from '../../../shared/ipc/contract-types.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';

/** All that the page can ask of main. */
export type Api = Client<Contract>;

/** What to tell a person about anything that was thrown: a bug of the page is `internal`, as it is in main. */
export const toProblem = (error: unknown): Problem =>
  error instanceof AppError ? error.problem : { code: 'internal' };
