import type { Core } from '../../main/core/core.ts';
import { addressOf } from '../../main/core/voice-service/address.ts';
import { createHttp } from '../../main/core/voice-service/http.ts';
import { AppError } from '../../shared/app-error.ts';
import type { Messages } from '../../shared/messages/index.ts';
import { sentence } from '../sentence.ts';
import type { Check } from './check.ts';
import { clockSkewSeconds } from './clock-skew.ts';

/** Certificates and signed addresses are refused when the clock is further off than a few minutes. */
const worstSkewSeconds = 120;
const dateTimeoutMs = 5000;

/** Asks for one voice: the local engine is really started, and a service is reached, lets us in and is understood. */
async function checkConnection(core: Core, id: string, messages: Messages, signal: AbortSignal): Promise<Check> {
  const { kind, document } = core.connections.get(id);
  const name = kind === 'local' ? messages.connection.thisComputer : document.name;
  const check = `connection/${document.name}`;
  try {
    await core.connections.service(id).listVoices({ page: 0, limit: 1 }, signal);
    return { check, ok: true, message: messages.cli.doctor.answers(name) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { check, ok: false, message: `${name}: ${sentence(messages, error.problem).replaceAll('\n', ' ')}` };
  }
}

export const checkConnections = (core: Core, messages: Messages, signal: AbortSignal): Promise<readonly Check[]> =>
  Promise.all(core.connections.list().map(({ id }) => checkConnection(core, id, messages, signal)));

/** Any reply tells the time, so that none of this carries a token. */
async function skewOf(base: string, signal: AbortSignal): Promise<number | null> {
  const http = createHttp();
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
  } finally {
    await http.close();
  }
}

export async function checkClock(core: Core, messages: Messages, signal: AbortSignal): Promise<Check> {
  const { doctor } = messages.cli;
  for (const { id, kind, name } of core.connections.list()) {
    const skew = kind === 'remote' ? await skewOf(core.connections.get(id).document.hosts.voice, signal) : null;
    if (skew === null) continue;
    const ok = skew <= worstSkewSeconds;
    return { check: 'clock', ok, message: (ok ? doctor.clock : doctor.clockOff)(name, Math.max(1, skew)) };
  }
  return { check: 'clock', ok: true, message: doctor.noClock };
}
