import { AppError } from '../../../shared/app-error.ts';
import type { ConsoleCall, Exchange, TokenSource } from '../../../shared/wire/console.ts';
import type { ConnectionBook } from '../connections/connection-book.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { Task } from '../voice-service/create-task.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { recordedHttp, type Recording } from '../voice-service/recorded-http.ts';
import { performCall } from './perform-call.ts';
import { showExchange } from './show-exchange.ts';
import { createSecrets, struck, tokenOf, type Secrets } from '../secrets/strike-secrets.ts';

/**
 * Calls that a person makes by hand, one at a time, each at once and once: no jobs, no second tries, nothing kept. `stop` gives up the
 * one under way, which is then answered with what passed.
 */
export interface Console {
  /**
   * `path` is where the file to upload is. Throws what was refused before anything was sent; what the service or the network did is
   * part of the answer.
   */
  call(connectionId: string, call: ConsoleCall, path: string | null): Promise<Exchange>;
  stop(): void;
}

interface Dependencies {
  readonly connections: ConnectionBook;
  readonly secrets: Pick<SecretStore, 'placeOf'>;
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

/** A task whose names hold a secret is none that a page may know. */
function shownTask(task: Task | null, { strike }: Secrets): Task | null {
  const names = task ? task.taskId + task.changerType : '';
  return names.includes(struck) || strike(names) !== names ? null : task;
}

export function createConsole({ connections, secrets, signal, now = Date.now }: Dependencies): Console {
  let stopping: AbortController | undefined;

  async function sourceOf(connectionId: string): Promise<TokenSource | null> {
    return connections.get(connectionId).kind === 'local' ? 'engine' : secrets.placeOf(connectionId);
  }

  async function run(
    connectionId: string,
    asked: ConsoleCall,
    path: string | null,
    stopped: AbortSignal,
  ): Promise<Exchange> {
    const connection = connections.get(connectionId);
    const ending = AbortSignal.any([signal, stopped]);
    const seen: { recording?: Recording } = {};
    const service = connections.serviceThrough(connectionId, (http) =>
      recordedHttp(http, (recording) => void (seen.recording = recording), { now }),
    );
    let before: string | null = null;
    let problem: Exchange['problem'] = null;
    let task: Task | null = null;
    try {
      // A token that is changed meanwhile has been sent all the same.
      before = await unlessAborted(tokenOf(connection, ending), ending);
      // Whoever stops waits for no keychain either; a call that is stopped before it was sent is never sent.
      task = await unlessAborted(performCall(service, asked, path, ending), ending);
    } catch (error) {
      signal.throwIfAborted();
      if (!stopped.aborted) {
        if (!(error instanceof AppError) || !seen.recording) throw error;
        problem = error.problem;
      }
    }
    const { recording } = seen;
    const answer = { operation: asked.operation, isStopped: stopped.aborted };
    if (!recording) return { ...answer, request: null, reply: null, ms: 0, tokenSource: null, problem: null, task };
    const struckOut = createSecrets(before, await tokenOf(connection, signal));
    return {
      ...answer,
      ...showExchange(recording, struckOut, now()),
      tokenSource: await sourceOf(connectionId),
      problem,
      task: shownTask(task, struckOut),
    };
  }

  return {
    async call(connectionId, asked, path) {
      if (stopping) throw new AppError('request/invalid', 'a call is under way');
      stopping = new AbortController();
      try {
        return await run(connectionId, asked, path, stopping.signal);
      } finally {
        stopping = undefined;
      }
    },
    stop: () => stopping?.abort(new AppError('job/cancelled', 'a person stopped the call')),
  };
}
