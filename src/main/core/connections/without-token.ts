import { AppError } from '../../../shared/app-error.ts';
import { createSecrets } from '../secrets/strike-secrets.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * The service of a connection, whose failures do not say our token back: what it writes there ends in rows, logs and on the screen.
 * Struck out is what was handed out for its calls; no keychain is asked again, for which a person who cancels would have to wait.
 */
export function withoutToken(connection: Connection, open: (connection: Connection) => VoiceService): VoiceService {
  const handedOut = new Set<string>();
  const service = open({
    ...connection,
    async access(signal) {
      const access = await connection.access(signal);
      if (access.token !== null) handedOut.add(access.token);
      return access;
    },
  });
  const guarded = (call: Call): Call =>
    async function guard(...args) {
      try {
        return await call(...args);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { strike, problemWithout } = createSecrets(...handedOut);
        const { code, facts, words } = problemWithout(error.problem);
        throw new AppError(code, strike(error.message), { cause: error.cause, facts, words });
      }
    };
  // Each operation takes and gives what it did before.
  return Object.fromEntries(
    Object.entries(service).map(([name, call]) => [name, guarded(call as Call)]),
  ) as unknown as VoiceService;
}
