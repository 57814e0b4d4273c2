import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { ConnectFailure } from './network-error.ts';

/** As browsers take. Some services send more than the 16 kB of Node, as cookies and policies, and the reply may be paid for. */
export const maxHeaderSize = 256 * 1024;

const interimHead = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
const statusAt = 'HTTP/1.1 '.length;
const headEnd = '\r\n\r\n';

/**
 * Services and what is between send 100 (Continue) unasked before a reply, which clients must skip (RFC 9110, 15.2). undici takes it
 * for a broken reply, but skips 102, so it reads that. A reply begins with the first chunk after something was sent.
 */
function skipContinue<S extends Socket>(socket: S): S {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let repliedAt = 0;
  socket.read = (size) => {
    const chunk = read(size);
    for (let at = 0; chunk && at < chunk.length && socket.bytesWritten !== repliedAt;) {
      if (interimHead.test(chunk.toString('latin1', at, at + statusAt + 4))) {
        chunk.write('102', at + statusAt, 'latin1');
        const end = chunk.indexOf(headEnd, at);
        at = end < 0 ? chunk.length : end + headEnd.length;
      } else repliedAt = socket.bytesWritten;
    }
    return chunk;
  };
  return socket;
}

/** Wraps a connector's errors in `ConnectFailure`, and lets its sockets skip `100 Continue`. */
export const prepareSockets =
  (at: ConnectFailure['at'], connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) callback(null, skipContinue(socket));
      else callback(error instanceof ConnectFailure ? error : new ConnectFailure(at, error), null);
    });
