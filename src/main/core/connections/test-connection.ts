import { AppError, type Problem } from '../../../shared/errors.ts';
import type { ConnectionCheck } from '../../../shared/schemas/connection.ts';
import type { Clock } from '../clock.ts';
import type { ServiceClient } from '../voice-service/service-client.ts';

type Operation = ConnectionCheck['operation'];

/** The setting of the document that a failure points to, or null. */
function suspectOf(operation: Operation, { code, facts }: Problem, firstVoicePage: number): string | null {
  const field = typeof facts?.['field'] === 'string' ? facts['field'] : '';
  if (code === 'service/not-understood') {
    if (field.startsWith('voices[].')) return 'voiceField';
    if (field.startsWith('models[].')) return 'modelVoiceField';
    return null;
  }
  if (code === 'connection/invalid') return operation === 'models' ? 'hosts.models' : 'hosts.converter';
  if (code !== 'service/refused' && code !== 'service/not-found') return null;
  if (operation === 'voice-detail') return 'voiceDetailQuery';
  if (operation === 'models') return 'modelPageSizeQuery';
  // Pages of voices start at 0; a service that starts at 1 refuses the first.
  return firstVoicePage === 0 ? 'firstVoicePage' : 'voiceQuery';
}

const unreachedCodes = new Set([
  'network/unreachable',
  'network/insecure',
  'network/proxy',
  'network/timeout',
  'network/cut',
]);
const unauthorisedCodes = new Set(['auth/refused', 'auth/forbidden', 'auth/missing']);

interface Dependencies {
  readonly service: ServiceClient;
  readonly firstVoicePage: number;
  readonly clock: Clock;
}

/**
 * Runs each read-only operation and reports whether the service was reached, accepted the token and
 * returned a valid reply, and which setting is probably wrong. Throws only on abort.
 */
export async function testConnection(
  { service, firstVoicePage, clock }: Dependencies,
  signal: AbortSignal,
): Promise<readonly ConnectionCheck[]> {
  let voiceId: string | undefined;

  const skipped = (operation: Operation): ConnectionCheck => ({
    operation,
    outcome: 'not-asked',
    ms: 0,
    problem: null,
    suspect: null,
  });

  async function check(operation: Operation, call: () => Promise<string | null>): Promise<ConnectionCheck> {
    const startedAt = clock.now();
    try {
      const suspect = await call();
      return { operation, outcome: 'understood', ms: clock.now() - startedAt, problem: null, suspect };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      const { problem } = error;
      const outcome = unreachedCodes.has(problem.code)
        ? 'unreached'
        : unauthorisedCodes.has(problem.code)
          ? 'unauthorised'
          : 'not-understood';
      const suspect = outcome === 'not-understood' ? suspectOf(operation, problem, firstVoicePage) : null;
      return { operation, outcome, ms: clock.now() - startedAt, problem, suspect };
    }
  }

  const limit = 1;
  const voices = await check('voices', async () => {
    const page = await service.listVoices({ page: 0, limit }, signal);
    voiceId = page.voices[0]?.id;
    // More voices than requested: the service ignores the limit parameter, so paging does not work.
    return page.voices.length > limit ? 'voiceQuery' : null;
  });
  const requestedId = voiceId;
  const voice =
    requestedId === undefined
      ? skipped('voice-detail')
      : await check('voice-detail', async () => {
          const detail = await service.voiceDetail(requestedId, signal);
          return detail.voiceId === requestedId ? null : 'voiceField';
        });
  const models = await check('models', async () => {
    const page = await service.listModels({ page: 1, limit }, signal);
    return page.models.length > limit ? 'modelPageSizeQuery' : null;
  });
  return [voices, voice, models];
}
