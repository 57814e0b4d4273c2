import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { parse } from 'valibot';
import { type ConnectionDocument, connectionSchema } from '../../../shared/schemas/connection.ts';
import type { Connection } from './connection.ts';

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
  /** How many sockets it took since it started. */
  accepted(): number;
  /** Resolves once none of its sockets is open any more. */
  deserted(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Makes it speak TLS with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** False calls the script as soon as the headers are there, with an empty body. */
  readonly readsBody?: boolean;
  /** What it calls itself in `origin`. */
  readonly name?: string;
}

type Script = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A real HTTP server on loopback that replies as scripted. */
export async function startScriptedService(
  script: Script,
  { tls, readsBody = true, name = '127.0.0.1' }: ServiceOptions = {},
): Promise<ScriptedService> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    void (async () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, url, headers, body: readsBody ? await bodyOf(request) : Buffer.alloc(0) };
      requests.push(seen);
      await script(seen, response);
    })().catch(() => response.destroy());
  };
  const server = tls ? createSecureServer(tls, answer) : createServer(answer);
  // Idle connections stay open until the client or `stop` closes them.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) server.emit('deserted');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `${tls ? 'https' : 'http'}://${name}:${(server.address() as AddressInfo).port}`;
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
    accepted: () => accepted,
    async deserted() {
      if (sockets.size > 0) await once(server, 'deserted');
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Ends a response with JSON. */
export function replyJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
