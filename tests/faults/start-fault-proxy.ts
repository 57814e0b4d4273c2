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
  /** Default: a free one below those that the system gives to outgoing connections, so that nobody takes it while we are offline. */
  readonly port?: number;
  /** Default `address`. */
  readonly delivery?: SpeechDelivery;
  /** Sent to the service in place of the client's token: clients may then use any. Default: what the client sent. */
  readonly serviceToken?: string;
  /** Ends the client's connection with each reply: those that are open are in use. Default: they are kept. */
  readonly singleUse?: boolean;
  /** What every result address carries behind a question mark, as a signature. */
  readonly resultQuery?: string;
}

export interface FaultProxy {
  readonly origin: string;
  readonly calls: readonly Call[];
  /** Replaces all rules; without any, everything passes. */
  script(rules: readonly Rule[]): void;
  count(filter?: CallFilter): number;
  /** Tells of each call when it begins, when the service is reached, when it answers, of each piece of a body, and when it ends. */
  onCall(listener: (call: Call) => void): () => void;
  /** The first call, past or future, that is as it is waited for. */
  waitFor(predicate: (call: Call) => boolean, signal?: AbortSignal): Promise<Call>;
  /** Resolves when no call is open. */
  idle(): Promise<void>;
  /** Connections of clients that are open now. */
  sockets(): number;
  /** Resolves when there are no more than so many. */
  socketsDownTo(count: number): Promise<void>;
  document(overrides?: Partial<ConnectionDocument>): ConnectionDocument;
  connection(overrides?: Partial<ConnectionDocument>, token?: string | null | (() => string | null)): Connection;
  /** An engine that was started again has another address and token. Calls under way stay with the old one. */
  setTarget(origin: string, serviceToken?: string): void;
  /** Resets every connection of a client, idle ones too, and goes on. */
  disconnect(): void;
  /** Breaks all connections; from then on they are refused. */
  goOffline(): Promise<void>;
  /** Listens on the same port again. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Linux gives 32768 and up to outgoing connections, the others 49152 and up. */
const freePorts = { first: 20_000, count: 12_000 };
const portAttempts = 50;

/**
 * A real HTTP proxy before the real engine, which does to calls what a test's rules say. Owned by the test that started it. States:
 * online, offline, stopped; `stop` is final and breaks whatever is open.
 */
export async function startFaultProxy(options: ProxyOptions): Promise<FaultProxy> {
  const log = createCallLog();
  const rules = createFaultRules();
  const sockets = new Set<Socket>();
  const news = new EventEmitter<{ sockets: [] }>().setMaxListeners(0);
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
      news.emit('sockets');
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
      while (sockets.size > count) await once(news, 'sockets');
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
