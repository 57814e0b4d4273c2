import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'valibot';
import { connectionSchema, type ConnectionDocument } from '../../shared/schemas/connection.ts';
import type { Connection } from '../core/voice-service/connection.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ScriptedService {
  readonly origin: string;
  /** What arrived, in order. */
  readonly requests: readonly SeenRequest[];
  /** A connection to this service; `document` overrides single fields. */
  connection(document?: Partial<ConnectionDocument>, token?: string | null): Connection;
  stop(): Promise<void>;
}

type Script = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A real HTTP server on loopback that answers as its script says. */
export async function startScriptedService(script: Script): Promise<ScriptedService> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, url, headers, body: await bodyOf(request) };
      requests.push(seen);
      await script(seen, response);
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    connection(document = {}, token = 'secret') {
      const hosts = { voice: origin, upload: origin, converter: origin, models: origin, sample: origin };
      return {
        id: 'test',
        kind: 'remote',
        document: { ...parse(connectionSchema, { name: 'Studio', hosts }), ...document },
        access: () => Promise.resolve({ hosts: document.hosts ?? hosts, token }),
      };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Ends a response with JSON. */
export function replyJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
