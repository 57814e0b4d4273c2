import type { Messages } from '../../../shared/messages/index.ts';
import type { ConnectionInfo } from '../../../shared/wire/connection.ts';

/** What a person calls it: the engine of this computer has a name of ours, all others have theirs. Empty for none. */
export const connectionName = (connection: ConnectionInfo | undefined, { connection: t }: Messages): string =>
  connection?.kind === 'local' ? t.thisComputer : (connection?.name ?? '');
