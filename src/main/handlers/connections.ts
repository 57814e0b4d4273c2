import type { Contract } from '../../shared/contract.ts';
import type { Handlers } from '../../shared/contract-types.ts';
import type { ConnectionBook } from '../core/connections/connection-book.ts';

export const createConnectionHandlers = (connections: ConnectionBook): Handlers<Contract>['connections'] => ({
  list: () => connections.list(),
});
