import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Certificate } from './certificates.fixture.ts';

export interface ConnectProxy {
  readonly port: number;
  /** What it was asked for, in order. */
  readonly asked: readonly { readonly target: string; readonly headers: IncomingHttpHeaders }[];
  stop(): Promise<void>;
}

/** Answers CONNECT like a proxy; `open` connects to the address of a name. */
type Behaviour = (client: Socket, open: () => void) => void;

/** A proxy on loopback that resolves every name to one port of this computer, as if it stood in another network. */
export async function startConnectProxy(
  targetPort: number,
  behave: Behaviour = (_, open) => open(),
  tls?: Certificate,
): Promise<ConnectProxy> {
  const asked: { target: string; headers: IncomingHttpHeaders }[] = [];
  const sockets = new Set<Socket>();
  const server = tls ? createSecureServer(tls) : createServer();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  server.on('connection', keep);
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push({ target: request.url ?? '', headers: request.headers });
    // Half open otherwise: it would not close when the other side does.
    client.on('error', () => undefined).once('end', () => client.end());
    behave(client, () => {
      const target = connect(targetPort, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.pipe(client).pipe(target);
      });
      keep(target);
      client.once('close', () => target.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
