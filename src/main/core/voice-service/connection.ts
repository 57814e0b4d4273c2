import type { ConnectionDocument } from '../../../shared/wire/connection.ts';

/** What a call needs beyond the document. Asked for at each call: the local engine's address changes with each start. */
export interface Access {
  readonly hosts: ConnectionDocument['hosts'];
  /** Null where none was set: the request then carries no Authorization. */
  readonly token: string | null;
  /** The origins that the token was entered for; left out where it came together with the hosts. */
  readonly tokenOrigins?: readonly string[];
}

export interface Connection {
  readonly id: string;
  readonly kind: 'local' | 'remote';
  readonly document: ConnectionDocument;
  access(signal: AbortSignal): Promise<Access>;
}
