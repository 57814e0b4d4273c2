import { AppError } from '../../../shared/app-error.ts';
import { createSecrets, type Secrets } from '../secrets/strike-secrets.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** What the service expects back as it gave it: a short token stands in these by chance, and to strike it would break the call. */
const identifiers: ReadonlySet<string> = new Set(['id', 'voiceId', 'modelId', 'modelName', 'taskId', 'changerType']);
const leastInIdentifiers = 8;
/** What is longer is cut, because catalogues are kept in memory: never before the token was struck out, nor an identifier. */
const longest: Readonly<Record<string, number>> = {
  name: 1024,
  description: 10_000,
  language: 256,
  languageCode: 256,
  gender: 256,
  category: 256,
  creationDate: 256,
  pitch: 256,
  speed: 256,
  supportedFormats: 256,
};
/** Said by us. */
const own: ReadonlySet<string> = new Set(['kind', 'sha256']);

/** What a service answered, without any form of the tokens. Addresses can be restored, so that what was paid for can be fetched. */
function replyWithout(tokens: readonly string[], reply: unknown): unknown {
  const all = createSecrets(...tokens);
  const long = createSecrets(...tokens.filter(({ length }) => length >= leastInIdentifiers));
  const clean = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (own.has(key)) return value;
      if (key === 'audioUrl') return long.hide(value);
      const said = (identifiers.has(key) ? long : all).strike(value);
      const most = longest[key] ?? Infinity;
      // A copy: a slice would keep all of it in memory.
      return said.length <= most ? said : Buffer.from(said.slice(0, most)).toString();
    }
    if (Array.isArray(value)) return value.map((one) => clean(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clean(one, name)]));
  };
  return clean(reply, '');
}

function errorWithout({ strike, problemWithout }: Secrets, error: AppError): AppError {
  const { code, facts, words } = problemWithout(error.problem);
  return new AppError(code, strike(error.message), { cause: error.cause, facts, words });
}

/**
 * The service of a connection, which does not say our token back, in what it answers or refuses: that ends in rows, logs, exports and
 * on the screen. Struck out is what was handed out for its calls; no keychain is asked again, for which a person who cancels would
 * have to wait.
 */
export function withoutToken(connection: Connection, open: (connection: Connection) => VoiceService): VoiceService {
  const handedOut = new Set<string>();
  async function access(signal: AbortSignal) {
    const given = await connection.access(signal);
    if (given.token !== null) handedOut.add(given.token);
    return given;
  }
  const service = open({ ...connection, access });
  const guarded = (call: Call): Call =>
    async function guard(...args) {
      try {
        const reply = await call(...args);
        return replyWithout([...handedOut], reply);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw errorWithout(createSecrets(...handedOut), error);
      }
    };
  const { downloadResult } = service;
  const restoring: VoiceService = {
    ...service,
    async downloadResult(download, signal) {
      const { token, hosts } = await access(signal);
      const address = createSecrets(token).restore(download.audioUrl);
      // To another than the service itself, the token is not said either.
      const isOwn = Object.values(hosts).some((base) => base !== '' && address.startsWith(`${new URL(base).origin}/`));
      return downloadResult(isOwn ? { ...download, audioUrl: address } : download, signal);
    },
  };
  // Each operation takes and gives what it did before.
  return Object.fromEntries(
    Object.entries(restoring).map(([name, call]) => [name, guarded(call as Call)]),
  ) as unknown as VoiceService;
}
