import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type OperationId, operationIds, operations } from '../shared/operations.ts';
import { inspectAndVerify, type SoundInspector } from '../sound/sound-inspector.ts';
import { sendJson, type Handler } from './request-context.ts';
import { systemClock, type Clock } from './clock.ts';
import { createConversionCache } from './conversion-cache.ts';
import { isOutOfHandles } from '../sound/worker-pool.ts';
import { HttpError } from './http-error.ts';
import { matchRoute, type Route } from './match-route.ts';
import { changeAudio } from './operations/change-audio.ts';
import { createModelStore } from './models/model-store.ts';
import { createModel } from './operations/create-model.ts';
import { createPlant } from './operations/create-plant.ts';
import { createTask } from './operations/create-task.ts';
import { deleteModel } from './operations/delete-model.ts';
import { listModels } from './operations/list-models.ts';
import { pageVoices } from './operations/page-voices.ts';
import { sendResult } from './operations/send-result.ts';
import { soundProblem } from './operations/sound-problem.ts';
import { speak } from './operations/speak.ts';
import { uploadAudio } from './operations/upload-audio.ts';
import { voiceDetail } from './operations/voice-detail.ts';
import { createSpeechService } from './speech-service.ts';
import { createTaskStore } from './task-store.ts';
import { createVoiceRegistry } from './voice-registry.ts';
import type { VoiceChanger } from './voice-changer.ts';

// An import reads every export, and one of them loads Node's WebSocket: a third of a command's time.
const { createServer } = process.getBuiltinModule('node:http');

export interface EngineOptions {
  /** Tasks are stored in `<dataDirectory>/engine/tasks`, speech in `<dataDirectory>/engine/speech`. */
  readonly dataDirectory: string;
  /** Token that callers send as `Authorization: Bearer …`. */
  readonly token: string;
  /** Stopped together with the engine. */
  readonly voiceChanger: VoiceChanger;
  /** Inspects uploads; stopped together with the engine. Default: uploads are inspected on this thread. */
  readonly inspector?: SoundInspector;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Default 4 GiB; larger uploads are rejected with 413 before they are read. */
  readonly maxUploadBytes?: number;
  /** Maximum time without data within a request; then 408. Default 60,000. */
  readonly stallMs?: number;
  /** Maximum time for a request's headers; then its connection is closed. Default 45,000. */
  readonly headersTimeoutMs?: number;
  /** Called with internal errors, for the log; the client gets no details. Default: not reported. */
  readonly onInternalError?: (error: unknown) => void;
}

export interface Engine {
  /**
   * Removes old tasks and listens on 127.0.0.1; port 0 selects a free one. Rejects if the port is in
   * use or the engine was stopped.
   */
  start(port: number): Promise<{ readonly port: number }>;
  /** Resolves once all open calls are answered, and no other is taken. */
  drain(): Promise<void>;
  /** Closes all connections and stops audio work. */
  stop(): Promise<void>;
}

const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Rejects requests that are not from the app. A web page must not reach the engine: its requests
 * have an Origin header, and DNS rebinding shows in Host. Throws `HttpError` 403, or 401 for a wrong
 * token.
 */
function checkCaller({ headers }: IncomingMessage, token: string): void {
  if (!loopbackHost.test(headers.host ?? '')) {
    throw new HttpError(403, 'Forbidden', 'The engine answers on its loopback address only.');
  }
  if (headers.origin !== undefined) throw new HttpError(403, 'Forbidden', 'The engine does not answer web pages.');
  const [, callerToken] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (callerToken === undefined || !timingSafeEqual(digest(callerToken), digest(token))) {
    throw new HttpError(401, 'Unauthorized', 'The access token is missing or wrong.');
  }
}

/**
 * How long a rejected client may go on sending. Closing at once would reset the connection before it
 * reads the response.
 */
const bodyDrainMs = 2000;

/** Discards the rest of the body before the connection closes. */
async function endAfterBody(request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  const timer = setTimeout(() => request.destroy(), bodyDrainMs);
  if (!request.complete && !request.destroyed) await once(request, 'close').catch(() => undefined);
  clearTimeout(timer);
  response.end();
}

/** What the caller can do something about, which is only a shortage of file handles. */
const detailsOf = (error: unknown): string =>
  isOutOfHandles(error) ? 'Too many files are open.' : 'The engine could not do this.';

async function sendProblem(request: IncomingMessage, response: ServerResponse, problem: HttpError): Promise<void> {
  const body = { error: problem.error, ...(problem.details && { details: problem.details }) };
  if (request.complete || request.headers.expect !== undefined) {
    if (!request.complete) response.setHeader('connection', 'close');
    sendJson(response, problem.status, body);
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(problem.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    connection: 'close',
  });
  response.write(bytes);
  await endAfterBody(request, response);
}

/**
 * The local voice engine: the service's interface on loopback. Its process entry (or a test) owns
 * it. States: new, listening, stopped. `stop` is final and idempotent, may be called at any time,
 * and wins over a running `start`.
 */
export function createEngine(options: EngineOptions): Engine {
  const { dataDirectory, token, voiceChanger, clock = systemClock, onInternalError } = options;
  const { maxUploadBytes = 4 * 1024 ** 3, stallMs = 60_000, headersTimeoutMs = 45_000, inspector } = options;
  const tasks = createTaskStore(join(dataDirectory, 'engine', 'tasks'), clock);
  const conversions = createConversionCache(tasks, voiceChanger);
  const spoken = createTaskStore(join(dataDirectory, 'engine', 'speech'), clock);
  const speeches = createSpeechService(spoken, voiceChanger);
  const models = createModelStore(join(dataDirectory, 'engine', 'models'), clock);
  const voices = createVoiceRegistry(models);
  const uploads = { maxBytes: maxUploadBytes, stallMs, inspect: inspector?.inspect ?? inspectAndVerify };
  const handlers: Readonly<Record<OperationId, Handler>> = {
    'create-task': createTask(tasks, voices),
    upload: uploadAudio(tasks, uploads),
    convert: changeAudio(tasks, conversions, voices),
    speech: speak(speeches, voices),
    voices: pageVoices,
    'voice-detail': voiceDetail,
    models: listModels(models),
    'delete-model': deleteModel(models),
    plant: createPlant,
  };
  const routes: readonly Route[] = [
    ...operationIds.map((id) => ({ ...operations[id], run: handlers[id] })),
    {
      method: 'POST',
      path: '/local/models',
      run: createModel(models, voiceChanger, join(dataDirectory, 'engine', 'models'), uploads),
    },
    { method: 'GET', path: '/results/{taskId}/{file}', run: sendResult(tasks, clock) },
    { method: 'GET', path: '/speech/{taskId}/{file}', run: sendResult(spoken, clock) },
  ];
  let origin = '';
  let starting: Promise<{ readonly port: number }> | null = null;
  let stopping: Promise<void> | null = null;

  const route: Handler = async ({ request, response }) => {
    checkCaller(request, token);
    const found = matchRoute(routes, request.method ?? '', request.url ?? '');
    if (!found) throw new HttpError(404, 'Not found.', 'There is no such operation.');
    await found.run({ request, response, params: found.params, query: found.query, origin, stallMs });
  };

  const handleRequest = (request: IncomingMessage, response: ServerResponse) => {
    route({ request, response, params: [], query: new URLSearchParams(), origin, stallMs }).catch(
      async (thrown: unknown) => {
        const error = soundProblem(thrown);
        const hasDisconnected = response.destroyed || (request.destroyed && !request.complete);
        if (!(error instanceof HttpError) && !hasDisconnected) onInternalError?.(error);
        if (response.headersSent || hasDisconnected) {
          response.destroy();
          return;
        }
        const problem = error instanceof HttpError ? error : new HttpError(500, 'Internal error.', detailsOf(error));
        await sendProblem(request, response, problem);
      },
    );
  };

  // An upload may be slow but not silent, so there is no limit for the whole request. That disables the
  // default limit for headers.
  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 10_000),
    },
    handleRequest,
  );
  server.on('checkContinue', handleRequest);

  const listen = async (port: number) => {
    const checkRunning = () => {
      if (stopping) throw new Error('the engine has been stopped');
    };
    checkRunning();
    await Promise.all([tasks.removeExpired(), spoken.removeExpired()]);
    checkRunning();
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    checkRunning();
    const address = server.address() as AddressInfo;
    origin = `http://127.0.0.1:${address.port}`;
    return { port: address.port };
  };

  return {
    start(port) {
      starting ??= listen(port);
      return starting;
    },
    async drain() {
      await starting?.catch(() => undefined);
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
    stop() {
      stopping ??= (async () => {
        const soundStopped = voiceChanger.stop();
        await starting?.catch(() => undefined);
        if (server.listening) {
          const closed = once(server, 'close');
          server.close();
          server.closeAllConnections();
          await closed;
        }
        await soundStopped;
        await inspector?.stop();
      })();
      return stopping;
    },
  };
}
