/**
 * The way to the service never stood: no name, no socket, no tunnel, no TLS. Nothing of the request has left, whatever the cause
 * is called. Made where undici asks for a socket, because the same `ECONNRESET` means the opposite one moment later.
 */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  /** Who failed: the proxy in between, or the service (or whatever stands in its place). */
  readonly at: 'proxy' | 'service';

  constructor(at: 'proxy' | 'service', cause: Error) {
    super(cause.message, { cause });
    this.at = at;
  }
}
