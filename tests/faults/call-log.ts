import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Call, Operation, Outcome } from './call.ts';
import { identifyCall } from './identify-call.ts';

/** A call while the proxy works on it. */
export type OpenCall = { -readonly [K in keyof Call]: Call[K] };

export interface CallFilter {
  readonly operation?: Operation;
  readonly task?: string;
  readonly reachedService?: boolean;
}

export interface CallLog {
  readonly calls: readonly Call[];
  open(request: {
    readonly method?: string | undefined;
    readonly url?: string | undefined;
    readonly headers: IncomingHttpHeaders;
  }): OpenCall;
  /** Changes the call, then notifies listeners. */
  note(call: OpenCall, change: Partial<Omit<OpenCall, 'order' | 'outcome' | 'endedMs'>>): void;
  /** Later calls have no effect. */
  end(call: OpenCall, outcome: Exclude<Outcome, 'open'>): void;
  endAll(outcome: Exclude<Outcome, 'open'>): void;
  count(filter?: CallFilter): number;
  onCall(listener: (call: Call) => void): () => void;
  waitFor(predicate: (call: Call) => boolean, signal?: AbortSignal): Promise<Call>;
  /** Resolves when no call is open. */
  idle(): Promise<void>;
}

export function createCallLog(): CallLog {
  const calls: OpenCall[] = [];
  const news = new EventEmitter<{ call: [Call] }>().setMaxListeners(0);
  let openCalls = 0;

  function end(call: OpenCall, outcome: Exclude<Outcome, 'open'>): void {
    if (call.outcome !== 'open') return;
    call.outcome = outcome;
    call.endedMs = performance.now();
    openCalls -= 1;
    news.emit('call', call);
  }

  return {
    calls,
    open({ method = '', url = '', headers }) {
      const call: OpenCall = {
        order: calls.length + 1,
        ...identifyCall(method, url),
        method,
        path: url,
        headers,
        body: null,
        text: null,
        receivedBytes: 0,
        sentBytes: 0,
        reachedService: false,
        serviceStatus: null,
        status: null,
        fault: null,
        outcome: 'open',
        error: null,
        startedMs: performance.now(),
        endedMs: null,
      };
      calls.push(call);
      openCalls += 1;
      return call;
    },
    note(call, change) {
      Object.assign(call, change);
      news.emit('call', call);
    },
    end,
    endAll(outcome) {
      for (const call of calls) end(call, outcome);
    },
    count: ({ operation, task, reachedService } = {}) =>
      calls.filter(
        (call) =>
          (operation === undefined || call.operation === operation) &&
          (task === undefined || call.task === task) &&
          (reachedService === undefined || call.reachedService === reachedService),
      ).length,
    onCall(listener) {
      news.on('call', listener);
      return () => news.off('call', listener);
    },
    waitFor(predicate, signal) {
      const known = calls.find(predicate);
      if (known) return Promise.resolve(known);
      // Judged at once, not in a queue: a call changes, and the moment that was waited for may be short.
      return new Promise((resolve, reject) => {
        const leave = () => {
          news.off('call', check);
          signal?.removeEventListener('abort', abort);
        };
        const check = (call: Call) => {
          if (!predicate(call)) return;
          leave();
          resolve(call);
        };
        const abort = () => {
          leave();
          reject(signal?.reason as Error);
        };
        if (signal?.aborted) return reject(signal.reason as Error);
        news.on('call', check);
        signal?.addEventListener('abort', abort);
      });
    },
    async idle() {
      while (openCalls > 0) await once(news, 'call');
    },
  };
}
