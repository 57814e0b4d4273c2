import { AppError } from '../../../shared/app-error.ts';
import type { CheckResult } from '../../../shared/wire/check.ts';
import type { Core } from '../core.ts';
import { addressOf } from '../voice-service/address.ts';
import type { Http } from '../voice-service/http.ts';
import { clockSkewSeconds } from './clock-skew.ts';

/** Certificates and signed addresses are refused when the clock is further off than a few minutes. */
const worstSkewSeconds = 120;
const dateTimeoutMs = 5000;

/**
 * Asks for one voice: the local engine is really started, and a service is reached, lets us in and is understood. */
export async function checkConnection(
  connections: Core['connections'],
  id: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  const known = connections.get(id);
  const connection = known.kind === 'local' ? null : known.document.name;
  try {
    await connections.service(id).listVoices({ page: 0, limit: 1 }, signal);
    return { ok: true, finding: { kind: 'answers', connection } };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { ok: false, finding: { kind: 'fails', connection, problem: error.problem } };
  }
}

/** Any reply tells the time, so that none of this carries a token. */
async function skewOf(http: Http, base: string, signal: AbortSignal): Promise<number | null> {
  try {
    const sentAt = Date.now();
    const reply = await http.send({
      method: 'GET',
      address: addressOf(base, '/'),
      connectTimeoutMs: dateTimeoutMs,
      replyTimeoutMs: dateTimeoutMs,
      stallTimeoutMs: dateTimeoutMs,
      signal,
    });
    reply.discard();
    return clockSkewSeconds(reply.header('date'), sentAt, reply.receivedAtMs);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** How far this computer's clock is off that of the first service which tells its time. */
export async function checkClock({ connections, http }: Core, signal: AbortSignal): Promise<CheckResult> {
  for (const { id, kind, name } of connections.list()) {
    const seconds = kind === 'remote' ? await skewOf(http, connections.get(id).document.hosts.voice, signal) : null;
    if (seconds === null) continue;
    const ok = seconds <= worstSkewSeconds;
    return {
      ok,
      finding: { kind: ok ? 'clock' : 'clock-off', connection: name, seconds: Math.max(1, seconds) },
    };
  }
  return { ok: true, finding: { kind: 'no-clock' } };
}
