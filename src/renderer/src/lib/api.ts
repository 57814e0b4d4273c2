import { AppError } from '../../../shared/app-error.ts';
import type { Client } from '../../../shared/contract-types.ts';
import type { Contract } from '../../../shared/contract.ts';
import type { Problem } from '../../../shared/problem.ts';

/** All that the page can ask of main. */
export type Api = Client<Contract>;

/** What to tell a person about anything that was thrown: a bug of the page is `internal`, as it is in main. */
export const problemOf = (error: unknown): Problem =>
  error instanceof AppError ? error.problem : { code: 'internal' };
