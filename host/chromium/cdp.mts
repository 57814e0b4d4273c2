// Chromium's DevTools protocol over --remote-debugging-pipe: messages stay in order, no other process can listen, and
// Chromium exits when the pipe closes, so even a SIGKILL of the host leaves no process behind.
import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
// Playwright contains the protocol's types but does not export them; a type import has no effect at run time.
import type { Protocol } from '../../node_modules/playwright-core/types/protocol';

export type { Protocol };

type Commands = Protocol.CommandParameters;
type Results = Protocol.CommandReturnValues;

/** A DevTools session with Chromium itself, a page or an out-of-process frame. */
export interface Session {
  readonly events: EventEmitter<Protocol.EventMap>;
  /** Rejects with Chromium's message, or `host: Chromium is gone` once the pipe has closed. */
  send<M extends keyof Commands>(method: M, params?: Commands[M]): Promise<Results[M]>;
  /** Returns the session that Chromium announced with this id. */
  session(id: string): Session;
}

export interface Connection extends Session {
  /** Rejects all pending and later calls. */
  close(): void;
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: keyof Protocol.EventMap;
  readonly params?: never;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Connects via the two pipes at Chromium's file descriptors 3 (`input`) and 4 (`output`). */
export function connect(input: Writable, output: Readable): Connection {
  const waiting = new Map<number, { resolve(value: never): void; reject(reason: Error): void }>();
  const sessions = new Map<string, Session>();
  let partial: Buffer[] = [];
  let lastId = 0;
  let closed = false;

  const createSession = (sessionId?: string): Session => {
    const events = new EventEmitter<Protocol.EventMap>();
    events.setMaxListeners(0);
    return {
      events,
      session: findSession,
      send: (method, params) =>
        new Promise((resolve, reject) => {
          if (closed) return reject(new Error('host: Chromium is gone'));
          const id = ++lastId;
          waiting.set(id, { resolve, reject });
          input.write(`${JSON.stringify({ id, method, params: params ?? {}, sessionId })}\0`);
        }),
    };
  };
  const findSession = (id: string): Session => {
    const session = sessions.get(id) ?? createSession(id);
    sessions.set(id, session);
    return session;
  };
  const root = createSession();

  const receive = (message: Message): void => {
    if (message.id !== undefined) {
      const pending = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) pending?.reject(new Error(message.error.message));
      else pending?.resolve(message.result as never);
    } else if (message.method) {
      const session = message.sessionId === undefined ? root : sessions.get(message.sessionId);
      session?.events.emit(message.method, message.params);
    }
  };

  output.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const text = Buffer.concat([...partial, rest.subarray(0, end)]).toString();
      partial = [];
      rest = rest.subarray(end + 1);
      receive(JSON.parse(text) as Message);
    }
    if (rest.length > 0) partial.push(rest);
  });
  // A write may fail after Chromium has ended; close() rejects the callers.
  input.on('error', () => undefined);

  return {
    ...root,
    close() {
      closed = true;
      for (const { reject } of waiting.values()) reject(new Error('host: Chromium is gone'));
      waiting.clear();
    },
  };
}
