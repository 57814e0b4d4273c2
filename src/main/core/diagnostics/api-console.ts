import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { ApiCall } from '../../../shared/operations.ts';
import type { Exchange, TokenSource } from '../../../shared/schemas/diagnostics.ts';
import { unlessAborted } from '../clock.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import { snapshotOf, type SourceSnapshot } from '../files/identity.ts';
import { createRedactor, type Redactor, redacted } from '../secrets/redact.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { Task } from '../voice-service/conversion.ts';
import type { ServiceClient } from '../voice-service/service-client.ts';
import { showExchange } from './exchange-view.ts';
import { recordedHttp, type RecordedExchange } from './recorded-http.ts';

/** The connection's current token; null if it has none or it cannot be read, so that none was sent. */
const tokenOf = async ({ access }: Connection, signal: AbortSignal): Promise<string | null> =>
  (await access(signal).catch(() => null))?.token ?? null;

async function sourceAt(path: string): Promise<SourceSnapshot> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isFile()) throw new AppError('input/not-a-file', `no file: ${path}`);
    return snapshotOf(found);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('input/missing', `cannot find ${path}`, { cause: error });
  }
}

/** Sends one call, without retries. `path` is the file to upload. Returns the task if the call created one. */
async function performApiCall(
  service: ServiceClient,
  call: ApiCall,
  path: string | null,
  signal: AbortSignal,
): Promise<Task | null> {
  switch (call.operation) {
    case 'create-task':
      return service.createTask({ voice: call.voice, engine: call.engine }, signal);
    case 'upload': {
      if (path === null) {
        throw new AppError('request/invalid', 'no file was chosen', { facts: { field: 'call.audioFile' } });
      }
      const task = { taskId: call.uuid, changerType: call['Changer-Type'] };
      const source = await sourceAt(path);
      await service.uploadAudio({ task, path, fileName: basename(path), source, onProgress: () => undefined }, signal);
      return null;
    }
    case 'convert':
      await service.waitForRateLimit(signal);
      await service.convertAudio(
        {
          taskId: call.uuid,
          voice: call.voice,
          pitch: call.pitch,
          speed: call.speed,
          outputFormat: call.outputFormat,
          audioName: call.audioName,
          platform: call.platform,
          pitchControl: call.pitch_control,
          engine: call.engine,
          autoF0: call.auto_f0_adjust,
        },
        signal,
      );
      return null;
    case 'speech':
      await service.waitForRateLimit(signal);
      await service.speakText(
        {
          text: call.speech,
          voice: call.voice,
          speed: call['Parameter.Speed'],
          language: call['Parameter.LanguageCode'],
          pitch: call['Parameter.Pitch'],
          engine: call.engine,
          platform: call.platform,
          // The sound is discarded: the exchange shows only its type and size.
          write: () => Promise.resolve(),
          onProgress: () => undefined,
        },
        signal,
      );
      return null;
    case 'voices':
      await service.listVoices(call, signal);
      return null;
    case 'voice-detail':
      await service.voiceDetail(call.voiceId, signal);
      return null;
    case 'models':
      await service.listModels(call, signal);
      return null;
    case 'delete-model':
      await service.deleteModel(call.name, signal);
      return null;
    case 'plant':
      await service.createPlant({ id: call.id, name: call.name, tag: call.tag === '' ? null : call.tag }, signal);
      return null;
  }
}

/**
 * Calls that the user makes by hand, one at a time: sent at once, without jobs, retries or storage. `stop` aborts
 * the running call, which then returns what was transferred.
 */
export interface ApiConsole {
  /**
   * `path` is the file to upload. Throws errors from before anything was sent; errors of the service or the
   * network are part of the returned exchange.
   */
  call(connectionId: string, call: ApiCall, path: string | null): Promise<Exchange>;
  stop(): void;
}

interface Dependencies {
  readonly connections: ConnectionRegistry;
  readonly secrets: Pick<SecretStore, 'placeOf'>;
  readonly signal: AbortSignal;
}

/** The task for the page, or null if its names contain a secret. */
function taskForPage(task: Task | null, { redact }: Redactor): Task | null {
  const names = task ? task.taskId + task.changerType : '';
  return names.includes(redacted) || redact(names) !== names ? null : task;
}

export function createApiConsole({ connections, secrets, signal }: Dependencies): ApiConsole {
  let stopping: AbortController | undefined;

  async function sourceOf(connectionId: string): Promise<TokenSource | null> {
    return connections.get(connectionId).kind === 'local' ? 'engine' : secrets.placeOf(connectionId);
  }

  async function run(
    connectionId: string,
    call: ApiCall,
    path: string | null,
    stopped: AbortSignal,
  ): Promise<Exchange> {
    const connection = connections.get(connectionId);
    const ending = AbortSignal.any([signal, stopped]);
    const seen: { exchange?: RecordedExchange } = {};
    const service = connections.serviceWithHttp(connectionId, (http) =>
      recordedHttp(http, (exchange) => void (seen.exchange = exchange)),
    );
    let tokenBefore: string | null = null;
    let problem: Exchange['problem'] = null;
    let task: Task | null = null;
    try {
      // Read before the call: if the token is changed meanwhile, the old one was sent and must be redacted too.
      tokenBefore = await unlessAborted(tokenOf(connection, ending), ending);
      // `stop` does not wait for the keychain; a call stopped before it was sent is never sent.
      task = await unlessAborted(performApiCall(service, call, path, ending), ending);
    } catch (error) {
      signal.throwIfAborted();
      if (!stopped.aborted) {
        if (!(error instanceof AppError) || !seen.exchange) throw error;
        problem = error.problem;
      }
    }
    const { exchange } = seen;
    const result = { operation: call.operation, isStopped: stopped.aborted };
    if (!exchange) return { ...result, request: null, reply: null, ms: 0, tokenSource: null, problem: null, task };
    const redactor = createRedactor(tokenBefore, await tokenOf(connection, signal));
    return {
      ...result,
      ...showExchange(exchange, redactor, Date.now()),
      tokenSource: await sourceOf(connectionId),
      problem,
      task: taskForPage(task, redactor),
    };
  }

  return {
    async call(connectionId, call, path) {
      if (stopping) throw new AppError('request/invalid', 'a call is under way');
      stopping = new AbortController();
      try {
        return await run(connectionId, call, path, stopping.signal);
      } finally {
        stopping = undefined;
      }
    },
    stop: () => stopping?.abort(new AppError('job/cancelled', 'the user stopped the call')),
  };
}
