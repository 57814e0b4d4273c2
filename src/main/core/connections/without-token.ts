import { AppError } from '../../../shared/app-error.ts';
import { createSecrets, tokenOf } from '../secrets/strike-secrets.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** The same service, whose failures do not say our token back: what it writes there ends in rows, logs and on the screen. */
export function withoutToken(service: VoiceService, connection: Connection): VoiceService {
  const guarded = (call: Call): Call =>
    async function guard(...args) {
      try {
        return await call(...args);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Its own signal: what is struck out must be so also where the caller has gone.
        const { strike, problemWithout } = createSecrets(await tokenOf(connection, new AbortController().signal));
        const { code, facts, words } = problemWithout(error.problem);
        throw new AppError(code, strike(error.message), { cause: error.cause, facts, words });
      }
    };
  // Each operation takes and gives what it did before.
  return Object.fromEntries(
    Object.entries(service).map(([name, call]) => [name, guarded(call as Call)]),
  ) as unknown as VoiceService;
}
