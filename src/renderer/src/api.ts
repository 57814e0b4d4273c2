import type { Client } from '../../shared/contract-types.ts';
import type { Contract } from '../../shared/contract.ts';

/** All that the page can ask of main. */
export type Api = Client<Contract>;
