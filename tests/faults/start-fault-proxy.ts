import { EventEmitter, once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { parse } from 'valibot';
import type { Connection } from '../../src/main/core/voice-service/connection.ts';
import { type ConnectionDocument, connectionSchema } from '../../src/shared/schemas/connection.ts';
import type { Call } from './call.ts';
import { createCallLog, type CallFilter } from './call-log.ts';
import type { SpeechDelivery } from './speech-delivery.ts';
import { handleCall, type Service } from './handle-call.ts';
import { createFaultRules, type Rule } from './fault-rules.ts';

export interface ProxyOptions {
  /** The engine's address, `http://127.0.0.1:PORT`. */
  readonly target: string;
  /** Default: a free one below the ephemeral ports, so that no other program gets it while the proxy is offline. */
  readonly port?: number;
  /** Default `address`. */
  readonly delivery?: SpeechDelivery;
  /** Replaces the client's token, so that clients may use any. Default: the client's token. */
  readonly serviceToken?: string;
  /** Closes the client's connection after each reply, so that open ones are in use. Default: kept open. */
  readonly singleUse?: boolean;
  /** The query of every result address, like a signature. */
  readonly resultQuery?: string;
}

export interface FaultProxy {
  readonly origin: string;
  readonly calls: readonly Call[];
  /** Replaces all rules; without any, everything passes. */
  script(rules: readonly Rule[]): void;
  count(filter?: CallFilter): number;
  /** Called when a call starts, reaches the service, is answered, transfers a part of a body, and ends. */
  onCall(listener: (call: Call) => void): () => void;
  /** The first matching call, past or future. */
  waitFor(predicate: (call: Call) => boolean, signal?: AbortSignal): Promise<Call>;
  /** Resolves when no call is open. */
  idle(): Promise<void>;
  /** The number of open client connections. */
  sockets(): number;
  /** Resolves when at most `count` are open. */
  socketsDownTo(count: number): Promise<void>;
  document(overrides?: Partial<ConnectionDocument>): ConnectionDocument;
  connection(overrides?: Partial<ConnectionDocument>, token?: string | null | (() => string | null)): Connection;
  /** For an engine that was restarted with another address and token. Open calls keep the old one. */
  setTarget(origin: string, serviceToken?: string): void;
  /** Resets every client connection, idle ones too. */
  disconnect(): void;
  /** Breaks all connections; from then on they are refused. */
  goOffline(): Promise<void>;
  /** Listens on the same port again. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Ephemeral ports start at 32768 on Linux, at 49152 elsewhere. */
const freePorts = { first: 20_000, count: 12_000 };
const portAttempts = 50;

/**
 * A real HTTP proxy before the real engine that applies a test's fault rules. Owned by the test that started it. States: online,
 * offline, stopped; `stop` is final and breaks all connections.
 */
export async function startFaultProxy(options: ProxyOptions): Promise<FaultProxy> {
  const log = createCallLog();
  const rules = createFaultRules();
  const sockets = new Set<Socket>();
  const socketEvents = new EventEmitter<{ sockets: [] }>().setMaxListeners(0);
  let service: Service = { origin: options.target, token: options.serviceToken ?? null };
  let origin = '';
  let port = 0;

  // It only parses; it never listens, so none of its timeouts ends a call.
  const http = createHttpServer({ keepAliveTimeout: 0 });
  const surroundings = {
    log,
    rules,
    delivery: options.delivery ?? 'address',
    resultQuery: options.resultQuery ?? null,
    origin: () => origin,
    service: () => service,
  };
  const take = (request: IncomingMessage, response: ServerResponse) => {
    if (options.singleUse) response.shouldKeepAlive = false;
    void handleCall(request, response, surroundings);
  };
  http.on('request', take);
  http.on('checkContinue', take);

  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const fault = rules.matchConnection();
    if (fault) {
      const call = log.open({ headers: {} });
      log.note(call, { fault: fault.kind });
      log.end(call, 'broken');
      if (fault.reset) socket.resetAndDestroy();
      else socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      socketEvents.emit('sockets');
    });
    http.emit('connection', socket);
  });

  const listen = async (wanted: number) => {
    listener.listen({ port: wanted, host: '127.0.0.1', exclusive: true });
    await once(listener, 'listening');
  };

  async function findPort(): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      const wanted = freePorts.first + Math.floor(Math.random() * freePorts.count);
      try {
        await listen(wanted);
        return wanted;
      } catch (error) {
        if (attempt === portAttempts) throw error;
      }
    }
  }

  function disconnect(): void {
    log.endAll('broken');
    for (const socket of sockets) socket.resetAndDestroy();
  }

  async function goOffline(): Promise<void> {
    const closed = listener.listening ? once(listener, 'close') : null;
    if (closed) listener.close();
    disconnect();
    await closed;
  }

  if (options.port === undefined) port = await findPort();
  else await listen((port = options.port));
  origin = `http://127.0.0.1:${port}`;

  const document = (overrides: Partial<ConnectionDocument> = {}): ConnectionDocument => {
    const hosts = { voice: origin, upload: origin, converter: origin, models: origin, sample: origin };
    return { ...parse(connectionSchema, { name: 'Studio', hosts }), ...overrides };
  };

  return {
    origin,
    calls: log.calls,
    script: rules.script,
    count: log.count,
    onCall: log.onCall,
    waitFor: log.waitFor,
    idle: log.idle,
    sockets: () => sockets.size,
    async socketsDownTo(count) {
      while (sockets.size > count) await once(socketEvents, 'sockets');
    },
    document,
    connection(overrides = {}, token = 'secret') {
      const own = document(overrides);
      const given = () => (typeof token === 'function' ? token() : token);
      return {
        id: 'faults',
        kind: 'remote',
        document: own,
        access: () => Promise.resolve({ hosts: own.hosts, token: given() }),
      };
    },
    setTarget: (next, token) => void (service = { origin: next, token: token ?? service.token }),
    disconnect,
    goOffline,
    comeBack: () => listen(port),
    stop: goOffline,
  };
}
