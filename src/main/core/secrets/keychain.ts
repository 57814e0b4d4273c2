import * as v from 'valibot';
import type { ServiceProcess, SpawnService } from '../child-process.ts';
import { type Clock, createWakeTimer, isWithin } from '../clock.ts';
import { createSerializer } from '../../../shared/serializer.ts';

/** Request to the keychain process. `account` is a connection id. */
export type KeychainRequest =
  | { readonly id: number; readonly op: 'get' | 'delete'; readonly account: string }
  | { readonly id: number; readonly op: 'set'; readonly account: string; readonly value: string };

/** `value` is null if there is none, and after `set` and `delete`. */
export type KeychainReply =
  | { readonly id: number; readonly ok: true; readonly value: string | null }
  | { readonly id: number; readonly ok: false; readonly why: string };

/** Reply of the system keychain, if any. */
export type KeychainAnswer =
  | { readonly kind: 'value'; readonly value: string | null }
  /** `isOpen`: the request timed out, so it may still take effect. */
  | { readonly kind: 'unavailable'; readonly why: string; readonly isOpen?: true };

/** The system keychain in a separate process. Calls never reject and return within their deadline. */
export interface Keychain {
  get(account: string): Promise<KeychainAnswer>;
  set(account: string, value: string): Promise<KeychainAnswer>;
  delete(account: string): Promise<KeychainAnswer>;
  stop(): void;
}

interface Dependencies {
  readonly spawnService: SpawnService;
  readonly clock: Clock;
}

const deadlineMs = 2500;
/** Pause after a timeout: the user must not wait once for each of ten connections. */
const restMs = 30_000;
/** How long the process, which takes as much memory as Node, is kept without a call. */
const idleMs = 600_000;

const replySchema = v.variant('ok', [
  v.object({ id: v.number(), ok: v.literal(true), value: v.nullable(v.string()) }),
  v.object({ id: v.number(), ok: v.literal(false), why: v.string() }),
]);

type Asked = KeychainRequest extends infer R ? (R extends KeychainRequest ? Omit<R, 'id'> : never) : never;

/**
 * Calls a separate process one at a time. On a timeout, the process is killed with all pending
 * calls; the first call after a pause starts a new one. It also ends after ten minutes without a call.
 */
export function createKeychain({ spawnService, clock }: Dependencies): Keychain {
  let process: ServiceProcess | undefined;
  let waiting: { readonly id: number; readonly resolve: (answer: KeychainAnswer) => void } | undefined;
  const serialized = createSerializer();
  let restsSince = -Infinity;
  let lastId = 0;
  let stopped = false;
  const isStopped = (): boolean => stopped;
  const idle = createWakeTimer(clock, end);

  function settle(answer: KeychainAnswer): void {
    const asked = waiting;
    waiting = undefined;
    asked?.resolve(answer);
  }

  function running(): ServiceProcess {
    if (process) return process;
    const started = spawnService('keychain');
    process = started;
    started.onMessage((message) => {
      const parsed = v.safeParse(replySchema, message);
      if (!parsed.success || parsed.output.id !== waiting?.id) return;
      const reply = parsed.output;
      settle(reply.ok ? { kind: 'value', value: reply.value } : { kind: 'unavailable', why: reply.why });
    });
    started.onExit(() => {
      if (process !== started) return;
      process = undefined;
      settle({ kind: 'unavailable', why: 'the keychain’s process ended', isOpen: true });
    });
    return started;
  }

  function end(): void {
    const ended = process;
    process = undefined;
    ended?.kill();
  }

  async function ask(asked: Asked): Promise<KeychainAnswer> {
    if (isStopped()) return { kind: 'unavailable', why: 'stopped' };
    if (isWithin(restMs, restsSince, clock.now())) return { kind: 'unavailable', why: 'no answer a moment ago' };
    idle.set(null);
    const id = (lastId += 1);
    const answered = new AbortController();
    const answer = new Promise<KeychainAnswer>((resolve) => {
      waiting = { id, resolve };
      try {
        running().send({ ...asked, id });
      } catch (error) {
        // The process could not start or has just exited: the next call retries.
        end();
        settle({ kind: 'unavailable', why: error instanceof Error ? error.message : String(error) });
      }
    });
    const tooLate = clock.sleep(deadlineMs, answered.signal).then(
      () => {
        if (waiting?.id !== id) return;
        restsSince = clock.now();
        end();
        settle({ kind: 'unavailable', why: `no answer within ${deadlineMs} ms`, isOpen: true });
      },
      () => undefined,
    );
    const result = await answer;
    answered.abort();
    await tooLate;
    if (!isStopped()) idle.set(clock.now() + idleMs);
    return result;
  }

  return {
    get: (account) => serialized(() => ask({ op: 'get', account })),
    set: (account, value) => serialized(() => ask({ op: 'set', account, value })),
    delete: (account) => serialized(() => ask({ op: 'delete', account })),
    stop() {
      stopped = true;
      idle.set(null);
      end();
      settle({ kind: 'unavailable', why: 'stopped', isOpen: true });
    },
  };
}
