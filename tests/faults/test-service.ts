import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestService {
  readonly origin: string;
  stop(): Promise<void>;
}

/** A tiny service for cases that the engine cannot produce, such as a connection that stays open. */
export async function startTestService(
  answer: (request: IncomingMessage, response: ServerResponse, origin: string) => void,
): Promise<TestService> {
  let origin = '';
  const server = createServer((request, response) => answer(request, response, origin));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
